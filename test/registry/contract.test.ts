// Tests of snapshots (src/registry/contract.ts): what is found and in which order, pages and summaries.
// contract-store.test.ts tests the registry as a whole. Most tests search these five records of plans.ts:
// - SG-1, 2019-11-30, Segovia: `Modificación del Plan Parcial`
// - AV-2, 2010-01-02, Ávila: `Estudio de Detalle UE-1`, content `un plan parcial anterior`
// - AV-3, 2010-01-02, Arévalo: `Plan Especial del Casco`
// - AV-1, 2004-05-17, Ávila: `Plan Parcial El Soto`, content `ordenanzas de edificación`
// - SG-2, 2004-01-01, Segovia: `Normas Subsidiarias`, content `parcial`
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { foldValue } from '../../src/domain/exact-value.ts'
import type { Query } from '../../src/domain/query.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import { createRegistry, type TestRegistry } from '../create-registry.ts'
import { plans } from './plans.ts'
import { readCodes, readCodesByPage } from './reading.ts'

/** A registry of the plans. Tests that need other records create their own. */
let plansRegistry: TestRegistry
let snapshot: Snapshot
before(async () => {
  plansRegistry = await createRegistry()
  snapshot = await plansRegistry.snapshotOf(plans)
})
after(() => plansRegistry[Symbol.asyncDispose]())

test('returns all records without a filter, newest first, then by code', async () => {
  assert.deepEqual(await readCodes(snapshot, {}), ['SG-1', 'AV-2', 'AV-3', 'AV-1', 'SG-2'])
})

test('finds a term in the titles first, then in the contents, each newest first', async () => {
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('parcial') }), ['SG-1', 'AV-1', 'AV-2', 'SG-2'])
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('plan parcial') }), ['SG-1', 'AV-1', 'AV-2'])
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('parcial ordenanzas') }), ['AV-1'])
})

test('keeps titles that would not be found if they were read as search terms', async () => {
  await using registry = await createRegistry()
  // Read as a search term, a title may mean something else: a name in quotes would be a phrase.
  const titles = [
    'Reparcelación U. E. 4',
    'PLAN PARCIAL N 3 DE LAS NNSS',
    'Modificación No. III',
    '"Plan" -parcial*',
    '—',
  ]
  const snapshot = await registry.snapshotOf(titles.map((title, index) => ({ code: `A-${index}`, title })))
  assert.deepEqual(await readCodes(snapshot, {}), ['A-0', 'A-1', 'A-2', 'A-3', 'A-4'])
})

test('finds phrases, prefixes and joined codes', async () => {
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('"plan parcial"') }), ['SG-1', 'AV-1', 'AV-2'])
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('"parcial plan"') }), [])
  assert.deepEqual(await readCodes(snapshot, { search: analyseTerm('edif*') }), ['AV-1'])
  for (const spelling of ['UE-1', 'U.E.-1', 'UE 1', 'UE1']) {
    assert.deepEqual(await readCodes(snapshot, { search: analyseTerm(spelling) }), ['AV-2'], spelling)
  }
})

test('requires that all filters match', async () => {
  const term = analyseTerm('parcial')
  assert.deepEqual(await readCodes(snapshot, { municipality: 'segovia' }), ['SG-1', 'SG-2'])
  assert.deepEqual(await readCodes(snapshot, { municipality: 'arevalo', search: term }), [])
  assert.deepEqual(await readCodes(snapshot, { municipality: 'Segovia', search: term, checkin_date: '2004' }), ['SG-2'])
  assert.deepEqual(await readCodes(snapshot, { checkin_date: '2010' }), ['AV-2', 'AV-3'])
  assert.deepEqual(await readCodes(snapshot, { checkin_date: '2011' }), [])
  assert.deepEqual(await readCodes(snapshot, { cod_archivo: 'AV-2' }), ['AV-2'])
  assert.deepEqual(
    await readCodes(snapshot, { cod_archivo: 'AV-2', search: term, checkin_date: '2010', municipality: 'Ávila' }),
    ['AV-2'],
  )
  assert.deepEqual(await readCodes(snapshot, { cod_archivo: 'AV-2', checkin_date: '2004' }), [])
  assert.deepEqual(await readCodes(snapshot, { cod_archivo: 'AV-3', search: term }), [])
  assert.deepEqual(await readCodes(snapshot, { cod_archivo: 'AV-9' }), [])
  assert.deepEqual(await readCodes(snapshot, { municipality: 'Nowhere' }), [])
})

test('a range of days includes both ends, alone and with other filters', async () => {
  const term = analyseTerm('parcial')
  assert.deepEqual(await readCodes(snapshot, { checkin_from: '2010-01-02' }), ['SG-1', 'AV-2', 'AV-3'])
  assert.deepEqual(await readCodes(snapshot, { checkin_from: '2010-01-03' }), ['SG-1'])
  assert.deepEqual(await readCodes(snapshot, { checkin_from: '2010-01-01', checkin_to: '2018-12-31' }), [
    'AV-2',
    'AV-3',
  ])
  assert.deepEqual(await readCodes(snapshot, { checkin_to: '2010-01-02', search: term }), ['AV-1', 'AV-2', 'SG-2'])
  assert.deepEqual(await readCodes(snapshot, { checkin_to: '2010-01-01' }), ['AV-1', 'SG-2'])
  assert.deepEqual(await readCodes(snapshot, { checkin_to: '2003-12-31' }), [])
  assert.deepEqual(await readCodes(snapshot, { checkin_from: '2020-01-01' }), [])
  assert.deepEqual(await readCodes(snapshot, { checkin_date: '2004', checkin_from: '2004-01-02' }), ['AV-1'])
  assert.deepEqual(await readCodes(snapshot, { checkin_date: '2004', checkin_from: '2005-01-01' }), [])
  assert.deepEqual(
    await readCodes(snapshot, { cod_archivo: 'AV-2', checkin_from: '2010-01-02', checkin_to: '2010-01-02' }),
    ['AV-2'],
  )
  assert.deepEqual(await readCodes(snapshot, { cod_archivo: 'AV-2', checkin_to: '2010-01-01' }), [])
  assert.deepEqual(
    await readCodesByPage(snapshot, { checkin_from: '2004-01-01', checkin_to: '2010-06-30', limit: 2 }),
    ['AV-2', 'AV-3', 'AV-1', 'SG-2'],
  )
})

test('finds by INE code, province and community, and nothing where they exclude each other', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf([
    ...plans,
    // In no province, because no municipality has this name.
    { code: 'X-1', municipality: 'Villa Desconocida', checkinDate: '2001-01-01' },
    // Cieza is a municipality of Cantabria and of Murcia. The INE code that the code begins with tells which it is.
    { code: '39021-1', municipality: 'Cieza', checkinDate: '2000-01-02' },
    { code: '30019-1', municipality: 'Cieza', checkinDate: '2000-01-01' },
  ])
  assert.deepEqual(await readCodes(snapshot, { municipality: '05019' }), ['AV-2', 'AV-1'])
  assert.deepEqual(await readCodes(snapshot, { municipality: 'cieza' }), ['39021-1', '30019-1'])
  assert.deepEqual(await readCodes(snapshot, { municipality: '30019' }), ['30019-1'])
  assert.deepEqual(await readCodes(snapshot, { municipality: 'Cieza', province: 'Murcia' }), ['30019-1'])
  assert.deepEqual(await readCodes(snapshot, { municipality: 'Cieza', community: 'Cantabria' }), ['39021-1'])
  assert.deepEqual(await readCodes(snapshot, { province: 'avila' }), ['AV-2', 'AV-3', 'AV-1'])
  assert.deepEqual(await readCodes(snapshot, { province: '40', search: analyseTerm('normas') }), ['SG-2'])
  assert.deepEqual(await readCodes(snapshot, { community: 'Castilla y León', checkin_date: '2010' }), ['AV-2', 'AV-3'])
  assert.deepEqual(await readCodes(snapshot, { province: 'Ávila', community: 'Galicia' }), [])
  assert.deepEqual(await readCodes(snapshot, { province: 'Segovia', municipality: 'Arévalo' }), [])
  assert.deepEqual(await readCodes(snapshot, { cod_archivo: 'AV-1', province: 'Segovia' }), [])
  // A province without records, and a name that no province has.
  for (const province of ['Lugo', 'Atlantis']) assert.deepEqual(await readCodes(snapshot, { province }), [])
})

test('finds by registration number and by id, whatever the case, and all records that share one', async () => {
  await using registry = await createRegistry()
  /** Longer than any value in a request, so it is not indexed and finds nothing. */
  const long = 'x'.repeat(5000)
  const snapshot = await registry.snapshotOf([
    { code: 'A-1', registrationNumber: 'Nº 7/b', id: 'id-1', checkinDate: '2003-01-01' },
    { code: 'A-2', registrationNumber: 'nº 7/B', id: 'ID-1', checkinDate: '2002-01-01', title: 'Otro' },
    // Unusual values, which must not be taken for others: an empty and a long one, two that differ only after a
    // zero byte, and a lone surrogate, which UTF-8 replaces by U+FFFD.
    { code: 'A-3', registrationNumber: '', id: `a\u0000b`, checkinDate: '2001-01-01' },
    { code: 'A-4', registrationNumber: long, id: `a\u0000c`, checkinDate: '2000-01-01' },
    { code: 'A-5', registrationNumber: '\ud800', id: '\ufffd', checkinDate: '1999-01-01' },
  ])
  const totalOf = async (filters: Query): Promise<number> => (await snapshot.summarise(filters)).total
  assert.equal(await totalOf({ registration_number: foldValue(' nº 7/b ') }), 2)
  // Neither a value with another letter nor a part of the value is equal.
  assert.equal(await totalOf({ registration_number: foldValue('NÑ 7/B') }), 0)
  assert.equal(await totalOf({ registration_number: foldValue('nº 7') }), 0)
  assert.equal(await totalOf({ id: foldValue('Id-1') }), 2)
  assert.equal(await totalOf({ id: foldValue('id-1'), search: analyseTerm('otro') }), 1)
  assert.equal(await totalOf({ id: foldValue('id-1'), registration_number: foldValue('8') }), 0)
  // Folding leaves out control characters, so `a\u0000b` is found as `AB`.
  assert.equal(await totalOf({ id: foldValue('AB') }), 1)
  assert.equal(await totalOf({ id: foldValue('ac') }), 1)
  assert.equal(await totalOf({ id: foldValue('a') }), 0)
  assert.equal(await totalOf({ id: foldValue('\ufffd') }), 1)
  assert.equal(await totalOf({ registration_number: foldValue(long) }), 0)
  const page = await snapshot.page({ id: foldValue('id-1'), limit: 1 })
  assert.ok(page?.next)
  assert.match((await snapshot.page({ id: foldValue('id-1'), limit: 1, after: page.next }))?.text ?? '', /"ID-1"/)
})

test('counts matches by year and by municipality', async () => {
  assert.deepEqual(
    snapshot.municipalities.map(({ name }) => name),
    ['Arévalo', 'Ávila', 'Segovia'],
  )
  assert.deepEqual(await snapshot.summarise({ search: analyseTerm('parcial') }), {
    total: 4,
    byYear: [
      { year: 2004, records: 2 },
      { year: 2010, records: 1 },
      { year: 2019, records: 1 },
    ],
    // The municipality is an index of the list above.
    byMunicipality: [
      { municipality: 1, records: 2 },
      { municipality: 2, records: 2 },
    ],
  })
  assert.equal((await snapshot.summarise({ checkin_date: '1900' })).total, 0)
})

test('tells which municipality a name denotes, and the records and years of each', async () => {
  // Municipalities are in the order Arévalo, Ávila, Segovia.
  assert.deepEqual(snapshot.findMunicipalities('AREVALO'), [0])
  assert.deepEqual(snapshot.findMunicipalities('Toledo'), [])
  assert.deepEqual(
    snapshot.municipalities.map(({ records, firstYear, lastYear }) => [records, firstYear, lastYear]),
    [
      [1, 2010, 2010],
      [2, 2004, 2010],
      [2, 2004, 2019],
    ],
  )
})

test('shows the most frequent spelling of a municipality and finds it by two names joined', async () => {
  await using registry = await createRegistry()
  const spellings = ['Gasteiz', 'Vitoria-Gasteiz', 'Alacant', 'Alicante', 'Alacant', 'Alicante/Alacant', 'Girona']
  const snapshot = await registry.snapshotOf(
    spellings.map((municipality, index) => ({ code: `X-${index}`, municipality })),
  )
  // The two spellings of Vitoria-Gasteiz are equally frequent, so the official one is shown.
  assert.deepEqual(
    snapshot.municipalities.map(({ name }) => name),
    ['Alacant', 'Girona', 'Vitoria-Gasteiz'],
  )
  assert.deepEqual(snapshot.municipalities[2]?.otherNames, ['Gasteiz', 'Vitoria'])
  for (const name of ['Gerona-Girona', 'Girona / Gerona']) {
    assert.deepEqual(snapshot.findMunicipalities(name), [1], name)
  }
  assert.deepEqual(snapshot.findMunicipalities('Girona-Vitoria'), [])
})

test('pages of any size contain each record of the result once', async () => {
  for (const filters of [{}, { search: analyseTerm('parcial') }, { search: analyseTerm('plan') }]) {
    const all = await readCodes(snapshot, filters)
    for (const limit of [1, 2, 3, 4, 5, 1000])
      assert.deepEqual(await readCodesByPage(snapshot, { ...filters, limit }), all)
  }
})

test('returns a record with both words in the title before a record with one of them in the content', async () => {
  await using registry = await createRegistry()
  // Only the oldest record, T-9000, has both words in its title. T-4 has `Interior` in its title and `parcial` in its
  // content.
  const oneWord = Array.from({ length: 9000 }, (_, index) => ({
    code: `T-${index}`,
    title: index % 2 === 0 ? 'Interior' : 'Parcial',
    checkinDate: '2001-01-01',
    content: index === 4 ? 'parcial' : '',
  }))
  const bothWords = { code: 'T-9000', title: 'Interior y parcial', checkinDate: '1999-01-01' }
  const snapshot = await registry.snapshotOf([...oneWord, bothWords])
  const term = analyseTerm('parcial interior')
  assert.deepEqual(await readCodesByPage(snapshot, { search: term, limit: 20 }), ['T-9000', 'T-4'])
  assert.deepEqual(await readCodesByPage(snapshot, { search: term, limit: 1 }), ['T-9000', 'T-4'])
  assert.deepEqual(await readCodes(snapshot, { search: term }), ['T-9000', 'T-4'])
})

test('returns the same records whether no record has a text or an unrelated one has', async () => {
  const plansWithoutText = plans.map(({ content: _, ...plan }) => plan)
  const many = Array.from({ length: 80 }, (_, index) => ({ code: `X-${index}`, title: `Sector edif${index}a` }))
  const registries = [
    [...plansWithoutText, ...many],
    [...plansWithoutText, ...many, { code: 'Z-1', title: 'Otro', checkinDate: '1950-01-01', content: 'memoria' }],
  ]
  const results = registries.map(async (records) => {
    await using registry = await createRegistry()
    const snapshot = await registry.snapshotOf(records)
    const found: unknown[] = []
    // Each kind of clause: words, a phrase, prefixes with few and with many words, codes. A minus has no meaning.
    for (const search of [
      'parcial',
      'plan parcial',
      '"plan parcial"',
      'plan -x',
      'edif*',
      'edif7*',
      'UE1',
      'UE-1*',
      'soto casco',
    ]) {
      const term = analyseTerm(search)
      const all = await readCodes(snapshot, { search: term })
      assert.deepEqual(await readCodesByPage(snapshot, { search: term, limit: 3 }), all)
      const { total } = await snapshot.summarise({ search: term })
      assert.equal(total, all.length, search)
      found.push(all, await readCodes(snapshot, { search: term, municipality: 'Segovia' }))
    }
    return found
  })
  const [withoutTexts, withOneText] = await Promise.all(results)
  assert.deepEqual(withoutTexts, withOneText)
  // The results of the first term, `parcial`: in all municipalities, and in Segovia.
  assert.deepEqual(withoutTexts?.slice(0, 2), [['SG-1', 'AV-1'], ['SG-1']])
})

test('finds all records of frequent words and of prefixes with hundreds of words', async () => {
  await using registry = await createRegistry()
  const records = Array.from({ length: 9000 }, (_, i) => ({
    code: `L-${i + 1}`,
    checkinDate: `${1990 + (i % 30)}-06-15`,
    title: i % 3 === 0 ? 'Sector urbanizable' : 'Sector',
    municipality: i % 2 === 0 ? 'Ávila' : 'Segovia',
    content: `suelo urbano ${i % 7 === 0 ? `edifica${'abcdefgh'[i % 8]}${toLetters(i % 300)}` : ''}`,
  }))
  const snapshot = await registry.snapshotOf(records)
  const countFound = async (query: Query): Promise<number> => (await readCodes(snapshot, query)).length
  // Every seventh of the 9,000 records has a word with the prefix, and every third of these has `urbanizable`. Each
  // of the 30 years has 300 records: in odd years all are of Segovia, in even years of Ávila.
  assert.equal(await countFound({ search: analyseTerm('suelo') }), 9000)
  assert.equal(await countFound({ search: analyseTerm('"suelo urbano"') }), 9000)
  assert.equal(await countFound({ search: analyseTerm('edifica*') }), 1286)
  assert.equal((await snapshot.summarise({ search: analyseTerm('edifica* urbanizable') })).total, 429)
  assert.equal(await countFound({ search: analyseTerm('suelo'), checkin_date: '1991' }), 300)
  assert.equal(await countFound({ search: analyseTerm('suelo'), checkin_date: '2019', municipality: 'Segovia' }), 300)
  assert.equal(await countFound({ search: analyseTerm('suelo'), checkin_date: '2018', municipality: 'Segovia' }), 0)
})

/** A letter for each digit of the number: `bca` for 120. */
function toLetters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

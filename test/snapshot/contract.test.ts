// Tests of the contract (src/snapshot/contract.ts) on every engine: what is found and in which order, pages and
// cursors, summaries, and a new snapshot while another is read.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { foldValue } from '../../src/domain/exact-value.ts'
import type { Query } from '../../src/domain/query.ts'
import { StoreFault } from '../../src/snapshot/contract.ts'
import { checkStore, storeExists } from '../../src/snapshot/open.ts'
import { engines } from '../engines.ts'
import type { TestRecord } from '../service.ts'
import { codes, codesByPage, readAll, toPageCodes, toRecords } from './reading.ts'

const plans: readonly TestRecord[] = [
  { code: 'AV-1', title: 'Plan Parcial El Soto', checkinDate: '2004-05-17', content: 'ordenanzas de edificación' },
  { code: 'AV-2', title: 'Estudio de Detalle UE-1', checkinDate: '2010-01-02', content: 'un plan parcial anterior' },
  { code: 'AV-3', title: 'Plan Especial del Casco', checkinDate: '2010-01-02', municipality: 'Arévalo' },
  { code: 'SG-1', title: 'Modificación del Plan Parcial', checkinDate: '2019-11-30', municipality: 'Segovia' },
  {
    code: 'SG-2',
    title: 'Normas Subsidiarias',
    checkinDate: '2004-01-01',
    municipality: 'Segovia',
    content: 'parcial',
  },
]

for (const engine of engines) {
  describe(`The store on ${engine.name}`, () => {
    test('returns all records without a filter, newest first, then by code', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      assert.deepEqual(await codes(snapshot, {}), ['SG-1', 'AV-2', 'AV-3', 'AV-1', 'SG-2'])
    })

    test('finds a term in the titles first, then in the contents, each newest first', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('parcial') }), ['SG-1', 'AV-1', 'AV-2', 'SG-2'])
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('plan parcial') }), ['SG-1', 'AV-1', 'AV-2'])
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('parcial ordenanzas') }), ['AV-1'])
    })

    test('finds phrases, prefixes and joined codes', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('"plan parcial"') }), ['SG-1', 'AV-1', 'AV-2'])
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('"parcial plan"') }), [])
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('edif*') }), ['AV-1'])
      for (const spelling of ['UE-1', 'U.E.-1', 'UE 1', 'UE1']) {
        assert.deepEqual(await codes(snapshot, { term: analyseTerm(spelling) }), ['AV-2'], spelling)
      }
    })

    test('requires that all filters match', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      const term = analyseTerm('parcial')
      assert.deepEqual(await codes(snapshot, { municipality: 'segovia' }), ['SG-1', 'SG-2'])
      assert.deepEqual(await codes(snapshot, { municipality: 'arevalo', term }), [])
      assert.deepEqual(await codes(snapshot, { municipality: 'Segovia', term, year: 2004 }), ['SG-2'])
      assert.deepEqual(await codes(snapshot, { year: 2010 }), ['AV-2', 'AV-3'])
      assert.deepEqual(await codes(snapshot, { year: 2011 }), [])
      assert.deepEqual(await codes(snapshot, { code: 'AV-2' }), ['AV-2'])
      assert.deepEqual(await codes(snapshot, { code: 'AV-2', term, year: 2010, municipality: 'Ávila' }), ['AV-2'])
      assert.deepEqual(await codes(snapshot, { code: 'AV-2', year: 2004 }), [])
      assert.deepEqual(await codes(snapshot, { code: 'AV-3', term }), [])
      assert.deepEqual(await codes(snapshot, { code: 'AV-9' }), [])
      assert.deepEqual(await codes(snapshot, { municipality: 'Nowhere' }), [])
    })

    test('a range of days includes both ends, alone and with other filters', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      const term = analyseTerm('parcial')
      assert.deepEqual(await codes(snapshot, { from: '2010-01-02' }), ['SG-1', 'AV-2', 'AV-3'])
      assert.deepEqual(await codes(snapshot, { from: '2010-01-03' }), ['SG-1'])
      assert.deepEqual(await codes(snapshot, { from: '2010-01-01', to: '2018-12-31' }), ['AV-2', 'AV-3'])
      assert.deepEqual(await codes(snapshot, { to: '2010-01-02', term }), ['AV-1', 'AV-2', 'SG-2'])
      assert.deepEqual(await codes(snapshot, { to: '2010-01-01' }), ['AV-1', 'SG-2'])
      assert.deepEqual(await codes(snapshot, { to: '2003-12-31' }), [])
      assert.deepEqual(await codes(snapshot, { from: '2020-01-01' }), [])
      assert.deepEqual(await codes(snapshot, { year: 2004, from: '2004-01-02' }), ['AV-1'])
      assert.deepEqual(await codes(snapshot, { year: 2004, from: '2005-01-01' }), [])
      assert.deepEqual(await codes(snapshot, { code: 'AV-2', from: '2010-01-02', to: '2010-01-02' }), ['AV-2'])
      assert.deepEqual(await codes(snapshot, { code: 'AV-2', to: '2010-01-01' }), [])
      assert.deepEqual(await codesByPage(snapshot, { from: '2004-01-01', to: '2010-06-30' }, 2), [
        'AV-2',
        'AV-3',
        'AV-1',
        'SG-2',
      ])
    })

    test('finds by INE code, province and community, and nothing where they exclude each other', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf([
        ...plans,
        { code: 'X-1', municipality: 'Villa Desconocida', checkinDate: '2001-01-01' },
        // Cieza is a municipality of Cantabria and of Murcia.
        { code: '39021-1', municipality: 'Cieza', checkinDate: '2000-01-02' },
        { code: '30019-1', municipality: 'Cieza', checkinDate: '2000-01-01' },
      ])
      assert.deepEqual(await codes(snapshot, { municipality: '05019' }), ['AV-2', 'AV-1'])
      assert.deepEqual(await codes(snapshot, { municipality: 'cieza' }), ['39021-1', '30019-1'])
      assert.deepEqual(await codes(snapshot, { municipality: '30019' }), ['30019-1'])
      assert.deepEqual(await codes(snapshot, { municipality: 'Cieza', province: 'Murcia' }), ['30019-1'])
      assert.deepEqual(await codes(snapshot, { municipality: 'Cieza', community: 'Cantabria' }), ['39021-1'])
      assert.deepEqual(await codes(snapshot, { province: 'avila' }), ['AV-2', 'AV-3', 'AV-1'])
      assert.deepEqual(await codes(snapshot, { province: '40', term: analyseTerm('normas') }), ['SG-2'])
      assert.deepEqual(await codes(snapshot, { community: 'Castilla y León', year: 2010 }), ['AV-2', 'AV-3'])
      assert.deepEqual(await codes(snapshot, { province: 'Ávila', community: 'Galicia' }), [])
      assert.deepEqual(await codes(snapshot, { province: 'Segovia', municipality: 'Arévalo' }), [])
      assert.deepEqual(await codes(snapshot, { code: 'AV-1', province: 'Segovia' }), [])
      for (const province of ['Lugo', 'Atlantis']) assert.deepEqual(await codes(snapshot, { province }), [])
    })

    test('finds by registration number and by id, whatever the case, and all records that share one', async () => {
      await using registry = await engine.createRegistry()
      const long = 'x'.repeat(5000)
      const snapshot = await registry.snapshotOf([
        { code: 'A-1', registrationNumber: 'Nº 7/b', id: 'id-1', checkinDate: '2003-01-01' },
        { code: 'A-2', registrationNumber: 'nº 7/B', id: 'ID-1', checkinDate: '2002-01-01', title: 'Otro' },
        { code: 'A-3', registrationNumber: '', id: `a\u0000b`, checkinDate: '2001-01-01' },
        { code: 'A-4', registrationNumber: long, id: `a\u0000c`, checkinDate: '2000-01-01' },
        { code: 'A-5', registrationNumber: '\ud800', id: '\ufffd', checkinDate: '1999-01-01' },
      ])
      const totalOf = async (filters: Query): Promise<number> => (await snapshot.summarise(filters)).total
      assert.equal(await totalOf({ registrationNumber: foldValue('NÑ 7/B') }), 0)
      assert.equal(await totalOf({ registrationNumber: foldValue(' nº 7/b ') }), 2)
      assert.equal(await totalOf({ registrationNumber: foldValue('nº 7') }), 0)
      assert.equal(await totalOf({ id: foldValue('Id-1') }), 2)
      assert.equal(await totalOf({ id: foldValue('id-1'), term: analyseTerm('otro') }), 1)
      assert.equal(await totalOf({ id: foldValue('id-1'), registrationNumber: foldValue('8') }), 0)
      const page = await snapshot.page({ id: foldValue('id-1'), limit: 1 })
      assert.ok(page?.next)
      assert.match((await snapshot.page({ id: foldValue('id-1'), limit: 1, after: page.next }))?.text ?? '', /"ID-1"/)
    })

    test('counts matches by year and by municipality', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      assert.deepEqual(
        snapshot.municipalities.map(({ name }) => name),
        ['Arévalo', 'Ávila', 'Segovia'],
      )
      assert.deepEqual(await snapshot.summarise({ term: analyseTerm('parcial') }), {
        total: 4,
        byYear: [
          { year: 2004, records: 2 },
          { year: 2010, records: 1 },
          { year: 2019, records: 1 },
        ],
        byMunicipality: [
          { municipality: 1, records: 2 },
          { municipality: 2, records: 2 },
        ],
      })
      assert.equal((await snapshot.summarise({ year: 1900 })).total, 0)
    })

    test('tells whether a code exists and which municipalities have a name', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      assert.equal(await snapshot.hasCode('SG-2'), true)
      assert.equal(await snapshot.hasCode('SG-9'), false)
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
      await using registry = await engine.createRegistry()
      const spellings = ['Gasteiz', 'Vitoria-Gasteiz', 'Alacant', 'Alicante', 'Alacant', 'Alicante/Alacant', 'Girona']
      const snapshot = await registry.snapshotOf(
        spellings.map((municipality, index) => ({ code: `X-${index}`, municipality })),
      )
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
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf(plans)
      for (const filters of [{}, { term: analyseTerm('parcial') }, { term: analyseTerm('plan') }]) {
        const whole = await codes(snapshot, filters)
        for (const limit of [1, 2, 3, 4, 5, 1000]) assert.deepEqual(await codesByPage(snapshot, filters, limit), whole)
      }
    })

    test('returns the title with both words before the record with one in the title and one in the text', async () => {
      await using registry = await engine.createRegistry()
      // Many records have one of the words in the title. Only the oldest has both there.
      const oneWord = Array.from({ length: 9000 }, (_, index) => ({
        code: `T-${index}`,
        title: index % 2 === 0 ? 'Interior' : 'Parcial',
        checkinDate: '2001-01-01',
        content: index === 4 ? 'parcial' : '',
      }))
      const bothWords = { code: 'T-9000', title: 'Interior y parcial', checkinDate: '1999-01-01' }
      const snapshot = await registry.snapshotOf([...oneWord, bothWords])
      const term = analyseTerm('parcial interior')
      assert.deepEqual(await codesByPage(snapshot, { term }, 20), ['T-9000', 'T-4'])
      assert.deepEqual(await codesByPage(snapshot, { term }, 1), ['T-9000', 'T-4'])
      assert.deepEqual(await codes(snapshot, { term }), ['T-9000', 'T-4'])
    })

    test('returns the same records whether no record has a text or an unrelated one has', async () => {
      const plansWithoutText = plans.map(({ content: _, ...plan }) => plan)
      // More words with the prefix `edif` than a search unites itself.
      const many = Array.from({ length: 80 }, (_, index) => ({ code: `X-${index}`, title: `Sector edif${index}a` }))
      const registries = [
        [...plansWithoutText, ...many],
        [...plansWithoutText, ...many, { code: 'Z-1', title: 'Otro', checkinDate: '1950-01-01', content: 'memoria' }],
      ]
      const results = registries.map(async (records) => {
        await using registry = await engine.createRegistry()
        const snapshot = await registry.snapshotOf(records)
        const found: unknown[] = []
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
          const whole = await codes(snapshot, { term })
          assert.deepEqual(await codesByPage(snapshot, { term }, 3), whole)
          const { total } = await snapshot.summarise({ term })
          assert.equal(total, whole.length, search)
          found.push(whole, await codes(snapshot, { term, municipality: 'Segovia' }))
        }
        return found
      })
      const [withoutTexts, withOneText] = await Promise.all(results)
      assert.deepEqual(withoutTexts, withOneText)
      assert.deepEqual(withoutTexts?.slice(0, 2), [['SG-1', 'AV-1'], ['SG-1']])
    })

    test('a cursor still works after its record is removed and others are added', async () => {
      await using registry = await engine.createRegistry()
      await registry.publish(plans)
      const store = await registry.open()
      const first = await store.current().page({ limit: 2 })
      assert.ok(first?.next)
      assert.deepEqual(toPageCodes([first]), ['SG-1', 'AV-2'])
      await registry.publish([
        ...plans.filter(({ code }) => code !== 'AV-2'),
        { code: 'AV-0', checkinDate: '2010-01-02' },
        { code: 'AV-22', checkinDate: '2010-01-02' },
        { code: 'ZZ-1', checkinDate: '2026-01-01' },
      ])
      await store.refresh()
      assert.deepEqual(await codes(store.current(), { after: first.next }), ['AV-22', 'AV-3', 'AV-1', 'SG-2'])
    })

    test('a search in progress reads its snapshot to the end while a newer one is published', async () => {
      await using registry = await engine.createRegistry()
      const many = Array.from({ length: 2000 }, (_, i) => ({ code: `OLD-${i + 1}`, content: 'viejo' }))
      await registry.publish(many)
      const store = await registry.open()
      const reading = store.current().search({ term: analyseTerm('viejo') })
      const first = await reading.next()
      await registry.publish(plans)
      await store.refresh()
      assert.equal(store.current().metadata.records, plans.length)
      let records = first.done ? 0 : first.value.records
      for await (const batch of reading) records += batch.records
      assert.equal(records, many.length)
    })

    test('serves a newer snapshot within a second', async () => {
      await using registry = await engine.createRegistry()
      await registry.publish(plans)
      const store = await registry.open()
      const before = store.current().metadata.id
      await registry.publish(plans.slice(1))
      const startedAt = performance.now()
      const giveUpAt = startedAt + 5000
      while (store.current().metadata.id === before && performance.now() < giveUpAt) {
        await new Promise((resolve) => setTimeout(resolve, 10))
      }
      assert.equal(store.current().metadata.records, plans.length - 1)
      assert.ok(performance.now() - startedAt < 1000, `${performance.now() - startedAt} ms`)
    })

    test('finds all records of frequent words and of prefixes with hundreds of words', async () => {
      await using registry = await engine.createRegistry()
      const records = Array.from({ length: 9000 }, (_, i) => ({
        code: `L-${i + 1}`,
        checkinDate: `${1990 + (i % 30)}-06-15`,
        title: i % 3 === 0 ? 'Sector urbanizable' : 'Sector',
        municipality: i % 2 === 0 ? 'Ávila' : 'Segovia',
        content: `suelo urbano ${i % 7 === 0 ? `edifica${'abcdefgh'[i % 8]}${letters(i % 300)}` : ''}`,
      }))
      const snapshot = await registry.snapshotOf(records)
      const count = async (query: Query): Promise<number> => (await codes(snapshot, query)).length
      // Every seventh of the 9,000 records has a word with the prefix; every third of these has the title.
      assert.equal(await count({ term: analyseTerm('suelo') }), 9000)
      assert.equal(await count({ term: analyseTerm('"suelo urbano"') }), 9000)
      assert.equal(await count({ term: analyseTerm('edifica*') }), 1286)
      assert.equal((await snapshot.summarise({ term: analyseTerm('edifica* urbanizable') })).total, 429)
      assert.equal(await count({ term: analyseTerm('suelo'), year: 1991 }), 300)
      assert.equal(await count({ term: analyseTerm('suelo'), year: 2019, municipality: 'Segovia' }), 300)
      assert.equal(await count({ term: analyseTerm('suelo'), year: 2018, municipality: 'Segovia' }), 0)
    })

    test('the same records have the same id, and fictional ones another', async () => {
      await using registry = await engine.createRegistry()
      await registry.publish(plans)
      const store = await registry.open()
      const { id, fictional } = store.current().metadata
      assert.equal(fictional, false)
      await registry.publish(plans.toReversed())
      await store.refresh()
      assert.equal(store.current().metadata.id, id)
      const asFictional = true
      await registry.publish(plans, asFictional)
      await store.refresh()
      assert.notEqual(store.current().metadata.id, id)
      assert.equal(store.current().metadata.fictional, true)
    })

    test('a registry without records can be searched', async () => {
      await using registry = await engine.createRegistry()
      const snapshot = await registry.snapshotOf([])
      assert.deepEqual(await codes(snapshot, {}), [])
      assert.deepEqual(await codes(snapshot, { term: analyseTerm('plan') }), [])
      assert.equal((await snapshot.summarise({})).total, 0)
    })

    test('a missing registry is a fault that mentions the command import', async () => {
      await using registry = await engine.createRegistry()
      assert.equal(await storeExists(registry.database), false)
      await assert.rejects(registry.open(), (error) => error instanceof StoreFault && /import/.test(error.message))
    })

    test('check reports no faults in a valid registry and counts records without text', async () => {
      await using registry = await engine.createRegistry()
      await registry.publish(plans)
      assert.equal(await storeExists(registry.database), true)
      const { metadata, faults, recordsWithoutText, documents } = await checkStore(registry.database)
      assert.deepEqual(faults, [])
      assert.equal(metadata?.records, plans.length)
      assert.equal(recordsWithoutText, 2)
      assert.deepEqual(documents, { pages: 0, read: 0, recognised: 0, unread: 0 })
    })

    test('keeps every character of a record', async () => {
      await using registry = await engine.createRegistry()
      const title = 'Plan "X" \\ 𝄞 \u0007 \u2028 ñ \t {a,b} \\x41 \ud800 \u0000'
      await registry.publish([{ code: 'C-1', title, links: 'https://example.es/%F1?a=\\&b="' }])
      const [record] = toRecords(await readAll((await registry.open()).current(), {}))
      assert.equal(record?.title, title)
      assert.equal(record?.links, 'https://example.es/%F1?a=\\&b="')
    })
  })
}

/** A different word for every number. */
function letters(number: number): string {
  return [...String(number)].map((digit) => 'abcdefghij'[Number(digit)]).join('')
}

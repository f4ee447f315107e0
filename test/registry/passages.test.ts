// Tests of passages, the pieces of text around the matches of a search: the page, the words around a match, and
// the marks on the matching words. Also tests the stored text that passages are cut from.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { foldCode } from '../../src/domain/inscription-code.ts'
import type { WireIncluded, WirePassage } from '../../src/domain/wire.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import { createRegistry, type TestRegistry } from '../create-registry.ts'
import type { TestRecord } from '../service.ts'
import { documentOf } from './paged-document.ts'
import { readText } from './reading.ts'

const include = ['documents', 'passages'] as const

/** The marked parts of the text of a passage. */
const toMarkedParts = ({ text, marks }: WirePassage): string[] => marks.map(([start, end]) => text.slice(start, end))

/** Different words without a meaning, which keep matches apart. */
const filler = (words: number): string => Array.from({ length: words }, (_, index) => `relleno${index}`).join(' ')

/** Consecutive page numbers, both ends included. */
const pageRange = (first: number, last: number): number[] =>
  Array.from({ length: last - first + 1 }, (_, index) => first + index)

/** The text of each page of the document of `planCode`. */
const pages = [
  `Índice. ${filler(300)}`,
  `${filler(100)} Las unidades de paisaje y los miradores del término municipal. ${filler(100)}`,
  `Según el P.G.O.U. vigente, la UE 23, el ED.16.202 y el PE 14.305 y el suelo urbani-\n   zable del Plan General de Ordenación Urbana.`,
  `${filler(40)}\nC/ Mayor nº 5; SUNC-R 3, M E M O R I A final. Un cruce junto a la plaza O'Donnell.`,
]

/** The records of all tests, which share one registry. */
const records: TestRecord[] = []

/** Adds a record for a test. Returns its code. */
function addRecord(fields: Omit<TestRecord, 'code'>): string {
  const code = `A-${records.length + 1}`
  records.push({ code, ...fields })
  return code
}

/** Adds a record with a document of these pages. Returns its code. */
function addPages(...texts: readonly string[]): string {
  return addRecord({ documents: [documentOf(texts)] })
}

const planCode = addRecord({
  title: 'Plan Parcial',
  area: 'Valdelagua',
  content: 'Texto de la fuente con molinos harineros.',
  documents: [documentOf(pages)],
})
// Control characters for the writing direction around a word, and a zero-width space inside a word.
const invisibleCode = addPages(`Un ${'\u202e'.repeat(5_000)}molino${'\u2066'.repeat(5_000)} en mo\u200blienda`)
// `cruces` is the plural of both `cruce` and `cruz`.
const pluralCode = addPages('Un cruce de caminos.', 'La cruz de término.')
const prefixCode = addPages(
  // A PDF may have a space inside a word: this is `modificación`, which has the stem of `modificado`.
  'La modifi cación y lo modificado.',
  // These two words, which have the same stem, are too far apart for one passage.
  `Modificación ${'.'.repeat(420)} Modificado`,
  'El PGMOU vigente y la UE-05.',
)
// Of a prefix, pages are found by its 64 most frequent words. `encinar` sorts after these 2,048 words, and is in more
// records than each of them.
addPages(Array.from({ length: 2_048 }, (_, index) => `encina${index}`).join(' '), 'Otro encinar.')
const lastWordCode = addPages('El encinar.')
// The analyser takes each character of the long token for a word, so 140 words are between the two matches.
const distantCode = addPages(`suelo ${'a1'.repeat(70)} suelo`)
// A page has a passage only if a match begins on it. Page 2 has one because of its own `plan parcial`.
const acrossPagesCode = addPages('Según el plan', '— parcial aprobado; el plan parcial vigente.')
const phraseCode = addPages(`El paisaje urbano. ${filler(60)} El suelo del paisaje protegido. ${filler(60)} Paisaje.`)
// The only match of `"bienes protegidos"` begins on page 1, so page 2 has no passage.
const continuedCode = addPages('El catálogo de bienes', 'protegidos del término.')
// As long as a search term may be, and longer than a passage may be.
const longPhrase = filler(40).replaceAll('relleno', 'urbanismo')
const longPhraseCode = addPages(`${longPhrase} final. ${filler(60)}`)
const rankedPages = [
  `Un molino solo. ${filler(60)}`,
  `El molino está lejos, al otro lado del río, del antiguo batán. ${filler(60)}`,
  `Otro molino. ${filler(60)}`,
  `Molino y batán. ${filler(60)}`,
  'Un batán.',
]
// The only record of Segovia.
const rankedCode = addRecord({ municipality: 'Segovia', documents: [documentOf(rankedPages)] })
const manyPagesCode = addPages(...Array.from({ length: 150 }, () => `molino ${filler(40)}`))
// For the term `fase 2`, `Fase II` matches both words and `RC-2` matches the `2`. They are too far apart for one window
// (passage-windows.ts), but the page is so short that the text around either of them is the whole page.
// The 32 words between them are short.
const shortPage = `Fase II. ${'y a la de '.repeat(8)} RC-2.`
const shortPageCode = addRecord({ documents: [documentOf([shortPage, shortPage]), documentOf([shortPage])] })
// The first ten of 61 pages have 30 matches each, the others one.
const matches = (count: number): string =>
  Array.from({ length: count }, (_, index) => `molino ${index} ${filler(40)}`).join(' ')
const manyMatchesCode = addPages(...Array.from({ length: 61 }, (_, index) => matches(index < 10 ? 30 : 1)))
// Only the last 20 pages have both words.
const allWordsCode = addPages(
  ...Array.from({ length: 150 }, (_, index) => `molino ${index < 130 ? '' : 'batán'} ${filler(40)}`),
)
// Longer than a row of the table `page` may be, so it takes several.
const longPage = `${filler(3_000)} final`
const storedCode = addRecord({
  content: 'Texto de la fuente.',
  documents: [documentOf(['Índice.', longPage, '', 'Cuarta.'])],
})

// Words are hidden on every second page: initials, and a word that is broken at the end of a line. On page 8 it is one
// of the matches.
const hiddenBetween = (distance: number): string => `molino ${'olmo '.repeat(distance)}batán`
const hiddenCode = addRecord({
  municipality: 'Soria',
  documents: [
    documentOf([
      `${hiddenBetween(9)} ${filler(60)}`,
      `A.P.B. ${hiddenBetween(6)} ${filler(60)}`,
      `${hiddenBetween(8)} ${filler(60)}`,
      `encin-\nares ${hiddenBetween(3)} ${filler(60)}`,
      `${hiddenBetween(7)} ${filler(60)}`,
      `molino encin-\nares A.P.B. olmo olmo batán ${filler(60)}`,
      `${hiddenBetween(12)} ${filler(60)}`,
      `molino olmo ba-\ntán. ${filler(60)} batán`,
    ]),
  ],
})
// The name is beside the kind of street on the last page only.
const streetCode = addPages(...Array.from({ length: 5 }, () => 'Calle del Alto Zarzal'), 'La calle Zarzal', 'Final')

let registry: TestRegistry
let snapshot: Snapshot
before(async () => {
  registry = await createRegistry()
  snapshot = await registry.snapshotOf(records)
})
after(() => registry[Symbol.asyncDispose]())

/** The passages of a record in reading order. The term must find the record. */
const passagesOf = async (code: string, search: string): Promise<WirePassage[]> => {
  const result = await snapshot.page({ cod_archivo: foldCode(code), search: analyseTerm(search), limit: 1, include })
  assert.ok(result, `${search} finds the record`)
  const [found] = JSON.parse(`[${result.text}]`) as WireIncluded[]
  return found?.passages ?? []
}

test('name the page and mark the words that match', async () => {
  const cases: [term: string, page: number, marks: string[]][] = [
    ['mirador', 2, ['miradores']],
    ['PGOU', 3, ['P.G.O.U.', 'Plan General de Ordenación Urbana']],
    ['UE-23', 3, ['UE 23']],
    ['UE23', 3, ['UE 23']],
    ['"ED 16.202 y el"', 3, ['ED.16.202 y el']],
    ['"PE.14.305 y"', 3, ['PE 14.305 y']],
    ['urbanizable', 3, ['urbanizable']],
    ['"unidades de paisaje"', 2, ['unidades de paisaje']],
    ['paisaj* mirad*', 2, ['paisaje', 'miradores']],
    ['calle mayor', 4, ['C/ Mayor']],
    ['SUNC-R-3', 4, ['SUNC-R 3']],
    ['memoria', 4, ['M E M O R I A']],
    ['cruces', 4, ['cruce']],
    ['odonnell', 4, ["O'Donnell"]],
    ['o donnell', 4, ["O'Donnell"]],
  ]
  for (const [term, page, marks] of cases) {
    const passages = await passagesOf(planCode, term)
    assert.deepEqual(
      passages.map((passage) => passage.page),
      [page],
      term,
    )
    assert.deepEqual(passages.flatMap(toMarkedParts), marks, term)
    assert.equal(passages[0]?.href, `https://example.org/memoria.pdf#page=${page}`)
    assert.equal(passages[0]?.document, 1)
  }
})

test('show about 200 characters, cut at word ends', async () => {
  const [passage] = await passagesOf(planCode, 'paisaje')
  assert.match(passage?.text ?? '', /^… relleno\d+ .*Las unidades de paisaje y los miradores.* relleno\d+ …$/)
  assert.ok(passage && passage.text.length > 150 && passage.text.length < 250, String(passage?.text.length))
  const shown = (passage?.text ?? '').replaceAll('…', '').trim().split(' ')
  for (const word of shown) assert.ok(pages[1]?.split(' ').includes(word), word)
  // A shorter text is shown completely: here the column `content`, which is no document and has no page.
  const [fromContent] = await passagesOf(planCode, 'molinos')
  assert.deepEqual(fromContent, {
    document: null,
    page: null,
    text: 'Texto de la fuente con molinos harineros.',
    // The offsets of `molinos`.
    marks: [[23, 30]],
    href: null,
    recognised: false,
  })
})

test('are cut at a word end, even if the matches alone are too long', async () => {
  const passages = await passagesOf(longPhraseCode, `"${longPhrase}"`)
  const [{ text, marks } = { text: '', marks: [] }] = passages
  const shown = text.replace(/ …$/, '')
  assert.ok(shown.length > 350 && shown.length <= 400, String(shown.length))
  assert.match(longPhrase, new RegExp(`^${shown} `))
  assert.deepEqual(marks, [[0, shown.length]])
})

test('leave out invisible characters, however many', async () => {
  const [passage] = await passagesOf(invisibleCode, '"molino en molienda"')
  assert.equal(passage?.text, 'Un molino en molienda')
  assert.deepEqual(passage && toMarkedParts(passage), ['molino en molienda'])
})

test('mark both singulars of an ambiguous plural', async () => {
  assert.deepEqual((await passagesOf(pluralCode, 'cruces')).map(toMarkedParts), [['cruce'], ['cruz']])
})

test('mark only words that begin with the prefix, not others with the same stem', async () => {
  const passages = await passagesOf(prefixCode, 'modificad*')
  assert.deepEqual(passages.flatMap(toMarkedParts), ['modificado', 'Modificado'])
  assert.ok(passages.every(({ marks }) => marks.length > 0))
  // The stem of a code has no leading zeros, its form has.
  assert.deepEqual((await passagesOf(prefixCode, 'UE-0*')).map(toMarkedParts), [['UE-05']])
  // An exception: `PG-OU*` also searches for the code as one word, `pgou`, and `PGMOU` has this word as a synonym.
  assert.deepEqual((await passagesOf(prefixCode, 'PG-OU*')).map(toMarkedParts), [['PGMOU']])
})

test('mark the most frequent words that begin with a prefix, even among thousands', async () => {
  assert.deepEqual((await passagesOf(lastWordCode, 'encin*')).map(toMarkedParts), [['encinar']])
})

test('mark all matches that they show, however many words are between them', async () => {
  assert.deepEqual((await passagesOf(distantCode, 'suelo')).map(toMarkedParts), [['suelo', 'suelo']])
})

test('mark the end of a phrase that began on the page before', async () => {
  assert.deepEqual((await passagesOf(acrossPagesCode, '"plan parcial"')).map(toMarkedParts), [
    ['plan'],
    ['parcial', 'plan parcial'],
  ])
})

test('do not include title and area', async () => {
  assert.deepEqual(await passagesOf(planCode, 'parcial'), [])
  assert.deepEqual(await passagesOf(planCode, 'valdelagua'), [])
  assert.deepEqual(
    (await passagesOf(planCode, 'valdelagua mirador')).map(({ page }) => page),
    [2],
  )
})

test('for a phrase show only the phrase, not its words elsewhere', async () => {
  assert.deepEqual((await passagesOf(phraseCode, '"paisaje protegido"')).map(toMarkedParts), [['paisaje protegido']])
  assert.equal((await passagesOf(phraseCode, 'paisaje')).length, 3)
  // The phrase does not match, although the page has both words.
  assert.equal(
    await snapshot.page({ cod_archivo: foldCode(phraseCode), search: analyseTerm('"urbano protegido"'), limit: 1 }),
    null,
  )
})

test('show only the beginning of a phrase that continues on the next page', async () => {
  const passages = await passagesOf(continuedCode, '"bienes protegidos"')
  assert.deepEqual(
    passages.map(({ page }) => page),
    [1],
  )
  assert.deepEqual(passages.flatMap(toMarkedParts), ['bienes'])
})

test('are the best ones of a list also from pages with broken words and initials', async () => {
  const result = await snapshot.page({ search: analyseTerm('molino batán'), municipality: 'Soria', limit: 20, include })
  const [{ passages = [] } = {}] = JSON.parse(`[${result?.text ?? ''}]`) as WireIncluded[]
  assert.deepEqual(
    passages.map(({ page }) => page),
    [8, 4, 6],
    hiddenCode,
  )
  assert.deepEqual(passages.map(toMarkedParts)[0], ['molino', 'batán'])
})

test('are those with the name of a street right after its kind', async () => {
  const result = await snapshot.page({ search: analyseTerm('calle zarzal'), limit: 20, include })
  const [{ passages = [] } = {}] = JSON.parse(`[${result?.text ?? ''}]`) as WireIncluded[]
  assert.deepEqual(
    passages.map(({ page }) => page),
    [6, 1, 2],
    streetCode,
  )
})

test('are the three best ones in a list, and all of them in reading order for a single record', async () => {
  // The best have the most words, then the words closest together, then come first in the document. Page 4 has both
  // words close together, page 2 both further apart, and page 1 is the first with one word.
  const result = await snapshot.page({
    municipality: 'Segovia',
    search: analyseTerm('molino batán'),
    limit: 10,
    include: ['passages'],
  })
  const [found] = JSON.parse(`[${result?.text}]`) as WireIncluded[]
  assert.deepEqual(
    found?.passages?.map(({ page }) => page),
    [4, 2, 1],
  )
  const all = await passagesOf(rankedCode, 'molino batán')
  assert.deepEqual(
    all.map(({ page }) => page),
    [1, 2, 3, 4, 5],
  )
})

test('are at most 100 of one record', async () => {
  const found = (await passagesOf(manyPagesCode, 'molino')).map(({ page }) => page)
  assert.deepEqual(found, pageRange(1, 100))
})

test('show a short page only once, although its matches are far apart', async () => {
  const passages = await passagesOf(shortPageCode, 'fase 2')
  assert.deepEqual(
    passages.map(({ document, page }) => [document, page]),
    [
      [1, 1],
      [1, 2],
      [2, 1],
    ],
  )
  assert.deepEqual(passages[0]?.text, shortPage.replaceAll('  ', ' '))
  // The 2 of `RC-2` is not the number of the phase.
  assert.deepEqual(passages[0] && toMarkedParts(passages[0]), ['Fase II'])
})

test('name every page with a match, although a few pages have more than 100 matches together', async () => {
  for (const term of ['molino', 'molin*']) {
    const found = (await passagesOf(manyMatchesCode, term)).map(({ page }) => page ?? 0)
    assert.equal(found.length, 100)
    assert.deepEqual([...new Set(found)], pageRange(1, 61), term)
    assert.deepEqual(
      found,
      found.toSorted((a, b) => a - b),
    )
  }
})

test('show the pages with all words of the term if there are more than 100 pages with one word', async () => {
  // 20 passages are from the pages with both words, the last ones, and the other 80 from the pages 1 to 80.
  for (const term of ['molino batán', 'molin* batán']) {
    const found = (await passagesOf(allWordsCode, term)).map(({ page }) => page)
    assert.deepEqual(found.slice(0, 3), [1, 2, 3])
    assert.deepEqual(found.slice(-20), pageRange(131, 150), term)
  }
})

test('are cut from the stored text of a record: its own text, then that of its pages', async () => {
  const rows = readText(registry, storedCode)
  assert.equal(rows.at(0)?.text, 'Texto de la fuente.')
  assert.equal(
    rows
      .filter(({ page }) => page === 2)
      .map(({ text }) => text)
      .join(' '),
    longPage,
  )
  assert.equal(rows.at(-1)?.text, 'Cuarta.')
})

// Suggestions for a search term that finds nothing: typing errors of every kind in words of the sample. A suggestion is
// a whole term, and it finds something under the same filters.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { explainEmptyResult } from '../../src/api/empty-result.ts'
import { conditionParameters, parseParameters } from '../../src/api/parameters.ts'
import { Problem } from '../../src/problems.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import { bundledSample } from '../../src/sample/bundled.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { createRegistry, type TestRegistry } from '../create-registry.ts'
import type { TestRecord } from '../service.ts'

/** The most suggestions of a response. */
const suggestionsMax = 5

/**
 * The term as typed, and the term that was meant. A corrected word has the spelling of the vocabulary (the most
 * frequent words of the registry), here always in lower case. The other words stay as typed.
 */
const typingErrors: readonly [typed: string, meant: string][] = [
  // A letter is missing.
  ['modificacin puntual', 'modificación puntual'],
  ['homologacón sector', 'homologación sector'],
  ['plan parcal', 'plan parcial'],
  ['normas subsdiarias', 'normas subsidiarias'],
  ['estdio de detalle', 'estudio de detalle'],
  ['reparcelción forzosa', 'reparcelación forzosa'],
  // A letter is doubled, or one too many. `poligono` also gets its accent.
  ['catálogo de proteccciones', 'catálogo de protecciones'],
  ['plan especiall', 'plan especial'],
  ['texto reffundido', 'texto refundido'],
  ['programa de actuacióon', 'programa de actuación'],
  ['gasolineera', 'gasolinera'],
  ['poligono industrrial', 'polígono industrial'],
  ['delimitaciñon de suelo', 'delimitación de suelo'],
  // Letters are swapped with their neighbours, in `paricla` twice.
  ['plan paricla', 'plan parcial'],
  ['correcicón de error', 'corrección de error'],
  ['proyecto de urbanizaicón', 'proyecto de urbanización'],
  ['alineacoines', 'alineaciones'],
  ['casco hsitórico', 'casco histórico'],
  // A letter is wrong.
  ['reclasificadión de suelo', 'reclasificación de suelo'],
  ['unidad de ejecuvión', 'unidad de ejecución'],
  ['espacios protefidos', 'espacios protegidos'],
  ['impacto territoroal', 'impacto territorial'],
  ['plan xeral de ordenaciom', 'plan xeral de ordenación'],
  // The first letter is wrong or missing.
  ['nodificación puntual', 'modificación puntual'],
  ['vatálogo de bienes', 'catálogo de bienes'],
  ['studio de detalle', 'estudio de detalle'],
  ['ormas subsidiarias', 'normas subsidiarias'],
  // Letters that sound alike, and the silent `h`.
  ['área de serbicio', 'área de servicio'],
  ['suelo hurbano', 'suelo urbano'],
  ['protección de la uerta', 'protección de la huerta'],
  ['detaye', 'detalle'],
  ['reparselación', 'reparcelación'],
  ['mansana', 'manzana'],
  ['omologación y pp', 'homologación y pp'],
  ['actuación urvanística', 'actuación urbanística'],
  // A space is missing, or a word has one inside.
  ['planparcial', 'plan parcial'],
  ['suelo nourbanizable', 'suelo no urbanizable'],
  ['normassubsidiarias', 'normas subsidiarias'],
  ['reparce lación forzosa', 'reparcelación forzosa'],
  // Two words are wrong.
  ['estuido de detale', 'estudio de detalle'],
  ['modifcación puntaul', 'modificación puntual'],
  // Delimiters between the words stay, and no space is added where there is none.
  ['c/reall,41', 'c/real,41'],
  ['C/Reall nº 41', 'C/real nº 41'],
  ['reall,41', 'real,41'],
  ['reall41', 'real41'],
  ['texto-reffundido', 'texto-refundido'],
  ['modifcación/puntaul', 'modificación/puntual'],
  ["l'uerta", "l'huerta"],
  // Numbers, quotation marks and correct words stay.
  ['calle reall 41', 'calle real 41'],
  ['"texto refundio"', '"texto refundido"'],
  ['PLAN ESPECAIL', 'PLAN especial'],
]

/**
 * The title of a record that is added to the sample. For suggestions the service leaves out one word of a term at a
 * time, but tries only the twelve rarest. This title has more words.
 */
const longTitle =
  'Estudio de Detalle para ordenar los volúmenes de la manzana situada entre las calles Mayor y Real y la plaza del ' +
  'Mercado del casco antiguo'

/** Titles for single tests, which are added to the sample. */
const furtherTitles = [
  longTitle,
  // An invented name, and its halves in two other titles: the typing error `monte serrada` has words that exist.
  'Plan Monteserrada',
  'Plan Monte Alto',
  'Plan Calle Serrada',
  // For the typing error `l'uerta`.
  "L'Huerta",
  // A name, a number and initials, which no title has together.
  'Nuestra Señora de Loreto',
  'Parcela 24',
  'S.S. Promociones',
  // An acronym, which is written like initials.
  'P.G.O.U. Monteserrada',
]
const furtherRecords = furtherTitles.map((title, index): TestRecord => ({ code: `FURTHER-${index}`, title }))
const sample = await Array.fromAsync(
  sampleRecords(bundledSample),
  ({ record, content }): TestRecord => ({ ...record, content }),
)

let registry: TestRegistry
let snapshot: Snapshot
before(async () => {
  registry = await createRegistry()
  snapshot = await registry.snapshotOf([...sample, ...furtherRecords])
})
after(() => registry[Symbol.asyncDispose]())

test('the term that was meant is among the first three', async () => {
  for (const [typed, meant] of typingErrors) {
    const { suggestions } = await explain(snapshot, { search: typed })
    assert.ok(suggestions.slice(0, 3).includes(meant), `${typed}: ${suggestions.join(' | ')}`)
  }
})

test('every suggestion finds something under the same filters', async () => {
  for (const filters of [{ municipality: 'Ávila' }, { checkin_date: '2011' }, { province: '05', checkin_to: '1999' }]) {
    for (const search of ['plan parcal', 'estuido de detale', 'modificacin puntual zzz', 'planparcial']) {
      const { suggestions } = await explain(snapshot, { ...filters, search })
      assert.ok(suggestions.length > 0 && suggestions.length <= suggestionsMax, search)
      for (const suggestion of suggestions) {
        const found = await countMatches(snapshot, { ...filters, search: suggestion })
        assert.ok(found > 0, `${search}: ${suggestion}`)
      }
    }
  }
})

test('a word that no record contains is left out, and so are the stop words before it', async () => {
  assert.deepEqual((await explain(snapshot, { search: 'calle real 41 zzz' })).suggestions[0], 'calle real 41')
  assert.deepEqual((await explain(snapshot, { search: 'plan parcial de la xyzxyz' })).suggestions, ['plan parcial'])
})

test('if no record has the corrected word with all other words, the suggestion leaves out some of them', async () => {
  const { suggestions } = await explain(snapshot, { search: 'reall 41 monteserrada' })
  assert.equal(suggestions[0], 'real 41')
  // A number alone is never suggested, not even if the other word is only misspelt.
  assert.ok(!(await explain(snapshot, { search: 'reall 41' })).suggestions.includes('41'))
  // No record has the corrected word with `monteserrada` or with `mercado`, so it is suggested alone.
  const alone = await explain(snapshot, { search: 'gasolineera monteserrada mercado' })
  assert.equal(alone.suggestions[0], 'gasolinera')
})

test('a word that resembles nothing is left out while another word is corrected', async () => {
  const { suggestions } = await explain(snapshot, { search: 'plan parcal zqxzqx' })
  assert.equal(suggestions[0], 'plan parcial')
  // The comma and the closing quotation mark are left out with their word, and the opening quotation mark too.
  const quoted = await explain(snapshot, { search: '"plan parcal zqxzqx,"' })
  assert.equal(quoted.suggestions[0], 'plan parcial')
  assert.match(quoted.detail, /^No record contains "parcal" or "zqxzqx"/)
})

test('if the first word is left out, so are the stop words after it', async () => {
  assert.deepEqual((await explain(snapshot, { search: 'zqxzqx de loreto' })).suggestions, ['loreto'])
  const { suggestions } = await explain(snapshot, { search: 'monteserrada de la loreto' })
  assert.deepEqual(suggestions.toSorted(), ['loreto', 'monteserrada'])
  // A stop word at the start of the term stays.
  assert.deepEqual((await explain(snapshot, { search: 'la gasolinera zqxzqx' })).suggestions, ['la gasolinera'])
})

test('a number or initials alone are not suggested', async () => {
  for (const search of ['zqxzqx 24', 'zqxzqx nº 24', 's.s. zqxzqx', 's. zqxzqx'])
    assert.deepEqual((await explain(snapshot, { search })).suggestions, [], search)
  // Each of the two words has records, but they have none in common. Only the name is suggested.
  assert.deepEqual((await explain(snapshot, { search: 'monteserrada 24' })).suggestions, ['monteserrada'])
  assert.deepEqual((await explain(snapshot, { search: 's.s. loreto' })).suggestions, ['loreto'])
  // An acronym is not initials, so it is suggested alone.
  assert.deepEqual((await explain(snapshot, { search: 'P.G.O.U. zqxzqx' })).suggestions, ['P.G.O.U.'])
})

test('two words that exist are joined if the joined word finds something', async () => {
  const { suggestions } = await explain(snapshot, { search: 'plan monte serrada' })
  assert.deepEqual(suggestions[0], 'plan monteserrada')
  // A phrase keeps both of its quotation marks.
  const quoted = await explain(snapshot, { search: 'plan "monte serrada"' })
  assert.deepEqual(quoted.suggestions[0], 'plan "monteserrada"')
})

test('if a word is left out, codes stay whole, and no delimiter stays at the end of the term', async () => {
  const { suggestions } = await explain(snapshot, { search: 'UE-4 zqxzqx' })
  assert.deepEqual(suggestions, ['UE-4'])
  assert.deepEqual((await explain(snapshot, { search: 'gasolinera-zqxzqx' })).suggestions, ['gasolinera'])
  // A word that is left out takes its comma along and leaves a space. The slash of `C/` (street) stays, because it
  // is part of the abbreviation.
  assert.deepEqual((await explain(snapshot, { search: 'C/zqxzqx,41' })).suggestions, ['C/ 41'])
})

test('a long term is corrected too', async () => {
  const words = longTitle.split(' ')
  /** The most words that the service tries to leave out. */
  const triedWordsMax = 12
  assert.ok(words.length > triedWordsMax)
  const typed = ['estuido', ...words.slice(1)].join(' ')
  const { suggestions } = await explain(snapshot, { search: typed })
  assert.equal(suggestions[0], ['estudio', ...words.slice(1)].join(' '))
  // A word too many is left out, whether some record contains it or not.
  for (const added of ['xyzxyz', 'gasolinera']) {
    const longer = await explain(snapshot, { search: `${longTitle} ${added}` })
    assert.ok(longer.suggestions.includes(longTitle), longer.suggestions.join(' | '))
  }
})

test('a suggestion has no more words than a request may have', async () => {
  // In a short term the missing space is suggested.
  assert.equal((await explain(snapshot, { search: 'planparcial plan' })).suggestions[0], 'plan parcial plan')
  // Forty words, the most of a request. With the space there would be one more.
  const longestTerm = `planparcial${' plan'.repeat(39)}`
  for (const suggestion of (await explain(snapshot, { search: longestTerm })).suggestions) {
    assert.ok(suggestion.split(' ').length <= 40, suggestion)
  }
})

test('if every word of a phrase occurs, the first suggestion is the term without quotation marks', async () => {
  const quoted = await explain(snapshot, { search: '"subsidiarias normas"' })
  assert.equal(quoted.suggestions[0], 'subsidiarias normas')
})

test('a suggestion that lacks the stop word at the end of a phrase has no quotation mark', async () => {
  // A suggestion does not end with a stop word. The second quotation mark is dropped with `de`, and the first too.
  const { suggestions } = await explain(snapshot, { search: '"modificacin puntual de"' })
  assert.equal(suggestions[0], 'modificación puntual')
})

test('the message names the first suggestion', async () => {
  const { detail, parameter } = await explain(snapshot, { search: 'normas subsdiarias' })
  assert.equal(detail, 'No record contains "subsdiarias"; did you mean "normas subsidiarias"?')
  assert.equal(parameter, 'search')
})

test('if the time limit passes while suggestions are searched, the problem has none', async () => {
  const problem = await explainEmptyResult(parse({ search: 'normas subsdiarias' }), snapshot, { isExpired: true })
  assert.deepEqual([problem.code, problem.parameter, problem.suggestions], ['no-match', 'search', []])
})

test('a term that resembles nothing has no suggestions', async () => {
  // A request may have a term of 500 characters and 40 words.
  const longestTerms = ['ñ'.repeat(500), 'zq '.repeat(40)]
  for (const search of ['xqzwkj', 'xxq', '12345678901', '&&', '"', ...longestTerms]) {
    assert.deepEqual((await explain(snapshot, { search })).suggestions, [], search)
  }
})

/** The problem of a request with these parameters, which must find nothing. */
async function explain(snapshot: Snapshot, values: Record<string, string>): Promise<Problem> {
  assert.equal(await countMatches(snapshot, values), 0, JSON.stringify(values))
  const noDeadline = undefined
  return explainEmptyResult(parse(values), snapshot, noDeadline)
}

async function countMatches(snapshot: Snapshot, values: Record<string, string>): Promise<number> {
  return (await snapshot.summarise(parse(values).query)).total
}

/** Reads parameters as the API does. */
function parse(values: Record<string, string>): Exclude<ReturnType<typeof parseParameters>, Problem> {
  const parameters = parseParameters(new URLSearchParams(values).toString(), conditionParameters)
  if (parameters instanceof Problem) throw new Error(parameters.detail)
  return parameters
}

// Word forms of Catalan, Galician and Basque. Before the rules for Spanish (stemmer.ts), a form of another language
// becomes a singular without a case ending: `obres` is `obra`, `parciais` is `parcial`, `orokorraren` is `orokor`. Word
// endings that the languages share become the Spanish ones: `legalitat` is `legalidad`. The rules have endings that
// Spanish words do not have, with the exceptions that are listed; the other forms are those of the words in
// translations.ts and of the lists below. Texts and terms are treated alike, so a word always finds itself.
import { translations } from './translations.ts'

const toList = (words: string): string[] => words.trim().split(/\s+/)

/** Catalan words in -a whose plurals in -es end like Spanish ones (`planes`, `postes`), besides those of translations. */
const catalanWordsInA = toList(`
  antena arena biga cadena carretera caserna dona lletra llotja massa oberta oficina parada pedra reixa ribera ronda rampa
  sala setmana tanca turbina via xarxa capella estacada norma urbana escala caseta`)

/** By the plural: `aigua` for `aigues`. */
const catalanSingulars: ReadonlyMap<string, string> = new Map([
  ...catalanWordsInA.map((word): [string, string] => [toCatalanPlural(word), word]),
  ...translations.flatMap(({ spanish, catalan }) =>
    catalan
      // `verdes` is a Spanish plural too.
      .filter((word) => word.endsWith('a') && toCatalanPlural(word) !== `${spanish[0]}s`)
      .map((word): [string, string] => [toCatalanPlural(word), word]),
  ),
])

function toCatalanPlural(wordInA: string): string {
  return `${wordInA.slice(0, -1).replace(/j$/, 'g')}es`
}

/** Catalan words in -ció after other letters than those of `endings`: Spanish has `servicio` and `anuncio`. */
const catalanNouns: ReadonlySet<string> = new Set(
  toList(`
  adquisicio atencio composicio condicio convencio definicio demolicio disposicio exempcio expedicio exposicio
  funcio imposicio intencio medicio oposicio peticio posicio prevencio prohibicio proporcio repeticio reposicio
  sancio subvencio tensio tradicio transicio`),
)

/** Words of Spanish and singulars of other languages that have one of `endings` by chance. */
const exceptions: ReadonlySet<string> = new Set(
  toList(`
  albergues ataques bloques bosques buques cheques choques desagues diques embarques empaques enfoques estanques
  parques alcornoques marques remolques toques trueques arranques series superficies especies planicies intemperies pies
  dioses declives aljibes crisis dosis gratis iris luis paris seis tenis cutis chasis tesis oasis pais mais espais
  serveis jesus plana ediciones dionisio elisio abades cofrades habitat habitats estucio prepucio
  apartamento apartamentos departamento departamentos medicamento medicamentos parlamento parlamentos fundamento
  fundamentos testamento campamento campamentos ornamento ornamentos filamento sacramento armamento juramento`),
)

/** The endings of words of other languages, and what the stemmer reads instead. The first that matches decides. */
const endings: readonly (readonly [RegExp, string])[] = [
  // Catalan feminine plurals: `finques`, `pròrrogues`, `llicències`, `altures`, `esportives`.
  [/ques$/, 'ca'],
  [/gues$/, 'ga'],
  [/ies$/, 'ia'],
  [/nyes$/, 'nya'],
  [/ures$/, 'ura'],
  [/ives$/, 'iva'],
  [/oses$/, 'osa'],
  [/(?<![dt])ades$/, 'ada'],
  // Catalan nouns of verbs: `construcció`, `concessió`. Their plurals, and those of Galician: `delimitacións`.
  [/(?<=[cst])ions$/, 'ion'],
  [/(?<=cc|pc|ss|st|ns|..uc|[iu]s)io$/, 'ion'],
  // `legalitat` and `unidade`, `propietat`, `garatge` and `garaxe`, `urbanisme`, `aparcament` and `aparcamento`.
  [/(?<=...)itats?$/, 'idad'],
  [/(?<=...)etats?$/, 'edad'],
  [/(?<=..)dade$/, 'dad'],
  [/(?<=...)a(?:tg|x)es?$/, 'aje'],
  [/isme$/, 'ismo'],
  [/(?<=..)ament(?:s|os?)?$/, 'amiento'],
  // Catalan words that have -io, -ico, -ivo and -ado in Spanish: `edifici`, `estudis`, `rústic`, `definitiu`, `ocupat`.
  [/(?<=.{3}[aeiou][cdnpr])is?$/, 'io'],
  [/(?<=...)ics?$/, 'ico'],
  [/(?<=...[ts])ius?$/, 'ivo'],
  [/(?<=....)ats?$/, 'ado'],
  // Catalan masculine plurals: `canvis`, `pous`.
  [/(?<=[^aeos]i|[aeio]u)s$/, ''],
  // Galician plurals: `parciais`, `niveis`.
  [/(?<=.{3}[aeo])is$/, 'l'],
]

const basqueStreets = toList('kale etorbide hiribide errepide pasealeku enparantza')
const basqueStreet = new RegExp(`^(?:${basqueStreets.join('|')}|plaza(?=r|ko|n$))`)

/** Whether the word is a Basque kind of street, which stands after the name: `Eder kalea`, `Auzolan plazaren`. */
export function isBasqueStreet(form: string): boolean {
  return basqueStreet.test(form)
}

/**
 * Basque words without their cases, by root: those of translations.ts and a few more. A final -a, which most cases drop,
 * is left out in a second key: `lizentzi` for `lizentzia`.
 */
const basqueRoots: ReadonlyMap<string, string> = new Map(
  [
    ...translations.flatMap(({ basque }) => basque),
    ...basqueStreets,
    ...toList('herri hirigune landa lurra plan plaza urbanizaezin xedapen zehatz'),
  ].flatMap((root) =>
    root.length > 4 && root.endsWith('a')
      ? [
          [root.slice(0, -1), root],
          [root, root],
        ]
      : [[root, root]],
  ) as [string, string][],
)
const caseEnding =
  /^r?(?:a|ak|ek|en|ean|an|n|ari|ei|az|ez|aren|arekin|ekin|eko|ko|rako|rik|ik|tik|etik|etan|etako|etara|etarako|etatik|ra|ri|ren|rekin|k)$/
/** A word with the letters `tx`, `tz` or `k` is Basque without being listed. */
const markedBasqueWord = /^([a-z]*(?:tx|tz|k)[a-z]{2,}?)r?(?:ak|ek|aren|etako|etan|etarako)$/
/** Names of places: `Donostiako`, `Zarauzko`, `Irungo`, `Bizkaiaren`. Hardly any Spanish word ends so. */
const placeWithCase = /^([a-z]{3,}?)(?:(?<=r)reko|ko|(?<=irun|ain|tzun|usurbil|oion)go|(?<=ia)ren)$/

/** The Spanish-like singular of a folded word of another language. Any other word stays as it is. */
export function toSingularOfOtherLanguage(word: string): string {
  const singular = catalanSingulars.get(word)
  if (singular !== undefined) return singular
  if (catalanNouns.has(word)) return `${word}n`
  if (exceptions.has(word)) return word
  const root = mayBeBasque.test(word) ? findBasqueRoot(word) : word
  if (root.length < lettersMin) return root
  const found = endings.find(([ending]) => ending.test(root))
  return found === undefined ? root : root.replace(...found)
}

/** Whether the word has the ending of a Basque case: `fasea`. */
export function isBasqueForm(word: string): boolean {
  return mayBeBasque.test(word) && findBasqueRoot(word) !== word
}

function findBasqueRoot(word: string): string {
  for (let end = word.length; end >= basqueRootLettersMin; end--) {
    const root = basqueRoots.get(word.slice(0, end))
    if (root !== undefined && (end === word.length || caseEnding.test(word.slice(end)))) return root
  }
  const match = markedBasqueWord.exec(word) ?? placeWithCase.exec(word)
  // `Azkoitiko` is `Azkoitia`, whose -a is the article.
  return match?.[1]?.replace(/(?:iti|ribi)$/, '$&a') ?? word
}

/** A fast check: all Basque words of the rules end so. */
const mayBeBasque = /[aknzio]$/
const lettersMin = 4
const basqueRootLettersMin = 4

// Word forms of Catalan, Galician and Basque. Before the rules for Spanish (stemmer.ts), a form of another language
// becomes a singular without a case ending: `obres` is `obra`, `parciais` is `parcial`, `orokorraren` is `orokor`. The
// rules have endings that Spanish words do not have, with the exceptions that are listed; words whose endings are also
// Spanish are listed one by one. Texts and terms are treated alike, so a word always finds itself.

const toSet = (words: string): ReadonlySet<string> => new Set(words.trim().split(/\s+/))

/** Catalan words in -es whose singular has -a, although they end like Spanish plurals (`planes`, `postes`). */
const catalanPlurals = toSet(`
  antenes arees arenes basses branques bigues cadenes calcades carreteres casernes cobertes dones escales escoles
  facanes festes lleres lletres masses mitgeres obertes obres oficines parades pedres pedreres persones piscines
  places portes rampes reixes riberes rondes sales setmanes tanques tendes terres turbines verdes vies voreres
  xarxes zones illes parcelles capelles estacades normes urbanes antigues`)

/** Catalan words in -ció after other letters than those of `endings`: Spanish has `servicio` and `anuncio`. */
const catalanNouns = toSet(`
  adquisicio atencio composicio condicio convencio definicio demolicio disposicio exempcio expedicio exposicio
  funcio imposicio intencio oposicio peticio petricio posicio prevencio prohibicio proporcio repeticio reposicio
  subvencio transicio`)

/** Words of Spanish and singulars of other languages that have one of `endings` by chance. */
const exceptions = toSet(`
  albergues ataques bloques bosques buques cheques choques desagues diques embarques empaques enfoques estanques
  parques alcornoques marques remolques toques trueques arranques series superficies especies planicies intemperies pies dioses declives
  aljibes crisis dosis gratis iris luis paris seis tenis cutis chasis tesis oasis pais mais espais serveis jesus
  ediciones dionisio elisio abades cofrades`)

/** The endings of words of other languages, and what the stemmer reads instead. The first that matches decides. */
const endings: readonly (readonly [RegExp, string])[] = [
  // Catalan feminine plurals: `finques`, `pròrrogues`, `platges`, `llicències`, `altures`, `esportives`.
  [/ques$/, 'ca'],
  [/gues$/, 'ga'],
  [/^platges$/, 'platja'],
  [/ies$/, 'ia'],
  [/nyes$/, 'nya'],
  [/ures$/, 'ura'],
  [/ives$/, 'iva'],
  [/oses$/, 'osa'],
  [/(?<![dt])ades$/, 'ada'],
  // Catalan nouns of verbs: `construcció`, `concessió`. Their plurals, and those of Galician: `delimitacións`.
  [/(?<=[cst])ions$/, 'ion'],
  [/(?<=cc|pc|ss|st|[iu]s)io$/, 'ion'],
  // Catalan nouns that have -io in Spanish: `edifici`, `estudis`, `conveni`.
  [/(?<=.{3}[aeiou][cdnpr])is?$/, 'io'],
  // Catalan masculine plurals: `canvis`, `pous`.
  [/(?<=[^aeos]i|[aeio]u)s$/, ''],
  // Galician plurals: `parciais`, `niveis`.
  [/(?<=.{3}[aeo])is$/, 'l'],
]

/**
 * Roots of Basque words of planning, and the endings of Basque cases. A word with the letters `tx`, `tz` or `k` in its
 * root is Basque without being listed.
 */
const basqueRoots =
  `aldaketa antolamendu arau azterketa azterlan berezi birgaitze ebazpen egikaritze eremu etxebizitza exekuzio herri
  hiri hirigune hirigintza historiko hitzarmen kale landa lizentzia lur lurzoru onarpen ordenantza orokor partzial
  plaza proiektu sektore subsidiario udal udalerri unitate urbanizazio urbanizaezin xedapen xehetasun zenbaki
  zuzenketa`.split(/\s+/)
const caseEndings =
  '(?:a|ak|ek|en|ean|an|ari|ei|az|ez|aren|arekin|ekin|eko|ko|rako|rik|tik|etan|etako|etarako|etatik|ra|ri|ren|k)'
const listedBasqueWord = new RegExp(`^(${basqueRoots.join('|')})r?${caseEndings}$`)
const markedBasqueWord = /^([a-z]*(?:tx|tz|k)[a-z]{2,}?)r?(?:ak|ek|aren|etako|etan|etarako)$/
/** `Hernaniko`: no Spanish word ends so. */
const placeOfBasque = /^([a-z]{4,}?)(?:e?ta)?r?a?ko$/

/** The Spanish-like singular of a folded word of another language. Any other word stays as it is. */
export function toSingularOfOtherLanguage(word: string): string {
  if (catalanPlurals.has(word)) return `${word.slice(0, -2).replace(/qu$/, 'c').replace(/gu$/, 'g')}a`
  if (catalanNouns.has(word)) return `${word}n`
  const root = mayBeBasque.test(word) ? findBasqueRoot(word) : word
  if (root.length < lettersMin || exceptions.has(root)) return root
  const found = endings.find(([ending]) => ending.test(root))
  return found === undefined ? root : root.replace(...found)
}

function findBasqueRoot(word: string): string {
  const match = listedBasqueWord.exec(word) ?? markedBasqueWord.exec(word) ?? placeOfBasque.exec(word)
  return match?.[1] ?? word
}

/** A fast check: all Basque words of the rules end so. */
const mayBeBasque = /[aknzio]$/
const lettersMin = 4

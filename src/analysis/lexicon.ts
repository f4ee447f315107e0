// Lexicon of the analyser. It has for each word, by its folded form (in lower case, without accents), the stem, the
// synonyms, and the phrases that have an acronym and start with the word. `edif` has the stem `edif` and the synonym
// `edificio`; `plan` starts the phrase `plan parcial`, which has the acronym `pp`. The lexicon is built when the module
// is loaded, from the tables in abbreviations.ts, the stop words and a few lists below. subtoken-words.ts looks up the
// words of texts and of search terms (`wordOf`).
import {
  type Acronym,
  abbreviations,
  acronyms,
  cedillaSpellings,
  ligatureWords,
  nameAbbreviations,
  ordinals,
  romanNumerals,
} from './abbreviations.ts'
import { stemWord } from './stemmer.ts'
import { stopWords } from './stop-words.ts'
import { isDigits, isOrdinalInDigits, type Word } from './word.ts'
import { WordCache } from './word-cache.ts'

export interface LexiconWord extends Word {
  /**
   * The stem that a search term with this word searches for. For an abbreviation it is the stem of the full word: the
   * term `ayto` searches for `ayuntamiento`, which texts with `Ayto.` have as a synonym. The ordinal `2ª` searches for
   * `segundo`, which subtoken-words.ts adds to a text with `2ª`. For most words it is equal to `stem`.
   */
  readonly queryStem: string
  /**
   * The words that are indexed with this word of a text. One of: the full word of an abbreviation (`edificio` for
   * `edif`), an ordinal in digits (`2º` for `segunda`), another singular (`cruce` for `cruces`). Empty for most words.
   */
  readonly synonyms: readonly Word[]
  readonly isStopWord: boolean
  /** Whether it is an ordinal of a feminine noun: true for `2ª` and `segunda`, false for `2º` and `segundo`. */
  readonly isFeminineOrdinal: boolean
  /** For a Roman numeral of two letters or more in upper case: its Arabic number. */
  readonly arabicNumeral: Word | undefined
  /** A numeral may follow: `nº 5`, `fase II`, `UE 12`. */
  readonly mayHaveNumeral: boolean
  /** True for `UE`: between this word and a numeral, `número` may be left out, because `UE-12` is `UE nº 12`. */
  readonly impliesNumber: boolean
  /**
   * For `cacion`, which may be the rest of a word that has lost its ligature in a PDF (`modi cación`): the whole words
   * by the letters before the ligature, such as `modificacion` by `modi`.
   */
  readonly ligatureWordsByHead: ReadonlyMap<string, Word> | undefined
  /** If phrases with an acronym start with this word: their node in the trie. */
  readonly phrases: PhraseNode | undefined
}

/** A node of the trie of the phrases that have an acronym: from the root, `plan` and `parcial` lead to that of `pp`. */
export interface PhraseNode {
  /** The nodes after this one, by the query stem of the next word. Callers skip stop words that lead to no node. */
  readonly children: Map<string, PhraseNode>
  /** Synonyms of the phrase that ends here. */
  readonly synonyms: Word[]
  /** The acronym, when the phrase is its letters with spaces (`P. G. O. U.`). Otherwise empty. */
  readonly joinedForms: Word[]
  /** The acronym of the phrase that ends here. A number may follow: `Unidad de Ejecución 1` is also `UE1`. */
  acronym: string | undefined
}

/**
 * Finds the node after `node` for the next word of a text or term: after `plan`, the node of `parcial`. Undefined if no
 * phrase continues with this word. The trie is searched by these in turn:
 *
 * word                        | searched by      | why
 * `parcial`                   | query stem       |
 * the D of `E. D. Manzana 4`  | query stem, stem | the query stem is that of `don`, but `E. D.` has the letter
 * the E of `U. E. 4`          | query stem, form | before a number its stem is `E`; the trie has its form, `e`
 */
export function findNextNode({ children }: PhraseNode, { form, stem, queryStem }: LexiconWord): PhraseNode | undefined {
  const child = children.get(queryStem)
  if (child !== undefined) return child
  if (codeLetters.has(form)) return children.get(form)
  return stem === queryStem ? undefined : children.get(stem)
}

const cache = new WordCache<LexiconWord>()

/**
 * The word with this folded form: for `edif`, the word with the synonym `edificio`. For a form that is in no table, a
 * word with only its form and its stem.
 */
export function wordOf(form: string): LexiconWord {
  const cached = cache.get(form)
  if (cached !== undefined) return cached
  // Only words that start with a letter are in the tables. Digits sort before letters, so a number needs no look-up.
  const word = form < 'a' ? createPlainWord(form) : createWord(form, stemWord(form))
  cache.set(form, word)
  return word
}

/** What the tables say about a word. */
type LexiconEntry = Omit<LexiconWord, keyof Word | 'queryStem'>

const emptyEntry: LexiconEntry = {
  synonyms: [],
  isStopWord: false,
  isFeminineOrdinal: false,
  arabicNumeral: undefined,
  mayHaveNumeral: false,
  impliesNumber: false,
  ligatureWordsByHead: undefined,
  phrases: undefined,
}

/** All words are created here, so that V8 gives them one hidden class. */
function toLexiconWord(form: string, stem: string, queryStem: string, entry: LexiconEntry): LexiconWord {
  const { synonyms, isStopWord, isFeminineOrdinal, arabicNumeral } = entry
  const { mayHaveNumeral, impliesNumber, ligatureWordsByHead, phrases } = entry
  return {
    form,
    stem,
    queryStem,
    synonyms,
    isStopWord,
    isFeminineOrdinal,
    arabicNumeral,
    mayHaveNumeral,
    impliesNumber,
    ligatureWordsByHead,
    phrases,
  }
}

/** A word without an entry: a number, or a synonym, of which only the form and the stem are used. */
function createPlainWord(form: string): LexiconWord {
  const stem = stemWord(form)
  return toLexiconWord(form, stem, stem, emptyEntry)
}

/** A copy of the word with another query stem. The fields of `changes` are those of the word unless given. */
export function withQueryStem(
  word: LexiconWord,
  queryStem: string,
  changes: Partial<Pick<LexiconWord, 'isFeminineOrdinal' | 'mayHaveNumeral' | 'phrases'>> = {},
): LexiconWord {
  return toLexiconWord(word.form, word.stem, queryStem, { ...word, ...changes })
}

/** A copy of the word with another form: `withForm(calle, 'c')` is the `c` of `C/`, with the stem of `calle`. */
export function withForm(word: LexiconWord, form: string): LexiconWord {
  return toLexiconWord(form, word.stem, word.queryStem, word)
}

/**
 * Creates a word with what the tables say about it. `stemAsWritten` is the stem of the form itself, or the one that the
 * caller wants the word to have: an abbreviation may get the stem of its full word instead.
 *
 * form    | `stemAsWritten` | stem        | query stem  | synonym    | table
 * `suelo` | `suelo`         | `suelo`     | `suelo`     | none       | none
 * `fco`   | `fco`           | `francisco` | `francisco` | none       | `nameAbbreviations`
 * `edif`  | `edif`          | `edif`      | `edificio`  | `edificio` | `abbreviations`
 * `2`     | `2º`            | `2º`        | `2º`        | none       | none
 *
 * Only an abbreviation of `nameAbbreviations` has the stem of the full word, so that quoted phrases find it too. The
 * query stem of `2º` is replaced by `segundo` afterwards (`ordinalsByDigits`).
 */
export function createWord(form: string, stemAsWritten: string): LexiconWord {
  const stem = nameStems.get(stemAsWritten) ?? stemAsWritten
  const fullWord = fullWords.get(stem)
  const queryStem = toQueryStem(stemAsWritten)
  const impliesNumber = stemsThatImplyNumber.has(queryStem)
  const otherSynonyms = ordinalsInDigits.get(stem) ?? otherSingulars.get(form) ?? noWords
  return toLexiconWord(form, stem, queryStem, {
    synonyms: fullWord === undefined ? otherSynonyms : [fullWord],
    isStopWord: stopWords.has(form),
    isFeminineOrdinal: ordinalsInDigits.has(stem) && form.endsWith('a'),
    arabicNumeral: undefined,
    mayHaveNumeral: stemsWithNumeral.has(queryStem) || impliesNumber,
    impliesNumber,
    ligatureWordsByHead: ligatureWordsByTail.get(stem),
    phrases: phraseTrie.children.get(queryStem),
  })
}

const noWords: readonly Word[] = []

/** The stem that a term searches for: `edificio` for `edif`. A word that is no abbreviation keeps its stem. */
function toQueryStem(stemAsWritten: string): string {
  const stem = nameStems.get(stemAsWritten) ?? stemAsWritten
  return fullWords.get(stem)?.stem ?? stem
}

/**
 * The stop words of one letter as letters of a code. Their stem is in upper case, so that it differs from that of the
 * stop word: `A-6` is not the `a 6` of `Manzanas 1 a 6`.
 */
export const codeLetters: ReadonlyMap<string, LexiconWord> = new Map(
  [...'aeouy'].map((letter) => [letter, toLexiconWord(letter, letter.toUpperCase(), letter.toUpperCase(), emptyEntry)]),
)

/**
 * The acronym `NUM` (normas urbanísticas municipales). Its stem is in upper case, because that of the word `num` is
 * `numero`. A text with the acronym or its full form has it as a synonym, and the term `NUM` searches for it.
 */
export const numAcronym: LexiconWord = toLexiconWord('num', 'NUM', 'NUM', emptyEntry)

/**
 * Whether the word is an abbreviation of `nameAbbreviations` that may also be the letters of a code: `pca` is `plaza`
 * in `Pca. Mayor`, but not in `PCA-3`. Words of more than four letters are no letters of a code. Nor are those that a
 * numeral may follow: `POL-3` is `polígono 3`.
 */
export function mayBeLettersOfCode({ form, mayHaveNumeral }: LexiconWord): boolean {
  return form.length <= codeLettersMax && !mayHaveNumeral && nameStems.has(stemWord(form))
}

const codeLettersMax = 4

/** The word of letters in capitals before a number of the same code: `pca`, and not `plaza`, for the PCA of `PCA-3`. */
export function toCodePart(word: LexiconWord): LexiconWord {
  return mayBeLettersOfCode(word) ? createPlainWord(word.form) : word
}

/** `cruces` is the plural of both `cruz` and `cruce`: it has the stem of `cruz`, and `cruce` is its synonym. */
export const otherSingulars: ReadonlyMap<string, readonly Word[]> = new Map([['cruces', [createPlainWord('cruce')]]])

/**
 * Full words by the stem of their abbreviation, so that its plural has them too: `edifs` like `edif`. This map,
 * `nameStems`, `ligatureWordsByTail` and `phraseTrie` are filled further down, before the first call of `wordOf`.
 */
const fullWords = new Map<string, Word>()
/** Stems of full words by the stem of their abbreviation, for `nameAbbreviations`: `avenida` by `avda`. */
const nameStems = new Map<string, string>()
/** Stems of words that a numeral may follow, such as `fase II`. Those of `stemsThatImplyNumber` may have one too. */
const stemsWithNumeral: ReadonlySet<string> = new Set(
  'numero fase etapa tramo poligono sector tomo volumen anexo anejo titulo capitulo parcela parc'
    .split(' ')
    .map(stemWord),
)
/** Stems after which the word `número` may be left out before a numeral: `Modificación 4` is `Modificación nº 4`. */
const stemsThatImplyNumber: ReadonlySet<string> = new Set(
  ['modificacion', 'innovacion', 'puntual', ...acronyms.map(({ letters }) => letters)]
    // The acronym `NUM` is also the abbreviation of "number" itself.
    .filter((form) => form !== 'num')
    .map(stemWord),
)
/** The words whose `fi` ligature a PDF may lose: by the stem of their tail (`cacion`), then by their head (`modi`). */
const ligatureWordsByTail = new Map<string, Map<string, Word>>()
const phraseTrie: PhraseNode = createPhraseNode()

/** The synonym of each ordinal in words, by its stem: for `segunda`, the word with the form `2` and the stem `2º`. */
const ordinalsInDigits: ReadonlyMap<string, readonly Word[]> = new Map(
  ordinals.map((ordinal, index) => [
    stemWord(ordinal),
    [toLexiconWord(String(index + 1), `${index + 1}º`, `${index + 1}º`, emptyEntry)],
  ]),
)

for (const line of nameAbbreviations) {
  const [fullWord = '', ...shortForms] = line.split(' ')
  for (const shortForm of shortForms) nameStems.set(stemWord(shortForm), stemWord(fullWord))
}

// The variants of an acronym are abbreviations of it: `pgoum` of `pgou`.
const acronymVariants = acronyms.map(({ letters, variants }) => [letters, ...variants].join(' '))
for (const line of [...abbreviations, ...acronymVariants]) {
  const [fullWord = '', ...shortForms] = line.split(' ')
  for (const shortForm of shortForms) fullWords.set(stemWord(shortForm), createPlainWord(fullWord))
}

for (const [head, tail] of ligatureWords) {
  const wholeWord = createPlainWord(`${head}fi${tail}`)
  // `modicación` is like an abbreviation of `modificación`.
  fullWords.set(stemWord(head + tail), wholeWord)
  const tailStem = stemWord(tail)
  ligatureWordsByTail.set(tailStem, (ligatureWordsByTail.get(tailStem) ?? new Map()).set(head, wholeWord))
}

/** What an acronym stands for. */
export interface Expansion {
  /**
   * The words of `Acronym.expansions`, and the letters of `Acronym.initials`, both without stop words: of `P. G. O. U.`
   * p and g. Of `NUM`, also `numAcronym`.
   */
  readonly synonyms: readonly Word[]
  /** The stems of the words of each full form in `Acronym.expansions`, without stop words. */
  readonly fullFormStems: readonly (readonly string[])[]
  /** As in `Acronym`. */
  readonly isUpperCaseOnly: boolean
}

const expansions = new Map<string, Expansion>()

/**
 * The expansion by acronym and by each of its variants: `ue` and `uuee`. That of the acronym `num` also has the key
 * `NUM`, the stem of `numAcronym`. Other files can only read the map.
 */
export const expansionsByAcronym: ReadonlyMap<string, Expansion> = expansions

for (const acronym of acronyms) {
  const { letters, variants, isUpperCaseOnly } = acronym
  const fullForms = acronym.expansions.map((fullForm) => fullForm.split(' ').filter((form) => !stopWords.has(form)))
  const initialLetters = acronym.initials.filter((form) => !stopWords.has(form)).map(createPlainWord)
  const ownSynonyms = ownSynonymsOf(letters)
  const synonyms = uniqueByForm([...fullForms.flat().map(createPlainWord), ...initialLetters, ...ownSynonyms])
  addAcronymPhrases(acronym, fullForms, initialLetters, synonyms)
  const expansion = { synonyms, fullFormStems: fullForms.map((forms) => forms.map(stemWord)), isUpperCaseOnly }
  for (const spelling of [letters, ...variants]) expansions.set(spelling, expansion)
  for (const { stem } of ownSynonyms) expansions.set(stem, expansion)
}

/**
 * Adds to the trie the phrases that an acronym stands for. `fullForms` are the words of each full form without stop
 * words, `initialLetters` the letters of its initials, and `synonyms` the words of all of them.
 */
function addAcronymPhrases(
  { letters, initials, translations }: Acronym,
  fullForms: readonly (readonly string[])[],
  initialLetters: readonly Word[],
  synonyms: readonly Word[],
): void {
  const acronymWord = createPlainWord(letters)
  // For `P. G. O. U.` the acronym is added as a joined form, so that a prefix such as `pgo*` finds it.
  if (initials.length > 0) addPhrase(initials, letters, synonyms).joinedForms.push(acronymWord)
  for (const fullForm of fullForms) {
    // The letters are synonyms too, so that the term `P. G. O. U.` finds the full form.
    addPhrase(fullForm, letters, [acronymWord, ...initialLetters, ...ownSynonymsOf(letters)])
    // `P. Parcial` abbreviates only the first word. `a definitiva` is excluded: its `a` is a preposition.
    const [first, second] = fullForm
    const [initial] = initials
    const hasTwoWords = fullForm.length === 2 && first !== undefined && second !== undefined
    if (hasTwoWords && initial !== undefined && initial !== 'a') {
      addPhrase([initial, second], letters, [acronymWord, createPlainWord(first)])
    }
  }
  for (const translation of translations) addPhrase(translation.split(' '), letters, [acronymWord, ...synonyms])
}

/** What a text with the acronym or its full form has in addition to the words of both. */
function ownSynonymsOf(letters: string): readonly Word[] {
  return letters === numAcronym.form ? [numAcronym] : noWords
}

function uniqueByForm(words: readonly Word[]): Word[] {
  return [...new Map(words.map((word) => [word.form, word])).values()]
}

/**
 * The words of `cedillaSpellings` by form: for `placa`, the word of `plaça` and its full word, `plaza`. The word of
 * `plaça` has the stem of `placa` and the query stem of `plaza`. A term with it searches for both stems
 * (`findOtherStems` in term-item.ts), because some sources lose the ç.
 */
export const cedillaWords: ReadonlyMap<string, { readonly word: LexiconWord; readonly fullWord: LexiconWord }> =
  new Map(
    cedillaSpellings.map((line) => {
      const [fullForm = '', form = ''] = line.split(' ')
      const fullWord = wordOf(fullForm)
      return [form, { word: withQueryStem(wordOf(form), fullWord.queryStem), fullWord }]
    }),
  )

/** The Spanish word for "number". Its abbreviations have the same query stem. */
export const numberWord: LexiconWord = wordOf('numero')

/**
 * The word of a term's `NUM` that may be "number" or the acronym: `PARCELA NUM A-5`. It searches for `numero` or for
 * the stem of `numAcronym`.
 */
export const numberOrNumAcronym: LexiconWord = withQueryStem(numAcronym, numberWord.queryStem, { mayHaveNumeral: true })

/** The symbol `nº`. It has the stem of `numero`, but another form, so a prefix such as `num*` does not match it. */
export const numberSymbol: LexiconWord = createWord('nº', numberWord.stem)

/**
 * The word with the stem `no.`, which the term `no.` searches for. A text has it as a synonym for:
 *
 * text                          | why
 * `No. 5`, `suelo urbano o no.` | every `no` with a dot may abbreviate "number" or end a sentence
 * `nº 5`, `número 5`            | "number" before a numeral
 * `UE 5`                        | a word that implies "number", before its numeral
 */
export const dottedNo: LexiconWord = createWord('no', 'no.')

/** The Roman numeral by the digits of an Arabic number, and the reverse: `iii` by `3`, `3` by `iii`. */
export const numeralCounterparts: ReadonlyMap<string, Word> = new Map(
  romanNumerals.flatMap((roman, index): [string, Word][] => [
    [roman, wordOf(String(index + 1))],
    [String(index + 1), wordOf(roman)],
  ]),
)

/** The numbered stem (numeral-synonyms.ts) of a word: `fase 2` for `fase II`. No other stem has a space inside it. */
export function toNumberedStem({ queryStem }: LexiconWord, numberStem: string): string {
  return `${queryStem} ${numberStem}`
}

/** Whether the word is one of `romanNumerals`, in upper or lower case. */
export function isRomanNumeral(word: Word): boolean {
  return numeralCounterparts.has(word.form) && !isDigits(word)
}

/** The words of the Roman numerals in upper case, by form. A single letter is left out: it is rarely a numeral. */
export const upperCaseNumerals: ReadonlyMap<string, LexiconWord> = new Map(
  romanNumerals
    .filter((roman) => roman.length > 1)
    .map((roman) => {
      const word = wordOf(roman)
      return [
        roman,
        toLexiconWord(roman, word.stem, word.queryStem, { ...word, arabicNumeral: numeralCounterparts.get(roman) }),
      ]
    }),
)

/** An ordinal of the table. */
interface Ordinal {
  /** The word of `2º`, with the stem `2º`. */
  readonly inDigits: LexiconWord
  /** The word of `2ª`, with the stem `2º` too. */
  readonly feminineInDigits: LexiconWord
  /** The word `segundo`. */
  readonly spelledOut: LexiconWord
}

/** The ordinals by their digits. */
export const ordinalsByDigits: ReadonlyMap<string, Ordinal> = new Map(
  ordinals.map((ordinal, index) => {
    const digits = String(index + 1)
    const spelledOut = wordOf(ordinal)
    const inDigits = withQueryStem(createWord(digits, `${digits}º`), spelledOut.stem)
    const feminineInDigits = withQueryStem(inDigits, spelledOut.stem, { isFeminineOrdinal: true })
    return [digits, { inDigits, feminineInDigits, spelledOut }]
  }),
)

/** Adds a phrase to the trie and returns its last node. If two acronyms have the phrase, its acronym is the first. */
function addPhrase(forms: readonly string[], acronym: string, synonyms: readonly Word[]): PhraseNode {
  let node = phraseTrie
  for (const form of forms) {
    const queryStem = toQueryStem(stemWord(form))
    let child = node.children.get(queryStem)
    if (child === undefined) {
      child = createPhraseNode()
      node.children.set(queryStem, child)
    }
    node = child
  }
  node.acronym ??= acronym
  node.synonyms.push(...synonyms.filter(({ stem }) => !node.synonyms.some((known) => known.stem === stem)))
  return node
}

function createPhraseNode(): PhraseNode {
  return { children: new Map(), synonyms: [], joinedForms: [], acronym: undefined }
}

/** Finds the digits of an ordinal: `2` for `2ª`, and for `segunda`, whose synonym is `2º`. Otherwise undefined. */
export function findOrdinalDigits(word: LexiconWord): string | undefined {
  return [word, ...word.synonyms].find(isOrdinalInDigits)?.form
}

/**
 * Finds the stem of a number, in digits also if the number is a Roman numeral: `3` for `03` and for `iii`, `2º` for the
 * ordinal `2ª`. Undefined for any other word.
 */
export function findNumberStem(word: LexiconWord | undefined): string | undefined {
  if (word === undefined) return undefined
  return /^\d+$/.test(word.form) ? word.stem : numeralCounterparts.get(word.form)?.form
}

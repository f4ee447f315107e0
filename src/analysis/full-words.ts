// Maps from abbreviations to their full words, made from the tables in abbreviations.ts. lexicon.ts looks up each word
// in them. The keys are stems, so that a plural has the full word too: `edifs` like `edif`.
import { abbreviations, acronyms, ligatureWords, nameAbbreviations } from './abbreviations.ts'
import { createPlainWord } from './lexicon-word.ts'
import { stemWord } from './stemmer.ts'
import { type Translation, translations } from './translations.ts'
import type { Word } from './word.ts'

/** For `nameAbbreviations`, whose stem is that of the full word: `avenida` by `avda`. */
export const nameStems: ReadonlyMap<string, string> = new Map(
  readLines(nameAbbreviations).map(({ shortForm, fullForm }) => [stemWord(shortForm), stemWord(fullForm)]),
)

/** The variants of an acronym are abbreviations of it: `pgoum` of `pgou`. */
const acronymVariants = acronyms.map(({ letters, variants }) => [letters, ...variants].join(' '))

/**
 * For the other abbreviations and for translations, which have the full word as a synonym: `edificio` by `edif`, `vado`
 * by `gual`. A term searches for the first of several.
 */
export const fullWords: ReadonlyMap<string, readonly Word[]> = new Map([
  ...translations.flatMap(toTranslationEntries),
  ...readLines([...abbreviations, ...acronymVariants]).map(toFullWordEntry),
  // `modicación`, which has lost its ligature, is like an abbreviation of `modificación`.
  ...ligatureWords.map(([head, tail]) => toFullWordEntry({ shortForm: head + tail, fullForm: `${head}fi${tail}` })),
])

/** The stems of the Basque words of the table. */
export const basqueStems: ReadonlySet<string> = new Set(
  translations.flatMap(({ basque }) => basque.map((form) => stemWord(form))),
)

/** The words whose `fi` ligature a PDF may lose: by the stem of their tail (`cacion`), then by their head (`modi`). */
export const ligatureWordsByTail: ReadonlyMap<string, ReadonlyMap<string, Word>> = groupByTail(ligatureWords)

/** The stem that a term searches for: `edificio` for the stem of `edif`. Any other word keeps its stem. */
export function toQueryStem(ownStem: string): string {
  const stem = nameStems.get(ownStem) ?? ownStem
  return fullWords.get(stem)?.[0]?.stem ?? stem
}

interface ShortForm {
  readonly shortForm: string
  readonly fullForm: string
}

/** Reads lines of a full form and its short forms: the line `edificio edif` has the short form `edif`. */
function readLines(lines: readonly string[]): ShortForm[] {
  return lines.flatMap((line) => {
    const [fullForm = '', ...shortForms] = line.split(' ')
    return shortForms.map((shortForm) => ({ shortForm, fullForm }))
  })
}

function toFullWordEntry({ shortForm, fullForm }: ShortForm): [stem: string, fullWords: readonly Word[]] {
  return [stemWord(shortForm), [createPlainWord(fullForm)]]
}

/** The entries of a line of the table, without the words whose stem is that of the Spanish word. */
function toTranslationEntries({ spanish, catalan, galician, basque }: Translation): [string, readonly Word[]][] {
  const words = spanish.map((form) => createPlainWord(form))
  // A short word and its plural have different stems: `mur` and `murs`.
  const plurals = [...catalan, ...galician].filter((form) => form.length === 3).map((form) => `${form}s`)
  return [...catalan, ...galician, ...basque, ...plurals]
    .map((form) => stemWord(form))
    .filter((stem) => stem !== words[0]?.stem)
    .map((stem) => [stem, words])
}

function groupByTail(headsAndTails: typeof ligatureWords): Map<string, Map<string, Word>> {
  const wordsByTail = new Map<string, Map<string, Word>>()
  for (const [head, tail] of headsAndTails) {
    const tailStem = stemWord(tail)
    const wordsByHead = wordsByTail.get(tailStem) ?? new Map<string, Word>()
    wordsByTail.set(tailStem, wordsByHead.set(head, createPlainWord(`${head}fi${tail}`)))
  }
  return wordsByTail
}

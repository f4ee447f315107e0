// The clause of a quoted phrase of a search term. `"plan parcial"` has the stems `plan` and `parcial`, and a text must
// have both side by side. Texts write some phrases in several ways, so the clause may have alternatives: `"ED 16.202"`
// is two words, but a text with `ED.16.202` has three. term-parser.ts calls `toQuotedPhrase`.
import { labelAcronyms } from './abbreviations.ts'
import { codeLetters } from './code-letters.ts'
import type { LexiconWord } from './lexicon.ts'
import { numberWord } from './number-words.ts'
import { findPhraseEnds, type ParsedClause } from './parsed-clause.ts'
import type { SubtokenGroup } from './subtoken-groups.ts'
import type { PhraseClause } from './term.ts'

type Stems = readonly string[]

/** A group of a phrase. `isSeparated`: punctuation stands before it. */
export interface PhraseGroup extends SubtokenGroup {
  readonly isSeparated: boolean
}

/**
 * Makes the clause of a phrase, whose words and codes are `groups`. It finds the other ways to write the number of a
 * label; if it has no such number, it finds most numbers with and without the word "number" before them.
 */
export function toQuotedPhrase(groups: readonly PhraseGroup[]): ParsedClause {
  const words = groups.flatMap((group) => group.words)
  const asWritten = toSpellings(markCodeLetters(groups))
  // The same spellings, with plain stop words in place of the letters that `markCodeLetters` has marked.
  const plain = toSpellings(groups)
  const [first = [], ...alternatives] = asWritten.flatMap((stems, index) => withCodeLetters(stems, plain[index] ?? []))
  return {
    clause: toPhraseClause(first, alternatives),
    isOptional: words.every((word) => word.isStopWord),
    isQuoted: true,
    ends: findPhraseEnds(words),
  }
}

/** The stems of the phrase, and the other ways to write its numbers. */
function toSpellings(groups: readonly SubtokenGroup[]): Stems[] {
  const stems = groups.flatMap(({ words }) => words.map(({ stem }) => stem))
  const labelPhrases = [replaceGroups(groups, splitLabelNumber), replaceGroups(groups, joinLabelNumber)].filter(isFound)
  const otherPhrases = labelPhrases.length > 0 ? labelPhrases : [addOrDropNumberWord(stems)].filter(isFound)
  return [stems, ...otherPhrases]
}

function isFound(stems: Stems | undefined): stems is Stems {
  return stems !== undefined
}

/** A clause has only one `orPhrase`. So each alternative has the one before it in the list as its own `orPhrase`. */
function toPhraseClause(stems: Stems, alternatives: readonly Stems[]): PhraseClause {
  const before = alternatives.at(-1)
  if (before === undefined) return { kind: 'phrase', stems }
  return { kind: 'phrase', stems, orPhrase: toPhraseClause(before, alternatives.slice(0, -1)) }
}

/**
 * The stems of the phrase with some groups replaced. `toStems` returns the stems that replace a group, or undefined to
 * keep it; `before` is the word before the group. Undefined if all groups are kept.
 */
function replaceGroups(
  groups: readonly SubtokenGroup[],
  toStems: (group: SubtokenGroup, before: LexiconWord | undefined) => Stems | undefined,
): Stems | undefined {
  const replacements = groups.map((group, index) => toStems(group, groups[index - 1]?.words.at(-1)))
  if (!replacements.some(isFound)) return undefined
  return groups.flatMap(({ words }, index) => replacements[index] ?? words.map(({ stem }) => stem))
}

/**
 * The number of a label as several words, for texts with `ED.16.202`: `16` and `202` for the `16.202` of `"ED 16.202"`.
 * Undefined for the `1.250` of `"B 1.250 m²"`, because `B` is no acronym of a label.
 */
function splitLabelNumber({ words, labelNumber }: SubtokenGroup, before: LexiconWord | undefined): Stems | undefined {
  if (words.length > 1 || !labelAcronyms.has(before?.form ?? '')) return undefined
  return labelNumber !== undefined && labelNumber.stems.length > 1 ? labelNumber.stems : undefined
}

/**
 * A label with its number as one word, for texts with `ED 16.202`: `ed` and `16202` for `"ED.16.202"`. Undefined for
 * `"PE.08.342"`, because only a number that may be thousands is one word in texts.
 */
function joinLabelNumber({ words }: SubtokenGroup): Stems | undefined {
  const [letters, first, second] = words
  if (words.length !== 3 || letters === undefined || first === undefined || second === undefined) return undefined
  const isThousands = /^[1-9]\d{0,2}$/.test(first.form) && /^\d{3}$/.test(second.form)
  return labelAcronyms.has(letters.form) && isThousands ? [letters.stem, first.form + second.form] : undefined
}

/**
 * Another way to write a phrase with a number. Drops the word "number" before numbers, except at the start of the
 * phrase. If there is none to drop, adds it before the first number that follows a word of three letters or more.
 *
 * stems               | result
 * `gran via numero 3` | `gran via 3`
 * `gran via 3`        | `gran via numero 3`
 * `ue 1`              | undefined: after fewer than three letters a number is part of a code
 */
function addOrDropNumberWord(stems: Stems): Stems | undefined {
  const isNumber = (index: number): boolean => /^\d+$/.test(stems[index] ?? '')
  const dropped = stems.filter((stem, index) => !(index > 0 && stem === numberWord.stem && isNumber(index + 1)))
  if (dropped.length < stems.length) return dropped
  const index = stems.findIndex((_, index) => isNumber(index) && /^\p{L}{3}/u.test(stems[index - 1] ?? ''))
  return index === -1 ? undefined : [...stems.slice(0, index), numberWord.stem, ...stems.slice(index)]
}

/**
 * Makes one-letter stop words in upper case the letters of codes, as `markCodeLetters` in spaced-codes.ts does for
 * texts. So a phrase that is copied from a text has the stems of the text.
 */
function markCodeLetters(groups: readonly PhraseGroup[]): SubtokenGroup[] {
  const words = groups.flatMap((group) => group.words)
  let end = 0
  return groups.map((group) => {
    end += group.words.length
    const codeLetter = group.isUpperCase ? codeLetters.get(words[end - 1]?.form ?? '') : undefined
    const isAfterNumber = startsWithDigit(words[end - 2]?.form) && !group.isSeparated
    if (codeLetter === undefined || isAfterNumber || !startsWithDigit(words[end]?.form)) return group
    return { ...group, words: [...group.words.slice(0, -1), codeLetter] }
  })
}

/**
 * The phrase as it is written, and others in which up to three one-letter stop words are read in the other way: as the
 * letter of a code, or not. The phrase does not tell, because it may be typed in lower case or begin or end with the
 * letter. In `plain` none of them is the letter of a code.
 *
 * phrase           | stems of the letter | found
 * `"a 6"`, `"A 6"` | `a`, `A`            | `de 1 a 6`, `Zona A 6`
 * `"zona a"`       | `a`, `A`            | `zona a edificar`, `Zona A. 5 viviendas`: a number may follow the phrase
 * `"A-6"`          | `A`                 | `Zona A 6`: the hyphen makes it the letter of a code
 */
function withCodeLetters(asWritten: Stems, plain: Stems): Stems[] {
  const last = plain.length - 1
  const uncertain = Array.from(plain, (stem, index) => ({ stem, index })).filter(({ stem, index }) => {
    const mayBeBeforeNumber = startsWithDigit(plain[index + 1]) || (index === last && index > 0)
    return codeLetters.has(stem) && mayBeBeforeNumber
  })
  // The first and the last word have priority: what stands beside them in the text is not known.
  const isAtEdge = ({ index }: { readonly index: number }): boolean => index === 0 || index === last
  const byPriority = [...uncertain.filter(isAtEdge), ...uncertain.filter((each) => !isAtEdge(each))]
  let phrases: Stems[] = [asWritten]
  for (const { stem, index } of byPriority.slice(0, codeLettersMax)) {
    const other = asWritten[index] === stem ? codeLetters.get(stem)?.stem : stem
    phrases = phrases.flatMap((phrase) => [phrase, phrase.map((each, at) => (at === index ? (other ?? each) : each))])
  }
  return phrases
}

/** Three letters make eight phrases. Any further letters are read as in a text that is written like the phrase. */
const codeLettersMax = 3

function startsWithDigit(text: string | undefined): boolean {
  return /^\d/.test(text ?? '')
}

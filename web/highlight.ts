// Which parts of a title are the words that were asked for. The same analyser that found the record decides, so a
// word is marked in whatever form it matched.
import { analyseTerm, analyseText, type Word } from '../src/analysis/analyser.ts'
import type { Clause } from '../src/analysis/term.ts'

export interface Part {
  readonly text: string
  readonly marked: boolean
}

interface Stretch {
  readonly start: number
  readonly end: number
}

interface Place extends Stretch {
  readonly word: Word
}

export function highlightWords(title: string, term: string): Part[] {
  const { clauses } = analyseTerm(term)
  if (clauses.length === 0) return [{ text: title, marked: false }]
  const located = locateWords(title)
  const marked = new Uint8Array(title.length)
  for (const clause of clauses) {
    const places = placesOf(clause, located)
    const found = places.length > 0 || clause.kind !== 'word' ? places : placesInFull(clause.stem, title, located.words)
    for (const { start, end } of found) marked.fill(1, start, end)
  }
  // Words side by side are one stretch to the eye.
  for (const gap of title.matchAll(/\s+/g)) {
    const end = gap.index + gap[0].length
    if (marked[gap.index - 1] === 1 && marked[end] === 1) marked.fill(1, gap.index, end)
  }
  return toParts(title, marked)
}

interface Located {
  readonly words: readonly Place[]
  readonly joined: readonly Place[]
  readonly extras: readonly Place[]
}

/** Where the analyser's words stand. It tells what words a text has, not where, so each chunk is analysed alone. */
function locateWords(title: string): Located {
  const words: Place[] = []
  const joined: Place[] = []
  const extras: Place[] = []
  for (const chunk of title.matchAll(/\S+/g)) {
    const runs = [...chunk[0].matchAll(/[\p{L}\p{N}\p{M}]+/gu)]
    const [first] = runs
    const last = runs.at(-1)
    if (first === undefined || last === undefined) continue
    const whole = { start: chunk.index + first.index, end: chunk.index + last.index + last[0].length }
    const analysed = analyseText(chunk[0])
    const oneToOne = analysed.words.length === runs.length
    for (const [index, word] of analysed.words.entries()) {
      const run = runs[index]
      const start = chunk.index + (run?.index ?? 0)
      words.push(oneToOne && run !== undefined ? { word, start, end: start + run[0].length } : { word, ...whole })
    }
    for (const word of analysed.joined) joined.push({ word, ...whole })
    for (const word of analysed.extras) extras.push({ word, ...whole })
  }
  return { words, joined, extras }
}

function placesOf(clause: Clause, located: Located): Place[] {
  const { words, joined, extras } = located
  switch (clause.kind) {
    case 'word':
      return [...words, ...joined, ...extras].filter(({ word }) => word.stem === clause.stem)
    case 'prefix':
      return [...words, ...joined]
        .filter(({ word }) => word.form.startsWith(clause.prefix))
        .concat(clause.whole === undefined ? [] : placesOf(clause.whole, located))
    case 'phrase': {
      const runs = words.flatMap((_, at) => {
        const run = words.slice(at, at + clause.stems.length)
        return clause.stems.every((stem, index) => run[index]?.word.stem === stem) ? run : []
      })
      return [...runs, ...[...joined, ...extras].filter(({ word }) => word.stem === clause.joined)]
    }
  }
}

/** More words than any abbreviation of the field stands for. */
const expansionWordsMax = 8

/** Where the title says in full what the term abbreviates: the shortest stretches that mean the word together. */
function placesInFull(stem: string, title: string, words: readonly Place[]): Stretch[] {
  if (!isBeside(stem, title)) return []
  for (let size = 2; size <= expansionWordsMax; size++) {
    const stretches = words.slice(size - 1).map((last, index) => ({ start: words[index]?.start ?? 0, end: last.end }))
    const found = stretches.filter(({ start, end }) => isBeside(stem, title.slice(start, end)))
    if (found.length > 0) return found
  }
  return []
}

function isBeside(stem: string, text: string): boolean {
  const { joined, extras } = analyseText(text)
  return [...joined, ...extras].some((word) => word.stem === stem)
}

function toParts(title: string, marked: Uint8Array): Part[] {
  const parts: Part[] = []
  let start = 0
  for (let at = 1; at <= title.length; at++) {
    if (at < title.length && marked[at] === marked[start]) continue
    parts.push({ text: title.slice(start, at), marked: marked[start] === 1 })
    start = at
  }
  return parts
}

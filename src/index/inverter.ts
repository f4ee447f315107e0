// Inverts consecutive records into one sorted run of postings: it lists every occurrence of a word, sorts the
// occurrences by term (occurrence-list.ts), and encodes the posting lists (posting-encoder.ts). Each run covers later
// records than the run before it, so merge.ts only concatenates the posting lists of a term.
import { type AnalysedText, analyseText, analyseTitle, type Word } from '../analysis/analyser.ts'
import type { Spans } from '../analysis/placed-words.ts'
import { type Field, neighboursFlag, noFlag, OccurrenceList, synonymFlag } from './occurrence-list.ts'
import { encodePostings, encodeRecords } from './posting-encoder.ts'
import { hasPositions, segmentStem, type TermKind, termKinds } from './posting-list.ts'
import { TermNumbers } from './term-numbers.ts'
import { at } from './typed-array.ts'
import { ByteWriter } from './varint.ts'

/** Unused word positions after the title and after the area: a phrase goes neither beyond the title nor the area. */
const gapWords = 64

/** A run is written in portions of about this size. */
const flushBytes = 1 << 20

/** A word position is stored as twice its number plus a bit: one for a joined form or a synonym (posting-list.ts). */
const writtenBit = 0
const addedBit = 1

/**
 * An entry whose positions are the starts of the segments of a record. It is not in the text: it has the flag of a
 * synonym, so that no prefix finds it. Its positions have the bit of a written word, so that occurrences.ts reads them
 * without those of added words.
 */
const segmentMark: Word = { form: '', stem: segmentStem }

/** The texts of a record. Word positions go on from segment to segment, so a phrase may end in the next segment. */
export interface RecordTexts {
  readonly title: string
  /** The name of the area that the record is about; empty if it has none. */
  readonly area: string
  /** The text of the documents, in parts that are shown as passages (snapshot/segments.ts). */
  readonly segments: readonly string[]
}

/** The two parts of a run: first the posting lists of forms (words as written), then those of stems. */
export const runParts = ['forms', 'stems'] as const
export type RunPart = (typeof runParts)[number]

export interface RunLayout {
  /** The size of each part. The first starts at the start of the run. */
  readonly partBytes: Readonly<Record<RunPart, number>>
  /** No record has content, so the posting lists of whole records are left out: they would equal those of titles. */
  readonly hasTitlesOnly: boolean
}

/** A kind of posting list in a run. It is made of the occurrences in the field that have one of the flags. */
interface RunSection {
  readonly kind: TermKind
  readonly part: RunPart
  readonly field: Field
  readonly flags: readonly number[]
}

/**
 * Sorted by the letter of the kind, which is the order of the keys in a run. Joined forms have `noFlag`, like words as
 * written.
 */
const runSections: readonly RunSection[] = [
  { kind: termKinds.form, part: 'forms', field: 'record', flags: [noFlag] },
  { kind: termKinds.titleForm, part: 'forms', field: 'title', flags: [noFlag] },
  { kind: termKinds.neighbours, part: 'stems', field: 'title', flags: [neighboursFlag] },
  { kind: termKinds.titleStem, part: 'stems', field: 'title', flags: [noFlag, synonymFlag] },
  { kind: termKinds.stem, part: 'stems', field: 'record', flags: [noFlag, synonymFlag] },
]

export class Inverter {
  /**
   * Numbers the words of the run in the order of their first occurrence. The lexicon shares the object of a word; if a
   * word has two objects it has two numbers, which the dictionaries map to the same terms.
   */
  readonly #wordNumbers = new Map<Word, number>()
  readonly #termNumbers: Readonly<Record<RunPart, TermNumbers>> = {
    forms: new TermNumbers(),
    stems: new TermNumbers(),
  }
  readonly #occurrences = new OccurrenceList()
  /** Whether a record of the run has text other than its title. */
  #hasContent = false

  /** Adds a record. The records of a run must be consecutive. */
  add(record: number, { title, area, segments }: RecordTexts): void {
    const analysedTitle = analyseTitle(title)
    let position = this.#addText(analysedTitle, 0)
    // The posting lists of neighbours have no word positions, so the position does not matter.
    for (const entry of analysedTitle.neighbours) this.#addOccurrence(entry, neighboursFlag, 0, addedBit)
    this.#occurrences.endTitle()
    this.#hasContent ||= area !== '' || segments.length > 0
    if (area !== '') position = this.#addText(analyseText(area), position + gapWords)
    position += gapWords
    for (const segment of segments) {
      this.#addOccurrence(segmentMark, synonymFlag, position, writtenBit)
      // A segment without words takes a position too, so that every segment has its own.
      position = Math.max(this.#addText(analyseText(segment), position), position + 1)
    }
    this.#occurrences.endRecord(record)
  }

  /** Adds a text whose first word has the given position. Returns the position after the last word. */
  #addText(text: AnalysedText, firstPosition: number): number {
    const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans } = text
    for (let index = 0; index < words.length; index++) {
      this.#addOccurrence(words[index] as Word, noFlag, firstPosition + index, writtenBit)
    }
    this.#addWords(joinedForms, noFlag, joinedFormSpans, firstPosition)
    this.#addWords(synonyms, synonymFlag, synonymSpans, firstPosition)
    return firstPosition + words.length
  }

  /** Adds joined forms or synonyms at the first of the words that they stand for. */
  #addWords(words: readonly Word[], flag: number, { firsts }: Spans, firstPosition: number): void {
    for (let index = 0; index < words.length; index++) {
      this.#addOccurrence(words[index] as Word, flag, firstPosition + (firsts[index] as number), addedBit)
    }
  }

  /** `flag` is one of occurrence-list.ts; `positionBit` is `writtenBit` or `addedBit`. */
  #addOccurrence(word: Word, flag: number, position: number, positionBit: number): void {
    const wordNumber = this.#wordNumbers.get(word) ?? this.#addWord(word)
    this.#occurrences.add(wordNumber, flag, (position << 1) | positionBit)
  }

  #addWord(word: Word): number {
    const number = this.#wordNumbers.size
    this.#wordNumbers.set(word, number)
    this.#termNumbers.stems.add(word.stem)
    this.#termNumbers.forms.add(word.form)
    return number
  }

  /**
   * Writes the run, returns its layout and empties the inverter. A run is a sequence of `key size, key, body size,
   * body` in ascending order of keys. The body is a sequence of `record delta` or, for kinds with positions, of
   * `record delta, size of positions, positions`.
   */
  writeRun(write: (bytes: Uint8Array) => void): RunLayout {
    const partBytes = { forms: 0, stems: 0 }
    const run = new ByteWriter(flushBytes * 2)
    const body = new ByteWriter(1 << 16)
    const flush = (part: RunPart): void => {
      write(run.bytes.subarray(0, run.length))
      partBytes[part] += run.length
      run.length = 0
    }
    const sorted = { forms: this.#termNumbers.forms.toSorted(), stems: this.#termNumbers.stems.toSorted() }
    const hasTitlesOnly = !this.#hasContent
    for (const { kind, part, field, flags } of runSections) {
      if (hasTitlesOnly && field === 'record') continue
      const { termOfWord, size } = this.#termNumbers[part]
      const withPositions = hasPositions(kind)
      const { records, positions, starts } = this.#occurrences.sort({
        field,
        flags,
        termOfWord: Uint32Array.from(termOfWord),
        termCount: size,
        withPositions,
      })
      const { terms, numbers } = sorted[part]
      for (const [index, term] of terms.entries()) {
        const number = at(numbers, index)
        const from = at(starts, number)
        const to = at(starts, number + 1)
        const occursInSection = from < to
        if (!occursInSection) continue
        const encode = withPositions ? encodePostings : encodeRecords
        encode(body, { records, positions, from, to })
        run.text(kind + term)
        run.varint(body.length)
        run.append(body.bytes, 0, body.length)
        if (run.length >= flushBytes) flush(part)
      }
      flush(part)
    }
    this.#clear()
    return { partBytes, hasTitlesOnly }
  }

  #clear(): void {
    this.#occurrences.clear()
    this.#hasContent = false
    this.#wordNumbers.clear()
    this.#termNumbers.stems.clear()
    this.#termNumbers.forms.clear()
  }
}

// Inverts consecutive records into a run: the posting lists of these records, sorted by key. The inverter lists every
// occurrence of a word, sorts the occurrences by term (occurrence-list.ts), and encodes the posting lists
// (posting-encoder.ts). The records of a run come before those of the next run, so merge.ts only concatenates the
// posting lists of a term.
import type { Spans } from '../analysis/added-words.ts'
import { type AnalysedText, analyseText, analyseTitle, type Word } from '../analysis/analyser.ts'
import { type FieldName, formAndStemFlag, neighboursFlag, OccurrenceList, stemFlag } from './occurrence-list.ts'
import { type AddedKind, packAdded, packWritten } from './packed-position.ts'
import { encodePostings, encodeRecords } from './posting-encoder.ts'
import { hasPositions, segmentStem, type TermKind, termKinds } from './posting-list.ts'
import { type SortedTerms, TermNumbers } from './term-numbers.ts'
import { at } from './typed-array.ts'
import { ByteWriter } from './varint.ts'

/**
 * Word positions that stay unused after the title and after the area, so that no phrase starts in one of them and ends
 * in the text that follows. Any number from 1 on would do, because the words of a phrase have consecutive positions.
 */
const gapWords = 64

/** A run is written to its file in portions. A portion ends when it has this size, or with the run. */
const flushBytes = 1 << 20

/**
 * A word that is in no text. The inverter adds it at the start of each segment, so its word positions are the starts of
 * the segments. It has no span, so its positions are packed like those of a written word.
 */
const segmentMark: Word = { form: '', stem: segmentStem }

/**
 * The texts of a record, in the order of their word positions. Positions have no gap between segments, so a phrase may
 * start in one segment and end in the next.
 */
export interface RecordTexts {
  readonly title: string
  /** The name of the area that the record is about; empty if it has none. */
  readonly area: string
  /** The column `content` and the text of the documents, in segments (snapshot/segments.ts). */
  readonly segments: readonly string[]
}

/** The two parts of a run: first the lists of forms (folded words), then the lists of stems and neighbours. */
export const runParts = ['forms', 'stems'] as const
export type RunPart = (typeof runParts)[number]

/** Where the parts of a run are, and what it leaves out. */
export interface RunLayout {
  /** The size of each part in bytes. The forms start at the start of the run, the stems after them. */
  readonly partBytes: Readonly<Record<RunPart, number>>
  /** Whether no record of the run has content. Then the run has posting lists of titles only (posting-list.ts). */
  readonly hasTitlesOnly: boolean
}

/** The posting lists of one kind in a run. They are made of the occurrences in the field that have one of the flags. */
interface RunSection {
  readonly kind: TermKind
  readonly part: RunPart
  readonly field: FieldName
  readonly flags: readonly number[]
}

/** Sorted by the letter of the kind (f, g, s, t, w), which is the order of the keys in a run. */
const runSections: readonly RunSection[] = [
  { kind: termKinds.form, part: 'forms', field: 'record', flags: [formAndStemFlag] },
  { kind: termKinds.titleForm, part: 'forms', field: 'title', flags: [formAndStemFlag] },
  { kind: termKinds.neighbours, part: 'stems', field: 'title', flags: [neighboursFlag] },
  { kind: termKinds.titleStem, part: 'stems', field: 'title', flags: [formAndStemFlag, stemFlag] },
  { kind: termKinds.stem, part: 'stems', field: 'record', flags: [formAndStemFlag, stemFlag] },
]

export class Inverter {
  /**
   * The words of the run, numbered in the order of their first occurrence. Words are compared by identity, because
   * analysis/lexicon.ts caches the object of a word. A word that has two objects has two numbers, but the same terms.
   */
  readonly #wordNumbers = new Map<Word, number>()
  /** The terms of the words: their forms for the first part of the run, their stems for the second. */
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
    const titleEnd = this.#addText(analysedTitle, 0)
    // The posting lists of neighbours have no word positions, so any position will do.
    for (const pair of analysedTitle.neighbours) this.#addOccurrence(pair, neighboursFlag, packWritten(0))
    this.#occurrences.endTitle()
    this.#hasContent ||= area !== '' || segments.length > 0
    const areaEnd = area === '' ? titleEnd : this.#addText(analyseText(area), titleEnd + gapWords)
    let position = areaEnd + gapWords
    for (const segment of segments) {
      this.#addOccurrence(segmentMark, stemFlag, packWritten(position))
      // A segment without words takes a position too, so that every segment has its own.
      position = Math.max(this.#addText(analyseText(segment), position), position + 1)
    }
    this.#occurrences.endRecord(record)
  }

  /** Adds a text whose first word has the given position. Returns the position after the last word. */
  #addText(text: AnalysedText, firstPosition: number): number {
    const { words, joinedForms, joinedFormSpans, synonyms, synonymSpans } = text
    for (let index = 0; index < words.length; index++) {
      this.#addOccurrence(words[index] as Word, formAndStemFlag, packWritten(firstPosition + index))
    }
    this.#addWords(joinedForms, 'joined form', joinedFormSpans, firstPosition)
    this.#addWords(synonyms, 'synonym', synonymSpans, firstPosition)
    return firstPosition + words.length
  }

  /** Adds joined forms or synonyms at the first of the words that they stand for. */
  #addWords(words: readonly Word[], kind: AddedKind, { firsts, lasts }: Spans, firstPosition: number): void {
    const flag = kind === 'synonym' ? stemFlag : formAndStemFlag
    for (let index = 0; index < words.length; index++) {
      const first = firsts[index] as number
      const spanWords = (lasts[index] as number) - first + 1
      this.#addOccurrence(words[index] as Word, flag, packAdded(firstPosition + first, spanWords, kind))
    }
  }

  /** `flag` says which posting lists the word is for: `formAndStemFlag`, `stemFlag` or `neighboursFlag`. */
  #addOccurrence(word: Word, flag: number, packedPosition: number): void {
    const wordNumber = this.#wordNumbers.get(word) ?? this.#numberWord(word)
    this.#occurrences.add(wordNumber, flag, packedPosition)
  }

  /** Gives the word the next number, and appends its stem and its form to the terms, whose index is that number. */
  #numberWord(word: Word): number {
    const number = this.#wordNumbers.size
    this.#wordNumbers.set(word, number)
    this.#termNumbers.stems.add(word.stem)
    this.#termNumbers.forms.add(word.form)
    return number
  }

  /**
   * Writes the run, returns its layout and empties the inverter. `write` must use the bytes before it returns.
   *
   * A run is a sequence of `key size, key, body size, body` in ascending order of keys. The body is a sequence of
   * `record delta` or, for kinds with positions, of `record delta, size of positions, positions`. Positions are encoded
   * as in a position chunk (posting-list.ts). Sizes are in bytes, and all numbers are varints.
   */
  writeRun(write: (bytes: Uint8Array) => void): RunLayout {
    const hasTitlesOnly = !this.#hasContent
    const partBytes = { forms: 0, stems: 0 }
    const sortedTerms = { forms: this.#termNumbers.forms.toSorted(), stems: this.#termNumbers.stems.toSorted() }
    const writer = new RunWriter(write)
    for (const section of runSections) {
      if (hasTitlesOnly && section.field === 'record') continue
      const sectionStart = writer.size
      this.#writeSection(section, sortedTerms[section.part], writer)
      partBytes[section.part] += writer.size - sectionStart
    }
    writer.flush()
    this.#clear()
    return { partBytes, hasTitlesOnly }
  }

  /** Writes the posting lists of one kind. */
  #writeSection({ kind, part, field, flags }: RunSection, { terms, numbers }: SortedTerms, writer: RunWriter): void {
    const { termOfWord, size: termCount } = this.#termNumbers[part]
    const withPositions = hasPositions(kind)
    const encode = withPositions ? encodePostings : encodeRecords
    const { records, positions, starts } = this.#occurrences.sort({
      field,
      flags,
      termOfWord: Uint32Array.from(termOfWord),
      termCount,
      withPositions,
    })
    for (const [index, term] of terms.entries()) {
      const termNumber = at(numbers, index)
      const from = at(starts, termNumber)
      const to = at(starts, termNumber + 1)
      const occursInSection = from < to
      if (!occursInSection) continue
      encode(writer.body, { records, positions, from, to })
      writer.addBody(kind + term)
    }
  }

  #clear(): void {
    this.#occurrences.clear()
    this.#hasContent = false
    this.#wordNumbers.clear()
    this.#termNumbers.stems.clear()
    this.#termNumbers.forms.clear()
  }
}

/** Writes the keys of a run and their bodies in portions. */
class RunWriter {
  /** The body of the next key, which the caller writes before `addBody`. */
  readonly body = new ByteWriter(1 << 16)
  readonly #portion = new ByteWriter(flushBytes * 2)
  readonly #write: (bytes: Uint8Array) => void
  #flushedBytes = 0

  constructor(write: (bytes: Uint8Array) => void) {
    this.#write = write
  }

  /** The size of everything added so far, in bytes. */
  get size(): number {
    return this.#flushedBytes + this.#portion.length
  }

  addBody(key: string): void {
    const { body } = this
    this.#portion.text(key)
    this.#portion.varint(body.length)
    this.#portion.append(body.bytes, 0, body.length)
    if (this.#portion.length >= flushBytes) this.flush()
  }

  flush(): void {
    this.#write(this.#portion.bytes.subarray(0, this.#portion.length))
    this.#flushedBytes += this.#portion.length
    this.#portion.length = 0
  }
}

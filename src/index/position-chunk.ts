// Reader of a position chunk: the word positions of one term in up to `positionChunkRecordsMax` records
// (posting-list.ts describes the format). Records are numbered from 0 in each chunk. At a position, the term is a word
// as written or an added word: a joined form (`ue1` for `UE-1`) or a synonym. The span of an added word is the words of
// the text that it stands for.
import type { MatchBuffer } from './matches.ts'
import { isSynonym, kindAndSpanMax, spanWordsOf, writtenWord } from './packed-position.ts'
import { ByteReader, toTruncatedError } from './varint.ts'
import type { WordPositions } from './word-positions.ts'

/** Where the word positions of a term in one record are. */
export interface PositionsPlace {
  /** The number of the position chunk in the store. */
  readonly chunk: number
  /** The number of the record in the chunk. */
  readonly recordInChunk: number
}

/** Which matches `PositionChunk.readMatches` reads. */
export interface ReadMatchesOptions {
  readonly withSynonyms: boolean
  /** Matches whose first word is before this word position are left out. */
  readonly from: number
  readonly countMax: number
}

export class PositionChunk {
  readonly #reader: ByteReader
  /** The record that starts at the offset of the reader. */
  #currentRecord = 0

  constructor(bytes: Uint8Array) {
    this.#reader = new ByteReader(bytes)
  }

  /** Replaces the contents of `into` by the positions of the term as a written word in the record. */
  readPositions(recordInChunk: number, into: WordPositions): void {
    into.count = 0
    const reader = this.#reader
    const recordStart = this.#seek(recordInChunk)
    const positionsBytes = reader.varint()
    const positionsEnd = reader.offset + positionsBytes
    /** Twice the word position, plus one for an added word. Differences are stored. */
    let doubled = 0
    while (reader.offset < positionsEnd) {
      doubled += reader.varint()
      if (isWritten(doubled)) into.push(doubled >>> 1)
      // After the position of an added word comes its kind and span as one number, which is not needed here.
      else reader.varint()
    }
    if (reader.offset !== positionsEnd) throw toTruncatedError()
    reader.offset = recordStart
  }

  /**
   * Replaces the contents of `into` by the matches of the term in the record: as a written word or a joined form or,
   * with `withSynonyms`, as a synonym. Reads the first `countMax` matches whose first word is at `from` or after it.
   */
  readMatches(recordInChunk: number, into: MatchBuffer, { withSynonyms, from, countMax }: ReadMatchesOptions): void {
    into.count = 0
    const reader = this.#reader
    const recordStart = this.#seek(recordInChunk)
    const positionsBytes = reader.varint()
    const positionsEnd = reader.offset + positionsBytes
    /** Twice the word position, plus one for an added word. Differences are stored. */
    let doubled = 0
    while (reader.offset < positionsEnd && into.count < countMax) {
      doubled += reader.varint()
      const position = doubled >>> 1
      const kindAndSpan = isWritten(doubled) ? writtenWord : reader.varint()
      // In damaged bytes the number may be too large, or may lie after the end of the positions.
      if (kindAndSpan > kindAndSpanMax || reader.offset > positionsEnd) throw toTruncatedError()
      if (position < from || (isSynonym(kindAndSpan) && !withSynonyms)) continue
      into.push(position, position + spanWordsOf(kindAndSpan) - 1)
    }
    reader.offset = recordStart
  }

  /** Moves the reader to the start of the record, and returns that offset. Records may be read in any order. */
  #seek(recordInChunk: number): number {
    const reader = this.#reader
    if (recordInChunk < this.#currentRecord) {
      reader.offset = 0
      this.#currentRecord = 0
    }
    for (; this.#currentRecord < recordInChunk; this.#currentRecord++) {
      const positionsBytes = reader.varint()
      reader.offset += positionsBytes
    }
    return reader.offset
  }
}

function isWritten(doubled: number): boolean {
  return (doubled & 1) === 0
}

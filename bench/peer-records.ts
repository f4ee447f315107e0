// What a peer is, and the records and questions that it is given.
import { type SampleRecord, sampleRecords } from '../src/sample/records.ts'
import { drawQuestions, type Question, type QuestionKind } from './query-kinds.ts'
import { type BenchRegistry, contentWords } from './registries.ts'
import { seed } from './sample-csv.ts'

/** A peer that is running. */
export interface Peer {
  readonly name: string
  readonly origin: string
  /** The peer's address of the question. */
  toPath(question: Question): string
  stop(): Promise<void>
}

export interface PeerRecord {
  readonly code: string
  readonly title: string
  readonly area: string
  readonly checkinDate: string
  readonly inscriptionDate: string | null
  readonly municipality: string
  readonly links: string
  readonly content: string
}

/** The records of the registry in canonical order. */
export function readSampleRecords({ records }: BenchRegistry): AsyncGenerator<SampleRecord> {
  return sampleRecords({ records, documents: 0, seed, contentWords })
}

export async function* readPeerRecords(registry: BenchRegistry): AsyncGenerator<PeerRecord> {
  for await (const { record, content } of readSampleRecords(registry)) {
    const { code, title, area, checkinDate, inscriptionDate, municipality, links } = record
    yield { code, title, area, checkinDate, inscriptionDate, municipality, links, content }
  }
}

/** Phrases and prefixes are left out: few peers have them, and no two mean the same by them. */
const comparable = [
  'lookup by code',
  'municipality',
  'municipality + year',
  'rare word',
  'very common word',
  'two words',
  'word + municipality + year',
]

export function drawPeerQuestions(registry: BenchRegistry): QuestionKind[] {
  return drawQuestions(registry, comparable)
}

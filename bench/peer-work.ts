// The questions in a form that every peer can put into its own words, and the records as peers store them.
import { sampleRecords } from '../src/sample/records.ts'
import { drawQuestions } from './questions.ts'
import { type BenchRegistry, contentWords, seed } from './registries.ts'

/** What is asked, and our own address for it. */
export interface PeerQuestion {
  readonly path: string
  readonly code?: string
  readonly search?: string
  /** As the records write it: peers compare names as they are. */
  readonly municipality?: string
  readonly year?: string
}

export interface PeerWork {
  readonly work: string
  readonly questions: readonly PeerQuestion[]
}

/** A peer that is running. */
export interface Peer {
  readonly name: string
  readonly origin: string
  /** The peer's address for the question; undefined where it cannot answer it. */
  toPath(question: PeerQuestion): string | undefined
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

export async function* readPeerRecords({ records }: BenchRegistry): AsyncGenerator<PeerRecord> {
  for await (const { record, content } of sampleRecords({ records, documents: 0, seed, contentWords })) {
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

const questionsMax = 2000

export async function drawPeerWork(registry: BenchRegistry): Promise<PeerWork[]> {
  const written = new Map<string, string>()
  for await (const { municipality } of readPeerRecords(registry)) written.set(municipality.toLowerCase(), municipality)
  return drawQuestions(registry.path)
    .filter(({ work }) => comparable.includes(work))
    .map(({ work, paths }) => ({
      work,
      questions: paths.slice(0, questionsMax).map((path) => toQuestion(path, written)),
    }))
}

function toQuestion(path: string, written: ReadonlyMap<string, string>): PeerQuestion {
  const { pathname, searchParams } = new URL(path, 'http://x/')
  const code = /^\/record\/(.+)$/.exec(pathname)?.[1]
  const search = searchParams.get('search')?.toLowerCase()
  const municipality = searchParams.get('municipality')?.toLowerCase()
  const year = searchParams.get('checkin_date')
  return {
    path,
    ...(code === undefined ? {} : { code: decodeURIComponent(code) }),
    ...(search === undefined ? {} : { search }),
    ...(municipality === undefined ? {} : { municipality: written.get(municipality) ?? municipality }),
    ...(year === null ? {} : { year }),
  }
}

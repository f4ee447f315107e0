// A peer is another server that answers the same queries on the same records. This file has the interface of a peer,
// which files in contestants/ implement, and generates the records and queries for it.
import { type SampleRecord, sampleRecords } from '../src/sample/records.ts'
import { type BenchQuery, drawQueries, type QueryKind } from './query-kinds.ts'
import { type BenchRegistry, contentWordRange } from './registries.ts'
import { seed } from './sample-csv.ts'

/** A running peer. */
export interface Peer {
  readonly name: string
  /** For example `http://127.0.0.1:8080`. */
  readonly origin: string
  /** The path of the query in the API of the peer. */
  toPath(query: BenchQuery): string
  /** Whether its responses can have passages: the pieces of text around the words that were found. */
  readonly supportsPassages?: boolean
  stop(): Promise<void>
}

/**
 * What a peer stores of a record. Its responses have all fields but `content`, which is only searched; json-server
 * cannot leave it out.
 */
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

/**
 * Generates the records of the registry again, newest first, as in its results. They are the same as when it was built,
 * because the seed is the same.
 */
export function generateRecords({ records }: BenchRegistry): AsyncGenerator<SampleRecord> {
  return sampleRecords({ records, documents: 0, seed, contentWords: contentWordRange })
}

export async function* generatePeerRecords(registry: BenchRegistry): AsyncGenerator<PeerRecord> {
  for await (const { record, content } of generateRecords(registry)) {
    const { code, title, area, checkinDate, inscriptionDate, municipality, links } = record
    yield { code, title, area, checkinDate, inscriptionDate, municipality, links, content }
  }
}

/** All kinds of query-kinds.ts but phrases and prefixes. Few peers have those, and with rules of their own. */
const comparableKinds = [
  'lookup by code',
  'municipality',
  'municipality + year',
  'rare word',
  'very common word',
  'two words',
  'word + municipality + year',
]

/** The kinds that are also measured with passages. */
const kindsWithPassages = ['rare word', 'very common word', 'two words']

/** If `withPassages` is true, also returns `kindsWithPassages` once more, with queries that ask for passages. */
export function drawPeerQueries(
  registry: BenchRegistry,
  { withPassages }: { readonly withPassages: boolean },
): QueryKind[] {
  const kinds = drawQueries(registry, { only: comparableKinds })
  if (!withPassages) return kinds
  return kinds.concat(
    drawQueries(registry, { only: kindsWithPassages }).map(({ workload, queries }) => ({
      workload: `${workload} with passages`,
      queries: queries.map((query) => ({ ...query, path: `${query.path}&include=passages`, withPassages })),
    })),
  )
}

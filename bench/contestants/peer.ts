// The interface of a peer, which is another server that answers the same queries on the same records.
import type { BenchQuery } from '../query-kinds.ts'
import { type BenchRegistry, generateRecords } from '../registries.ts'

/** A running peer. */
export interface Peer {
  /** For example `http://127.0.0.1:8080`. */
  readonly origin: string
  /** The path of the query in the API of the peer. */
  toPath(query: BenchQuery): string
  /** Whether its responses can have passages: the pieces of text around the words that were found. */
  readonly supportsPassages: boolean
  /** Processor time of all its processes. */
  cpuSeconds(): number
  stop(): Promise<void>
}

/** What a peer stores of a record. Its responses have all fields but `content`, which is only searched. */
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

/** The records of the registry, newest first. */
export async function* generatePeerRecords({ records }: BenchRegistry): AsyncGenerator<PeerRecord> {
  for await (const { record, content } of generateRecords(records)) {
    const { code, title, area, checkinDate, inscriptionDate, municipality, links } = record
    yield { code, title, area, checkinDate, inscriptionDate, municipality, links, content }
  }
}

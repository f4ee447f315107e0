// The peers: other programs that the benchmark runs on the same records, for comparison. json-server and Fastify (npm),
// Datasette (PyPI) and OpenSearch (Maven) are installed into bench/data. The PostgreSQL server is the one that the
// tests use (test/postgres-server.ts).
import type { Peer } from '../peer-records.ts'
import type { BenchRegistry } from '../registries.ts'
import { startDatasette } from './datasette.ts'
import { startJsonServer } from './json-server.ts'
import { startOpenSearch } from './opensearch.ts'
import { startPostgresSearch } from './postgres-search.ts'

/** A peer that can be started. */
export interface PeerKind {
  /** The name of the started peer, by which `--only` chooses it. */
  readonly name: string
  /** Resolves to the reason, as a text, if the peer cannot be installed. */
  start(registry: BenchRegistry): Promise<Peer | string>
}

export const peerKinds: readonly PeerKind[] = [
  { name: 'json-server', start: startJsonServer },
  { name: 'Datasette', start: startDatasette },
  { name: 'PostgreSQL full-text search behind Fastify', start: startPostgresSearch },
  { name: 'OpenSearch', start: startOpenSearch },
]

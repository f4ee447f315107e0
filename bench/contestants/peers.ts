// The peers that are tried, each with its way to be had: json-server from npm and Datasette from PyPI are installed
// into a folder of their own, PostgreSQL comes with the project's test server, OpenSearch is taken where it is running.

import type { Peer } from '../peer-work.ts'
import type { BenchRegistry } from '../registries.ts'
import { startDatasette } from './datasette.ts'
import { startJsonServer } from './json-server.ts'
import { startOpenSearch } from './opensearch.ts'
import { startPostgresSearch } from './postgres-search.ts'

export interface PeerKind {
  readonly name: string
  /** The peer, or the reason why it cannot be had. */
  start(registry: BenchRegistry): Promise<Peer | string>
}

export const peerKinds: readonly PeerKind[] = [
  { name: 'json-server', start: startJsonServer },
  { name: 'Datasette', start: startDatasette },
  { name: 'PostgreSQL full-text search behind Fastify', start: startPostgresSearch },
  { name: 'OpenSearch', start: startOpenSearch },
]

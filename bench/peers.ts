// Compares the service with peers, which are other servers with the same records, each with its own indexes and
// full-text search: Datasette (PyPI), Fastify with PostgreSQL (npm) and OpenSearch (Maven), installed into bench/data.
import { availableParallelism } from 'node:os'
import { startDatasette } from './contestants/datasette.ts'
import { startOpenSearch } from './contestants/opensearch.ts'
import type { Peer } from './contestants/peer.ts'
import { startPostgresSearch } from './contestants/postgres-search.ts'
import { startOurs, waitUntilReady } from './contestants/start.ts'
import { describeRow, measureLoads, ourName, type Rounds, toFigure } from './measure.ts'
import { drawQueries, type QueryKind } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const connections = 32

/** By name, how to start a peer. A string is the reason why it cannot be installed. */
const peers: Readonly<Record<string, (registry: BenchRegistry) => Promise<Peer | string>>> = {
  PostgreSQL: startPostgresSearch,
  OpenSearch: startOpenSearch,
  Datasette: startDatasette,
}

/** Kinds of query-kinds.ts. Few peers have phrases and prefixes, and with rules of their own. */
const comparableKinds = [
  'lookup by code',
  'municipality',
  'municipality + year',
  'rare word',
  'very common word',
  'two words',
  'word + municipality + year',
]
/** The kinds that are also measured with passages: the pieces of text around the words found. */
const kindsWithPassages = ['rare word', 'very common word', 'two words']

/**
 * Prints a table: the processor time of a request of each peer, divided by ours. Every server may use all processors, as
 * most peers do by themselves. `only` has names of peers; without it all are measured.
 */
export async function benchPeers(registry: BenchRegistry, rounds: Rounds, only?: readonly string[]): Promise<void> {
  /** By kind of query, then by peer. */
  const table = new Map<string, Map<string, string>>()
  const ours = await startOurs(`sqlite:${registry.path}`, ['--workers', `${availableParallelism()}`])
  const { origin, pathname } = new URL(ours.baseUrl)
  try {
    for (const [name, start] of Object.entries(peers)) {
      if (only?.includes(name) === false) continue
      process.stderr.write(`${name} …\n`)
      const peer = await start(registry)
      if (typeof peer === 'string') {
        process.stdout.write(`${name}: missing: ${peer}\n`)
        continue
      }
      try {
        for (const { workload, queries } of drawPeerQueries(registry, peer)) {
          // A slow peer may still be busy with requests of the previous kind.
          await waitUntilReady(peer.origin)
          const ourLoad = { connections, origin, paths: queries.map(({ path }) => `${pathname}/${path}`) }
          const theirLoad = { connections, origin: peer.origin, paths: queries.map((query) => peer.toPath(query)) }
          const systems = [
            { name: ourName, load: ourLoad, cpuSeconds: ours.cpuSeconds },
            { name, load: theirLoad, cpuSeconds: peer.cpuSeconds },
          ]
          const rows = await measureLoads(workload, systems, rounds)
          for (const row of rows) process.stderr.write(`${describeRow(row)}\n`)
          table.getOrInsertComputed(workload, () => new Map()).set(name, toFigure(rows[0]?.ratio))
        }
      } finally {
        await peer.stop()
      }
    }
  } finally {
    await ours.stop()
  }
  const names = Object.keys(peers).filter((name) => table.values().some((ratios) => ratios.has(name)))
  const lines = [...table].map(([workload, ratios]) => [workload, ...names.map((name) => ratios.get(name) ?? '')])
  for (const cells of [['times our processor time', ...names], ['---', ...names.map(() => '---')], ...lines])
    process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

/** The kinds of query for a peer; for one with passages, some of them again with passages. */
function drawPeerQueries(registry: BenchRegistry, { supportsPassages }: Peer): QueryKind[] {
  const kinds = drawQueries(registry, { only: comparableKinds })
  if (!supportsPassages) return kinds
  const withPassages = drawQueries(registry, { only: kindsWithPassages }).map(({ workload, queries }) => ({
    workload: `${workload} with passages`,
    queries: queries.map((query) => ({ ...query, path: `${query.path}&include=passages`, withPassages: true })),
  }))
  return [...kinds, ...withPassages]
}

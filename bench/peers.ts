// Compares the service with peers: other servers with the same records, each with its own indexes and full-text search.
// A peer that cannot be installed is reported as missing.
import { availableParallelism } from 'node:os'
import { peerKinds } from './contestants/peers.ts'
import { startOurs, waitUntilReady } from './contestants/start.ts'
import { measureLoads, ourName, type Rounds, type Row } from './measure.ts'
import { drawPeerQueries, type Peer } from './peer-records.ts'
import type { QueryKind } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const connections = 32

/**
 * If a peer completes fewer than 100 requests (`requestsMin` in measure.ts) in the warm-up, it is measured in a single
 * round of this length instead of several short ones. If it completes fewer than 100 in that round too, its requests in
 * progress count as completed: our real ratio to it is then at least the one reported.
 */
const slowSeconds = 20

/**
 * Every server may use all processors, as most peers do by themselves. `only` has names of peers; without it all are
 * measured. The ratio is our requests per second, divided by theirs.
 */
export async function benchPeers(registry: BenchRegistry, rounds: Rounds, only?: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  const ours = await startOurs(`sqlite:${registry.path}`, ['--workers', `${availableParallelism()}`])
  try {
    const chosenPeers = peerKinds.filter(({ name }) => only === undefined || only.includes(name))
    for (const { name, start } of chosenPeers) {
      process.stderr.write(`${name} …\n`)
      const peer = await start(registry)
      // A string is the reason why the peer cannot be started.
      if (typeof peer === 'string') {
        process.stdout.write(`${name}: missing: ${peer}\n`)
        continue
      }
      try {
        // Passages are the pieces of text around the words found. A peer without them is compared on fewer kinds.
        const kinds = drawPeerQueries(registry, { withPassages: peer.supportsPassages ?? false })
        for (const kind of kinds) rows.push(...(await benchPeer(registry.records, ours.baseUrl, peer, kind, rounds)))
      } finally {
        await peer.stop()
      }
    }
  } finally {
    await ours.stop()
  }
  return rows
}

/** Compares us with the peer for one kind of query. */
async function benchPeer(
  records: number,
  ourBase: string,
  peer: Peer,
  { workload, queries }: QueryKind,
  rounds: Rounds,
): Promise<Row[]> {
  // A slow peer may still be busy with requests of the previous kind of query, and does not respond until they end.
  await waitUntilReady(peer.origin)
  const { origin, pathname } = new URL(ourBase)
  const ourPaths = queries.map(({ path }) => `${pathname}/${path}`)
  const theirPaths = queries.map((query) => peer.toPath(query))
  return measureLoads({
    records,
    workload: `${workload}, against ${peer.name}`,
    systems: [
      { name: ourName, load: { connections, origin, paths: ourPaths } },
      { name: peer.name, load: { connections, origin: peer.origin, paths: theirPaths }, slowSeconds },
    ],
    rounds,
    threshold: { atLeast: 1 },
  })
}

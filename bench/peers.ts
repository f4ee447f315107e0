// The peers: other ways to put the same records on the web, each with its own indexes and full-text search, each
// asked what it can do. One that cannot be had on this machine is said to be missing.

import { peerKinds } from './contestants/peers.ts'
import { startOurs } from './contestants/start.ts'
import { measureLoads, type Rounds, type Row } from './measure.ts'
import { drawPeerWork, type Peer, type PeerWork } from './peer-work.ts'
import type { BenchRegistry } from './registries.ts'

export async function benchPeers(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  const rows: Row[] = []
  const work = await drawPeerWork(registry)
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    for (const kind of peerKinds) {
      const peer = await kind.start(registry)
      if (typeof peer === 'string') {
        process.stdout.write(`${kind.name}: missing: ${peer}\n`)
        continue
      }
      try {
        for (const each of work) rows.push(...(await benchPeer(registry.records, ours.origin, peer, each, rounds)))
      } finally {
        await peer.stop()
      }
    }
  } finally {
    await ours.stop()
  }
  return rows
}

async function benchPeer(
  records: number,
  base: string,
  peer: Peer,
  { work, questions }: PeerWork,
  rounds: Rounds,
): Promise<Row[]> {
  const theirs = questions.map((question) => peer.toPath(question)).filter((path) => path !== undefined)
  if (theirs.length === 0) return []
  const { origin, pathname } = new URL(base)
  const paths = questions.map(({ path }) => `${pathname}/${path}`)
  const load = { connections: 32, seconds: 1 }
  return measureLoads(
    records,
    `${work} (against ${peer.name})`,
    [
      { name: 'planning-registry', load: { ...load, origin, paths } },
      { name: peer.name, load: { ...load, origin: peer.origin, paths: theirs } },
    ],
    rounds,
    { atLeast: 1 },
  )
}

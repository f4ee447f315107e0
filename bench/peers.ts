// The peers: other ways to put the same records on the web, each with its own indexes and full-text search. A peer
// that cannot be installed on this machine is reported as missing.
import { peerKinds } from './contestants/peers.ts'
import { startOurs, untilAnswers } from './contestants/start.ts'
import { measureLoads, ourName, type Rounds, type Row } from './measure.ts'
import { drawPeerQuestions, type Peer } from './peer-records.ts'
import type { QuestionKind } from './query-kinds.ts'
import type { BenchRegistry } from './registries.ts'

const connections = 32

/** A peer that completes fewer than 100 requests in this time is reported as "more than N times" slower. */
export const slowSeconds = 20

export async function benchPeers(registry: BenchRegistry, rounds: Rounds, only?: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  const kinds = drawPeerQuestions(registry)
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    for (const { name, start } of peerKinds.filter((each) => only === undefined || only.includes(each.name))) {
      process.stderr.write(`${name} …\n`)
      const peer = await start(registry)
      if (typeof peer === 'string') {
        process.stdout.write(`${name}: missing: ${peer}\n`)
        continue
      }
      try {
        for (const kind of kinds) rows.push(...(await benchPeer(registry.records, ours.origin, peer, kind, rounds)))
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
  { work, questions }: QuestionKind,
  rounds: Rounds,
): Promise<Row[]> {
  // A slow peer may still be at the requests of the row before.
  await untilAnswers(peer.origin)
  const { origin, pathname } = new URL(base)
  const paths = questions.map(({ path }) => `${pathname}/${path}`)
  const theirs = questions.map((question) => peer.toPath(question))
  return measureLoads(
    records,
    `${work}, against ${peer.name}`,
    [
      { name: ourName, load: { connections, origin, paths } },
      { name: peer.name, load: { connections, origin: peer.origin, paths: theirs }, slowSeconds },
    ],
    rounds,
    { atLeast: 1 },
  )
}

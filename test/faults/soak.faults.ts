// Everything at once for a while: searches, exports, aborts, new snapshots. SOAK_MINUTES says for how long; what must
// hold is that nothing fails and that memory and descriptors are flat.
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServeProcess, startServe, until } from '../operate/serve.ts'
import { publishRecords } from '../service.ts'
import { countDescriptors, Load, pause, readMemoryMb } from './load.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 2)

const paths = [
  ...[
    'record',
    'record?limit=20',
    'record/S-17',
    'record?search=plan',
    'record?search=suelo%20urbano&limit=5',
    'summary',
  ],
  ...[
    'record?search=pla*',
    'record?municipality=Avila&limit=3',
    'municipality',
    'summary?search=sector',
    'openapi.json',
  ],
  ...['record?search=no-such-word', 'record?checking_date=2004', 'record/%FF', 'nothing', 'docs'],
]

test(`a soak of ${minutes} minutes: nothing fails, memory and descriptors are flat`, async (context) => {
  await using serve = await startServe(toRecords(0), {})
  const pid = serve.child.pid ?? 0
  const load = new Load(serve.base, 8, paths, [200, 400, 404])
  const memoriesMb: number[] = []
  const endsMs = performance.now() + minutes * 60_000
  let editions = 0
  let aborts = 0
  let descriptorsMax = 0
  while (performance.now() < endsMs) {
    editions += 1
    await publishRecords(`sqlite:${serve.folder}/next.db`, toRecords(editions))
    await rename(join(serve.folder, 'next.db'), serve.file)
    for (let n = 0; n < 20; n++, aborts++) await abort(serve)
    await pause(2_000)
    memoriesMb.push(readMemoryMb(pid))
    descriptorsMax = Math.max(descriptorsMax, countDescriptors(pid))
  }
  const seen = await load.stop()
  assert.deepEqual(seen.failed, [])
  // A replaced snapshot is kept for some seconds more, so a few of them are open at once.
  await until(async () => countDescriptors(pid) < 60)
  const half = Math.floor(memoriesMb.length / 2)
  const earlierMb = Math.max(...memoriesMb.slice(Math.floor(half / 2), half))
  const laterMb = Math.max(...memoriesMb.slice(half))
  assert.ok(laterMb < earlierMb * 1.25 + 20, `${earlierMb} MB in the first half, ${laterMb} MB in the second`)
  assert.ok(descriptorsMax < 200, `${descriptorsMax} descriptors`)
  context.diagnostic(
    `${editions + aborts} injections: ${seen.answered} answered, 0 failed, p99 ${seen.p99Ms.toFixed(1)} ms, ` +
      `${editions} snapshots, ${aborts} aborts; at most ${Math.round(earlierMb)} MB in the first half, ${Math.round(laterMb)} MB in the second`,
  )
})

function toRecords(edition: number): { code: string; title: string; content: string }[] {
  return Array.from({ length: 2_000 }, (_, n) => ({
    code: `S-${n}`,
    title: `Plan Parcial ${n} del sector ${n % 13}, edición ${edition}`,
    content: 'suelo urbano y urbanizable',
  }))
}

async function abort({ port }: ServeProcess): Promise<void> {
  const socket = connect(port, '127.0.0.1')
  socket.on('error', () => {})
  socket.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise((resolve) => socket.once('data', resolve))
  socket.destroy()
}

// Soak test: searches, exports, aborted requests and new snapshots for SOAK_MINUTES. Nothing may fail, and memory and
// descriptors must be stable. It prints the state every minute.
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { type ServeProcess, startServe, until } from '../server/serve.ts'
import { publishRecords } from '../service.ts'
import { countDescriptors, Load, pause, readMemoryMb } from './load.ts'

const minutes = Number(process.env.SOAK_MINUTES ?? 2)

/** Valid, unsuccessful and malformed requests. */
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

test(`a soak of ${minutes} minutes: nothing fails, memory and descriptors are stable`, async (context) => {
  await using serve = await startServe(toRecords(0), {})
  const pid = serve.child.pid ?? 0
  const load = new Load(serve.base, 8, paths, [200, 400, 404])
  const memoriesMb: number[] = []
  const startedAt = performance.now()
  let editions = 0
  let aborts = 0
  let descriptorsMax = 0
  let minutesPrinted = 0
  while (performance.now() - startedAt < minutes * 60_000) {
    editions += 1
    await publishRecords(`sqlite:${serve.folder}/next.db`, toRecords(editions))
    await rename(join(serve.folder, 'next.db'), serve.file)
    for (let n = 0; n < 20; n++, aborts++) await abort(serve)
    await pause(2_000)
    memoriesMb.push(readMemoryMb(pid))
    descriptorsMax = Math.max(descriptorsMax, countDescriptors(pid))
    if (performance.now() - startedAt < (minutesPrinted + 1) * 60_000) continue
    minutesPrinted += 1
    const memoryMb = Math.round(memoriesMb.at(-1) ?? 0)
    process.stderr.write(`minute ${minutesPrinted}: ${memoryMb} MB, ${load.answered} answered, ${editions} snapshots\n`)
  }
  const seen = await load.stop()
  assert.deepEqual(seen.failed, [])
  // A replaced snapshot stays open for some seconds. 60 descriptors are a few more than an idle service has.
  await until(async () => countDescriptors(pid) < 60)
  // Caches fill during the first quarter.
  const quarter = Math.floor(memoriesMb.length / 4)
  const earlierMb = medianOf(memoriesMb.slice(quarter, 2 * quarter))
  const laterMb = medianOf(memoriesMb.slice(-quarter))
  assert.ok(laterMb < earlierMb * 1.1 + 10, `${earlierMb} MB in the second quarter, ${laterMb} MB in the last`)
  assert.ok(descriptorsMax < 200, `${descriptorsMax} descriptors`)
  context.diagnostic(
    `${editions + aborts} injections: ${seen.answered} answered, 0 failed, p99 ${seen.p99Ms.toFixed(1)} ms, ` +
      `${editions} snapshots, ${aborts} aborts; ${Math.round(earlierMb)} MB in the second quarter, ${Math.round(laterMb)} MB in the last`,
  )
})

function medianOf(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0
}

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

// Soak tests: searches, exports, slow and aborted requests and new snapshots for SOAK_MINUTES each. With one process
// nothing may fail, and memory and descriptors must be stable; with two workers, which are killed in turn, no response
// may be wrong. They print the state every minute.
import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { connect } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { workerSettledMs } from '../../src/http/limits.ts'
import { CheckedLoad, checkedRecords } from '../server/checked-load.ts'
import { readMetric, type ServeProcess, startServe, until } from '../server/serve.ts'
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
  const slowReader = new SlowReader(serve)
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
  await slowReader.stop()
  assert.deepEqual(seen.failed, [])
  assert.ok(slowReader.exports > 0)
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
      `${editions} snapshots, ${aborts} aborts, ${slowReader.exports} slow exports; ${Math.round(earlierMb)} MB in the second quarter, ${Math.round(laterMb)} MB in the last`,
  )
})

test(`a soak of ${minutes} minutes with workers that are killed in turn: no response is wrong`, async (context) => {
  const connections = 8
  await using serve = await startServe(checkedRecords, { flags: ['--workers', '2'] })
  const load = new CheckedLoad(serve.base, connections)
  const startedAt = performance.now()
  let kills = 0
  let editions = 0
  while (performance.now() - startedAt < minutes * 60_000) {
    editions += 1
    const records = checkedRecords.map((record) => ({ ...record, content: `edición ${editions}` }))
    await publishRecords(`sqlite:${serve.folder}/next.db`, records)
    await rename(join(serve.folder, 'next.db'), serve.file)
    for (let n = 0; n < 20; n++) await abort(serve)
    await pause(workerSettledMs)
    kills += 1
    process.kill((await serve.workers())[kills % 2] ?? 0, 'SIGKILL')
    await until(async () => serve.log().filter(({ msg }) => msg === 'worker died').length === kills)
    await until(async () => (await readMetric(serve, 'planning_registry_ready')) === 2)
    assert.deepEqual(load.wrong, [])
  }
  await load.stop()
  assert.deepEqual(load.wrong, [])
  const { failures, answered } = load
  assert.ok(failures.length <= kills * connections, `${failures.length} failures after ${kills} kills`)
  assert.ok(!serve.log().some(({ msg }) => msg === 'worker hangs, it is killed'))
  context.diagnostic(
    `${kills} injections: ${answered} answered, 0 wrong, ${failures.length} connections broken, ${editions} snapshots`,
  )
})

/** A client that reads exports slowly, one after the other. Each must be whole and belong to one snapshot. */
class SlowReader {
  exports = 0
  #isStopped = false
  readonly #reading: Promise<void>

  constructor({ base }: ServeProcess) {
    this.#reading = this.#read(base)
    // `stop` reports the error.
    this.#reading.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#reading
  }

  async #read(base: string): Promise<void> {
    while (!this.#isStopped) {
      const response = await fetch(`${base}/record`, { headers: { 'accept-encoding': 'identity' } })
      const decoder = new TextDecoder()
      let body = ''
      for await (const chunk of response.body ?? []) {
        body += decoder.decode(chunk, { stream: true })
        await pause(50)
      }
      const { resultadoBusqueda }: { resultadoBusqueda: { title: string }[] } = JSON.parse(body)
      const editions = new Set(resultadoBusqueda.map(({ title }) => title.split(', ')[1]))
      assert.equal(resultadoBusqueda.length, toRecords(0).length)
      assert.equal(editions.size, 1, 'an export is of one snapshot')
      this.exports += 1
    }
  }
}

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

// Clients that send requests and never read (never-read.ts), while the service has little memory. The limit is the
// resource limit on resident memory, which the service keeps to and Linux does not enforce. The test measures what a
// control group would be charged: the anonymous memory of all processes and the send queues of the kernel.
import assert from 'node:assert/strict'
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { after, before, test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { readMetric, type ServeProcess } from '../server/serve.ts'
import { buildLargeRegistry, type LargeRegistry } from './large-registry.ts'
import { Load, pause } from './load.ts'

let registry: LargeRegistry

before(async () => {
  registry = await buildLargeRegistry(20_000)
})
after(() => registry[Symbol.asyncDispose]())

const connections = 5_000

for (const limitMb of [300, 700, 2_000]) {
  for (const workers of [1, 2]) {
    const processesText = `${workers} ${workers === 1 ? 'process' : 'workers'}`
    const attack = `${connections} connections that never read, ${limitMb} MB, ${processesText}`
    test(`${attack}: no crash, within the limit, others are served`, async (context) => {
      const limitBytes = limitMb * 1024 * 1024
      await using serve = await registry.serve({
        wrapper: ['prlimit', `--rss=${limitBytes}`, '--nofile=20000'],
        flags: ['--workers', String(workers)],
        // The defaults of Node in a control group of that size.
        nodeFlags: [`--max-old-space-size=${limitMb / 2}`, `--max-semi-space-size=${limitMb < 1_000 ? 2 : 8}`],
      })
      const processes = [serve.child.pid ?? 0, ...(await serve.workers())]
      const load = new Load(serve.base, { connections: 2, paths: ['record/R-00000007', 'record/R-00001234'] })
      const attacker = fork(fileURLToPath(new URL('./never-read.ts', import.meta.url)), [
        String(serve.port),
        String(connections),
      ])
      const allRequested = once(attacker, 'message')
      let peakBytes = 0
      const sampler = setInterval(() => {
        peakBytes = Math.max(peakBytes, readChargedBytes(processes, serve))
      }, 100)
      await allRequested
      // The service still writes responses, so its send queues may still grow.
      await pause(3_000)
      clearInterval(sampler)
      attacker.kill('SIGKILL')
      const summary = await load.stop()
      assert.deepEqual([serve.child.pid ?? 0, ...(await serve.workers())], processes, 'no process died')
      assert.deepEqual(summary.failed, [])
      assert.ok(summary.answered > 10)
      assert.ok(peakBytes < limitBytes, `${toMb(peakBytes)} MB`)
      const closed = await readMetric(serve, 'planning_registry_stalled_closed_total')
      // run.ts reads the number of injected faults from this text.
      context.diagnostic(
        `${connections} injections: at most ${toMb(peakBytes)} MB, ${closed} closed, ` +
          `${summary.answered} others answered, the slowest after ${Math.round(summary.slowestMs)} ms`,
      )
    })
  }
}

/** The anonymous memory of the processes and the kernel's send queues of their connections, together. */
function readChargedBytes(processes: readonly number[], { port }: ServeProcess): number {
  const anonymousBytes = processes.map((pid) => {
    const kilobytes = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]
    return Number(kilobytes) * 1024
  })
  const portInHex = port.toString(16).toUpperCase().padStart(4, '0')
  // Non-empty send queues of connections with this local port, such as `00000A00` of 127.0.0.1:8080 (1F90) in
  // `   0: 0100007F:1F90 0100007F:C350 01 00000A00:00000000`.
  const queues = readFileSync('/proc/net/tcp', 'latin1').matchAll(
    new RegExp(`^ *\\d+: [0-9A-F]+:${portInHex} \\S+ \\w\\w (?!0{8})([0-9A-F]{8}):`, 'gm'),
  )
  let bytes = anonymousBytes.reduce((sum, value) => sum + value, 0)
  for (const [, queued = ''] of queues) bytes += Number.parseInt(queued, 16)
  return bytes
}

function toMb(bytes: number): number {
  return Math.round(bytes / 1024 / 1024)
}

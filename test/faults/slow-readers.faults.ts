// Slow clients: an export, the streamed response with all records, arrives complete, directly and behind nginx.
import assert from 'node:assert/strict'
import { get } from 'node:http'
import { after, before, test } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import { buildLargeRegistry, type LargeRegistry } from './large-registry.ts'
import { startNginx } from './nginx.ts'
import { requireTool } from './tools.ts'

let registry: LargeRegistry

before(async () => {
  // The export has 12 MB, three times the kernel's send queue, so the service must wait for the client.
  registry = await buildLargeRegistry(40_000)
})
after(() => registry[Symbol.asyncDispose]())

// At these speeds an export takes two minutes, or more than three. The service (`stalledReaderMs`) and nginx
// (`send_timeout`) close a connection only if its client makes no progress for five minutes.
test('exports read at 100 KB/s and at 60 KB/s arrive complete, directly and behind nginx', async (context) => {
  await requireTool('nginx')
  await using serve = await registry.serve()
  await using nginx = await startNginx(serve)
  const expected = await (await fetch(`${serve.base}/record`)).bytes()
  const reads = [serve.base, nginx.base].flatMap((base) => [100, 60].map((rate) => readSlowly(`${base}/record`, rate)))
  for (const body of await Promise.all(reads)) assert.ok(body.equals(expected))
  // run.ts reads the number of injected faults from this text.
  context.diagnostic(`${reads.length} injections: ${expected.length} bytes each, all complete`)
})

/** Reads a response at this speed. Rejects if it is incomplete. */
function readSlowly(url: string, kilobytesPerSecond: number): Promise<Buffer> {
  return new Promise((resolve, reject) => {
    get(url, { agent: false }, async (response) => {
      const chunks: Buffer[] = []
      const startedAt = performance.now()
      let bytes = 0
      try {
        for await (const chunk of response) {
          chunks.push(chunk)
          bytes += chunk.length
          // A kilobyte per second is a byte per millisecond.
          const aheadMs = bytes / kilobytesPerSecond - (performance.now() - startedAt)
          if (aheadMs > 0) await pause(aheadMs)
        }
        resolve(Buffer.concat(chunks))
      } catch (error) {
        reject(error)
      }
    }).once('error', reject)
  })
}

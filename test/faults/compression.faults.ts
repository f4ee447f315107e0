// Clients that pipeline many HEAD requests while the service has little memory. For HEAD the service compresses the
// body as for GET, but the client gets only headers, so many requests cost it little. Each compression takes megabytes,
// so the service runs only a few at a time.
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { referenceScript } from '../../src/api/html.ts'
import { createControlGroup } from './control-group.ts'
import { buildLargeRegistry, type LargeRegistry } from './large-registry.ts'
import { readPeakMb } from './load.ts'

let registry: LargeRegistry

before(async () => {
  registry = await buildLargeRegistry(5_000)
})
after(() => registry[Symbol.asyncDispose]())

/** The memory limit. A few compressions at a time need less, hundreds would need more. */
const limitMb = 400

/**
 * What is requested (for the title of the test), how often, and the path of the nth request. The first attack repeats
 * one path. In the others no two paths are the same, so no response comes from the response cache.
 */
const attacks: readonly [what: string, requests: number, toPath: (n: number) => string][] = [
  ['the same file', 400, () => 'openapi.json'],
  ['files with different queries', 400, (n) => `${referenceScript.name}?${n}`],
  ['different result pages', 300, (n) => `record?limit=${1000 - n}`],
]

for (const [what, requests, toPath] of attacks) {
  // `identity;q=0` refuses uncompressed bodies, so that the service also compresses small ones.
  for (const coding of ['zstd', 'br, identity;q=0']) {
    test(`${requests} pipelined HEADs of ${what} (${coding}), ${limitMb} MB: all answered`, async (context) => {
      using group = createControlGroup(`compression-${process.pid}`, limitMb * 1024 * 1024)
      await using serve = await registry.serve({ wrapper: group.wrapper })
      const socket = connect(serve.port, '127.0.0.1')
      const headRequests = Array.from(
        { length: requests },
        (_, n) => `HEAD /registry/${toPath(n)} HTTP/1.1\r\nHost: a\r\nAccept-Encoding: ${coding}\r\n\r\n`,
      )
      socket.write(`${headRequests.join('')}GET /registry/record/none HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n`)
      let responses = ''
      for await (const chunk of socket.setEncoding('latin1')) responses += chunk
      // The service is one process. It has the pid of the wrapper, which replaces itself by the service (exec).
      const peakMb = readPeakMb(serve.child.pid ?? 0)
      // One more for the GET request at the end, which closes the connection.
      assert.equal([...responses.matchAll(/^HTTP\/1\.1 \d{3} /gm)].length, requests + 1)
      assert.equal(group.countOomKills(), 0)
      assert.ok(peakMb < limitMb, `${peakMb} MB`)
      // run.ts puts the number of injections, which are the HEAD requests here, in its table.
      context.diagnostic(`${requests} injections: at most ${Math.round(peakMb)} MB`)
    })
  }
}

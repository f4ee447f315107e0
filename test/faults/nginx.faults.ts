// Workers killed behind nginx with deploy/nginx.conf: nginx repeats the requests, and no client notices.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { CheckedLoad, checkedRecords } from '../server/checked-load.ts'
import { startServe, until } from '../server/serve.ts'
import { killCount, killWorkers } from './kill.ts'
import { startNginx } from './nginx.ts'
import { requireTool } from './tools.ts'

for (const connections of [1, 8, 32]) {
  test(`a worker killed behind nginx under ${connections} keep-alive ${connections === 1 ? 'connection' : 'connections'}: no request fails`, async (context) => {
    await requireTool('nginx')
    await using serve = await startServe(checkedRecords, { flags: ['--workers', '2'] })
    await using nginx = await startNginx(serve)
    const load = new CheckedLoad(nginx.base, connections)
    const successorMs = await killWorkers(serve, connections, async () => {
      const { answered } = load
      await until(async () => load.answered > answered + 100)
    })
    await load.stop()
    assert.deepEqual(load.wrong, [])
    assert.deepEqual(load.failures, [])
    context.diagnostic(
      `${killCount} injections: ${load.answered} answered, 0 failed, replaced after ${successorMs.join(', ')} ms`,
    )
  })
}

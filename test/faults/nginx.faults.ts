// Workers killed behind nginx with deploy/nginx.conf: nginx repeats their requests, and no client notices. The clients
// check every response (../server/checked-load.ts).
import { test } from 'node:test'
import { distinctRecords } from '../server/checked-load.ts'
import { startServe } from '../server/serve.ts'
import { killWorkersBehindProxy } from './kill.ts'
import { startNginx } from './nginx.ts'
import { requireTool } from './tools.ts'

for (const connections of [1, 8, 32]) {
  const connectionsText = `${connections} keep-alive ${connections === 1 ? 'connection' : 'connections'}`
  test(`workers killed behind nginx under ${connectionsText}: no request fails`, async (context) => {
    await requireTool('nginx')
    await using serve = await startServe(distinctRecords, { flags: ['--workers', '2'] })
    await using nginx = await startNginx(serve)
    await killWorkersBehindProxy(serve, nginx, { connections, context })
  })
}

// `npm start`, as a container or a service manager runs it: SIGTERM goes to npm, and must end the service that npm
// started.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { startService } from '../service.ts'
import { until } from './serve.ts'

test('SIGTERM to npm start ends the service', async () => {
  await using registry = await startService([{ code: 'A-1' }])
  const npm = spawn('npm', ['start'], {
    cwd: fileURLToPath(new URL('../..', import.meta.url)),
    env: { ...process.env, DATABASE_URL: registry.database, HOST: '127.0.0.1', PORT: '0' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const exited = once(npm, 'exit')
  let stdout = ''
  npm.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    stdout += chunk
  })
  const address = await until(async () => /^listening on (\S+)$/m.exec(stdout)?.[1])
  assert.equal((await fetch(`${address}/record`)).status, 200)
  npm.kill('SIGTERM')
  await exited
  // npm may exit before the service, which has ended when it accepts no new connection.
  await until(async () =>
    fetch(`${address}/record`, { headers: { connection: 'close' } }).then(
      () => false,
      () => true,
    ),
  )
})

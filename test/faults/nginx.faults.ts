// Workers killed behind nginx, as deploy/nginx.conf puts it in front of them: it repeats what a dead worker did not
// answer, and no client notices.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { type AddressInfo, createServer } from 'node:net'
import { join } from 'node:path'
import { test } from 'node:test'
import { CheckedLoad, checkedRecords } from '../server/checked-load.ts'
import { type ServeProcess, startServe, until } from '../server/serve.ts'
import { killsOfEach, killWorkers } from './kill.ts'
import { requireTool } from './tools.ts'

for (const connections of [1, 8, 32]) {
  test(`a worker killed behind nginx under ${connections} kept ${connections === 1 ? 'connection' : 'connections'}: no request fails`, async (context) => {
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
      `${killsOfEach} injections: ${load.answered} answered, 0 failed, replaced after ${successorMs.join(', ')} ms`,
    )
  })
}

interface Nginx extends AsyncDisposable {
  readonly base: string
}

/** The configuration of deploy/nginx.conf, on a free port and without TLS. */
async function startNginx(serve: ServeProcess): Promise<Nginx> {
  const port = await findFreePort()
  const site = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
    .replace(/listen 443 .*;/, `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*;$/gm, '')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${serve.port}`)
  const file = join(serve.folder, 'nginx.conf')
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(serve.folder, name)};`,
  )
  await writeFile(
    file,
    `daemon off; pid ${join(serve.folder, 'nginx.pid')}; worker_processes 2; events {}
    http { access_log off; ${paths.join(' ')} ${site} }`,
  )
  const child = spawn('nginx', ['-c', file, '-e', join(serve.folder, 'nginx-error.log')], { stdio: 'inherit' })
  const base = `http://127.0.0.1:${port}/registry`
  await until(async () => {
    if (child.exitCode !== null) throw new Error('nginx did not start')
    return fetch(`${base}/record/A-1`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    base,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

async function findFreePort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  server.close()
  return port
}

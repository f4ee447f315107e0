// Signals while a service starts, and a database that goes away meanwhile.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { type AddressInfo, connect, createServer } from 'node:net'
import { createInterface } from 'node:readline'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { entry } from '../command.ts'
import { findFreePort } from '../free-port.ts'
import { createStoredRegistry, makeDataDir } from '../registry/stores/fixture.ts'
import { startService } from '../service.ts'
import { isAlive, readChildren, until } from './serve.ts'

test('SIGTERM during the start ends the workers that are starting', async () => {
  await using registry = await startService([{ code: 'A-1' }])
  // So many workers that they do not all listen before the signal arrives.
  const args = ['serve', '--database', registry.database, '--port', '0', '--workers', '20']
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'inherit'] })
  const ended = once(child, 'exit')
  const output = text(child.stdout)
  const workers = await until(async () => {
    const pids = await readChildren(child.pid ?? 0)
    return pids.length > 0 && pids
  })
  child.kill('SIGTERM')
  // The arguments of the event: exit status and signal.
  assert.deepEqual(await ended, [0, null])
  // A service that listens would have printed its address.
  assert.equal(await output, '')
  assert.deepEqual(workers.filter(isAlive), [])
})

test('a service that waits for PostgreSQL is live and not ready, and its metrics say so', async () => {
  const [port, adminPort] = [await findFreePort(), await findFreePort()]
  const address = `postgres://reader@127.0.0.1:${port}/registry`
  await using dir = await makeDataDir()
  const flags = ['--data-dir', dir.path, '--port', '0', '--admin-port', String(adminPort)]
  const args = ['serve', '--database', address, ...flags]
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'ignore', 'pipe'] })
  const ended = once(child, 'exit')
  for await (const line of createInterface({ input: child.stderr })) if (line.includes('waiting for the store')) break
  const ask = (path: string): Promise<Response> => fetch(`http://127.0.0.1:${adminPort}/${path}`)
  assert.equal((await ask('live')).status, 200)
  assert.equal((await ask('ready')).status, 503)
  assert.match(await (await ask('metrics')).text(), /^planning_registry_store_up 0$/m)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

for (const workers of [1, 2]) {
  test(`SIGTERM ends a service that waits for PostgreSQL, --workers ${workers}`, async () => {
    const address = `postgres://reader@127.0.0.1:${await findFreePort()}/registry`
    await using dir = await makeDataDir()
    const flags = ['--data-dir', dir.path, '--port', '0', '--workers', String(workers)]
    const child = spawn(process.execPath, [entry, 'serve', '--database', address, ...flags], {
      stdio: ['ignore', 'ignore', 'pipe'],
    })
    const ended = once(child, 'exit')
    for await (const line of createInterface({ input: child.stderr })) if (line.includes('waiting for the store')) break
    child.kill('SIGTERM')
    // The status is 0 because the process handles SIGTERM. Without a handler, the first process of a container would
    // ignore the signal.
    assert.deepEqual(await ended, [0, null])
  })
}

for (const workers of [1, 2]) {
  test(`a service whose database goes away while it fetches the registry waits until it is back, --workers ${workers}`, async () => {
    await using registry = await createStoredRegistry()
    await registry.publish([{ code: 'A-1' }])
    await using dir = await makeDataDir()
    // Forwards the first connection and cuts it in the middle of the file, so that the service finds PostgreSQL
    // running. Refuses further connections until the log says that the service waits.
    const proxy = createServer((client) => {
      const server = connect(Number(new URL(registry.url).port), '127.0.0.1')
      for (const [from, to] of [[client, server] as const, [server, client] as const]) {
        from.on('error', () => to.destroy()).pipe(to)
      }
      if (hasWaited) return
      proxy.close()
      server.on('data', () => {
        if (server.bytesRead > 20_000) client.destroy()
      })
    })
    let hasWaited = false
    proxy.listen(0, '127.0.0.1')
    await once(proxy, 'listening')
    const { port } = proxy.address() as AddressInfo
    const address = new URL(registry.url)
    address.port = String(port)
    const flags = ['--data-dir', dir.path, '--port', '0', '--workers', String(workers)]
    const args = ['serve', '--database', address.href, ...flags]
    const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
    const ended = once(child, 'exit')
    const firstOutput = once(child.stdout, 'data')
    for await (const line of createInterface({ input: child.stderr })) {
      if (line.includes('waiting for the store')) break
    }
    child.stderr.resume()
    hasWaited = true
    proxy.listen(port, '127.0.0.1')
    const [line] = await Promise.race([firstOutput, ended])
    assert.match(String(line), /^listening on /)
    child.kill('SIGTERM')
    assert.deepEqual(await ended, [0, null])
    proxy.close()
  })
}

test('SIGHUP and SIGUSR2 during the start do not end the service', async () => {
  await using registry = await startService([{ code: 'A-1' }])
  const args = ['serve', '--database', registry.database, '--port', '0']
  const child = spawn(process.execPath, [entry, ...args], { stdio: ['ignore', 'pipe', 'ignore'] })
  const ended = once(child, 'exit')
  const firstOutput = once(child.stdout, 'data')
  await until(async () => handlesHangup(child.pid ?? 0))
  child.kill('SIGHUP')
  child.kill('SIGUSR2')
  const [line] = await Promise.race([firstOutput, ended])
  assert.match(String(line), /^listening on /)
  child.kill('SIGTERM')
  assert.deepEqual(await ended, [0, null])
})

/** Whether the process handles SIGHUP (Linux): it is the lowest bit of the hexadecimal mask `SigCgt`. */
function handlesHangup(pid: number): boolean {
  return /^SigCgt:\t[0-9a-f]*[13579bdf]$/m.test(readFileSync(`/proc/${pid}/status`, 'utf8'))
}

// Kept connections whose worker dies: another worker reads on where it stopped, or they end; none hangs, and none gets
// an answer to another question. A worker that is stopped leaves what comes unread, like one that dies before it reads.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { connect, type Socket } from 'node:net'
import { test } from 'node:test'
import { keepAliveTimeoutMs } from '../../src/api/limits.ts'
import { isHeld, readHeld } from './held.ts'
import { type ServeProcess, startServe, until } from './serve.ts'

const records = [{ code: 'A-1' }, { code: 'A-2' }, { code: 'A-3' }]
const twoWorkers = { flags: ['--workers', '2'] }

test('a kept connection outlives its worker, and the next one too', async () => {
  await using serve = await startServe(records, twoWorkers)
  const client = await openKept(serve)
  const first = readProcessId(await ask(client, 'record/A-1'))
  await killUnread(serve, client)
  const second = await readAnswer(client)
  assert.match(second, /^HTTP\/1\.1 200 [\s\S]*"E-A-2"/)
  assert.notEqual(readProcessId(second), first)
  await killUnread(serve, client)
  assert.match(await readAnswer(client), /^HTTP\/1\.1 200 [\s\S]*"E-A-2"/)
  assert.match(await ask(client, 'record/A-3'), /^HTTP\/1\.1 200 [\s\S]*"E-A-3"/)
  client.destroy()
})

test('where no worker is left, kept connections wait for a successor', async () => {
  await using serve = await startServe(records, twoWorkers)
  const client = await openKept(serve)
  const workers = await serve.workers()
  for (const pid of workers) process.kill(pid, 'SIGSTOP')
  client.write(toRequest('record/A-2'))
  for (const pid of workers) process.kill(pid, 'SIGKILL')
  assert.match(await readAnswer(client), /^HTTP\/1\.1 200 [\s\S]*"E-A-2"/)
  client.destroy()
})

test('more than one request unread is closed without an answer: the first of them may be the second', async () => {
  await using serve = await startServe(records, twoWorkers)
  const client = await openKept(serve)
  await killUnread(serve, client, toRequest('record/A-2') + toRequest('record/A-3'))
  assert.equal(await readToEnd(client), '')
})

test('a connection that has sent two requests at once is held no longer, and ends with its worker', async () => {
  await using serve = await startServe(records, twoWorkers)
  const client = await openKept(serve)
  client.write(toRequest('record/A-2') + toRequest('record/A-3'))
  await until(async () => !isHeld(serve, client, serve.child.pid))
  const worker = await workerOf(serve, client)
  client.resume()
  client.on('error', () => {})
  process.kill(worker, 'SIGKILL')
  await once(client, 'close')
})

test('an answer in the middle of its way is broken off with its worker', async () => {
  const long = Array.from({ length: 12_000 }, (_, n) => ({ code: `A-${n}`, title: `Plan ${n} ${'x'.repeat(2_000)}` }))
  await using serve = await startServe(long, twoWorkers)
  const client = await openKept(serve)
  assert.match(await ask(client, 'record'), /^HTTP\/1\.1 200 /)
  await until(async () => !isHeld(serve, client, serve.child.pid))
  process.kill(await workerOf(serve, client), 'SIGKILL')
  const rest = await readToEnd(client)
  assert.ok(!rest.endsWith('0\r\n\r\n'))
})

test('a kept connection that asks nothing when its worker dies is closed soon', async () => {
  await using serve = await startServe(records, twoWorkers)
  const client = await openKept(serve)
  const killedMs = performance.now()
  process.kill(await workerOf(serve, client), 'SIGKILL')
  assert.equal(await readToEnd(client), '')
  assert.ok(performance.now() - killedMs < keepAliveTimeoutMs / 4)
})

test('a kept connection that is closed, by whichever side, is held by nobody', async () => {
  await using serve = await startServe(records, twoWorkers)
  const clients = await Promise.all([openKept(serve), openKept(serve), openKept(serve)])
  assert.equal(readHeld(serve, serve.child.pid).length, clients.length)
  const [gone, ending, told] = clients
  gone?.destroy()
  ending?.end()
  told?.write(toRequest('record/A-2', 'Connection: close\r\n'))
  await until(async () => readHeld(serve, serve.child.pid).length === 0)
  for (const client of clients) client.destroy()
})

test('workers that are told to end take on nothing, and close what they kept without a reset', async () => {
  await using serve = await startServe(records, twoWorkers)
  const clients = await Promise.all([openKept(serve), openKept(serve), openKept(serve)])
  serve.child.kill('SIGTERM')
  const resets: Error[] = []
  for (const client of clients) client.on('error', (error) => resets.push(error))
  await Promise.all(clients.map(async (client) => assert.equal(await readToEnd(client), '')))
  assert.equal(await serve.ended, 0)
  assert.deepEqual(resets, [])
})

function toRequest(path: string, headers = ''): string {
  return `GET /registry/${path} HTTP/1.1\r\nHost: a\r\n${headers}\r\n`
}

async function openKept(serve: ServeProcess): Promise<Socket> {
  const client = connect(serve.port, '127.0.0.1')
  await once(client, 'connect')
  await ask(client, 'record/A-1')
  assert.ok(!isHeld(serve, client, serve.child.pid), 'one that asked once may not come again')
  await ask(client, 'record/A-1')
  await until(async () => isHeld(serve, client, serve.child.pid))
  return client
}

async function ask(client: Socket, path: string): Promise<string> {
  client.write(toRequest(path))
  return readAnswer(client)
}

/** One small enough to come in one piece. */
async function readAnswer(client: Socket): Promise<string> {
  const [bytes] = await once(client.resume(), 'data')
  client.pause()
  return String(bytes)
}

/** What still comes, or as much of it as came before a reset. */
async function readToEnd(client: Socket): Promise<string> {
  let text = ''
  client.on('error', () => {})
  client.on('data', (bytes) => {
    text += bytes
  })
  if (!client.closed) await once(client.resume(), 'close')
  return text
}

/** What the process that answered puts before the number of the request. */
function readProcessId(answer: string): string | undefined {
  return /^X-Request-Id: (\S+)-\d+\r$/m.exec(answer)?.[1]
}

/** Kills the worker of a connection when something has come that it has not read. */
async function killUnread(serve: ServeProcess, client: Socket, text: string = toRequest('record/A-2')): Promise<void> {
  const worker = await workerOf(serve, client)
  process.kill(worker, 'SIGSTOP')
  await until(async () => /^State:\s+T/m.test(readFileSync(`/proc/${worker}/status`, 'utf8')))
  await new Promise((resolve) => client.write(text, resolve))
  process.kill(worker, 'SIGKILL')
}

async function workerOf(serve: ServeProcess, client: Socket): Promise<number> {
  return until(async () => (await serve.workers()).find((pid) => isHeld(serve, client, pid)))
}

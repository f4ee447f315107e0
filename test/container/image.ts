// `npm run test:all container`: builds the image and runs it as docs/operating.md says, on a read-only file system. It
// needs root on Debian and takes minutes, so it is not part of `npm test`.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { once } from 'node:events'
import { chown, mkdir, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import type { Readable } from 'node:stream'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import manifest from '../../package.json' with { type: 'json' }
import { bundledSample } from '../../src/sample/bundled.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { findFreePort } from '../free-port.ts'
import { buildImage, Container } from './buildah.ts'

const image = 'localhost/planning-registry:test'
/** The size that docs/operating.md states, unpacked and without OCR. */
const megabytesMax = 300
/** The user of the image, who owns the volume. */
const userId = 10001
const folder = await makeTemporaryFolder({ after })
const volume = join(folder, 'volume')
/** The service shares the network of the machine, so it needs ports that are free there. */
const variables = [`PORT=${await findFreePort()}`, `ADMIN_PORT=${await findFreePort()}`]
let container: Container

before(async () => {
  await buildImage(image, folder)
  await mkdir(volume)
  await chown(volume, userId, userId)
  container = await Container.create(image, volume)
})
after(() => container?.[Symbol.asyncDispose]())

test(`the image without OCR takes at most ${megabytesMax} MB`, async () => {
  const { stdout } = await promisify(execFile)('du', ['--summarize', '--bytes', '--one-file-system', container.files])
  const megabytes = Number.parseInt(stdout, 10) / 1e6
  assert.ok(megabytes <= megabytesMax, `${megabytes} MB`)
})

test('the image runs as a user without privileges, who owns the volume, on a read-only file system', async () => {
  const { User, StopSignal, Labels, Env } = container.config
  assert.deepEqual([User, StopSignal], [`${userId}:${userId}`, 'SIGTERM'])
  assert.equal(Labels['org.opencontainers.image.version'], manifest.version)
  assert.ok(Env.includes('HOST=0.0.0.0'))
  // The volume is mounted on this folder. A container engine such as Docker gives a new volume the owner of the folder.
  assert.equal((await stat(join(container.files, 'registry/data'))).uid, userId)
  const touch = await runToEnd(['touch', '/app/file'])
  assert.match(touch.stderr, /Read-only file system/)
})

test('the service serves the sample, takes an import into its volume, and ends at SIGTERM', async () => {
  const { Entrypoint, Cmd } = container.config
  const service = container.spawn([...Entrypoint, ...Cmd], variables)
  const ended = once(service, 'exit')
  const log = text(service.stderr)
  try {
    const url = await readUrl(service.stdout)
    // Without a registry the service serves the bundled sample of fictional records.
    assert.equal(await countRecords(url), bundledSample.records)
    assert.equal((await fetch(`${url}/`)).headers.get('content-type'), 'text/html; charset=utf-8')
    assert.equal((await checkHealth()).status, 0)

    // The import replaces the bundled sample by a smaller one, which the first command writes into the volume.
    await runCommand('sample', 'data/demo', '--records', '200', '--documents', '5')
    await runCommand('import', 'data/demo/records.csv', '--documents', 'data/demo/documents')
    // The service notices the import after a moment.
    while ((await countRecords(url)) !== 200);
  } finally {
    service.kill('SIGTERM')
  }
  // Exit status 0, and no signal.
  assert.deepEqual(await ended, [0, null], await log)
  assert.equal((await checkHealth()).status, 1)
})

/** Runs a command of planning-registry in the container, which must succeed. */
async function runCommand(...args: string[]): Promise<void> {
  const { status, stderr } = await runToEnd([...container.config.Entrypoint, ...args])
  assert.equal(status, 0, stderr)
}

/** Runs the health check of the image. */
async function checkHealth(): Promise<{ status: number }> {
  const [kind, ...command] = container.config.Healthcheck.Test
  assert.equal(kind, 'CMD')
  return await runToEnd(command)
}

/** Runs a program in the container and waits for its end. */
async function runToEnd(command: readonly string[]): Promise<{ status: number; stderr: string }> {
  const child = container.spawn(command, variables)
  child.stdout.resume()
  const [[status], stderr] = await Promise.all([once(child, 'exit'), text(child.stderr)])
  return { status, stderr }
}

/**
 * Waits for the address of the service. The host is replaced by 127.0.0.2, to which only a service on all addresses
 * responds (`HOST=0.0.0.0`), as a published port requires.
 */
async function readUrl(output: Readable): Promise<string> {
  for await (const line of createInterface(output)) {
    const [, address] = /^listening on (\S+)$/.exec(line) ?? []
    if (address === undefined) continue
    const url = new URL(address)
    url.hostname = '127.0.0.2'
    return url.href
  }
  throw new Error('The service ended before it was listening')
}

async function countRecords(url: string): Promise<number> {
  const response = await fetch(`${url}/summary`)
  const { total } = (await response.json()) as { total: number }
  return total
}

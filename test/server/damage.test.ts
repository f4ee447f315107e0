// A registry that is damaged while it is served: never a wrong byte, then 503, then back by itself.
import assert from 'node:assert/strict'
import { copyFile, open, rename, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { chanceFrom } from '../faults/load.ts'
import { type ServeProcess, startServe, until } from './serve.ts'

const records = Array.from({ length: 3_000 }, (_, n) => ({
  code: `A-${n}`,
  title: `Modificación puntual ${n} del plan general`,
  content: `suelo urbanizable del sector ${n % 97}`,
}))
const paths = [
  'record?limit=1000',
  'record',
  'record?search=sector%20urbanizable&limit=50',
  'record/A-7',
  'record/A-2999',
  'municipality',
  'summary',
  ...Array.from({ length: 10 }, (_, n) => `record?search=puntual%20${n * 7}&limit=${n + 10}`),
]

const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
const chance = chanceFrom(seed)
const pageBytes = 4096

const damages: readonly [string, (bytes: Buffer) => void][] = [
  ['zeros in every tenth page', (bytes) => forPages(bytes, 0.1, (page) => page.fill(0))],
  ['one flipped bit in every tenth page', (bytes) => forPages(bytes, 0.1, flipBit)],
  ['one flipped bit in every page', (bytes) => forPages(bytes, 1, flipBit)],
  ['zeros all over', (bytes) => bytes.fill(0)],
]

for (const [what, damage] of damages) {
  test(`${what}: every 200 is the one from before, then 503, then back with a sound file (seed ${seed})`, async () => {
    await using serve = await startServe(records)
    const sound = join(serve.folder, 'sound.db')
    await copyFile(serve.file, sound)
    const before = await readAll(serve, paths.slice(0, -5))
    const all = [...before, ...(await readAllAside(sound, paths.slice(-5)))]
    await overwrite(serve.file, damage)
    for (let round = 0; round < 3; round++) {
      for (const [path, { body }] of all) {
        const response = await fetch(`${serve.base}/${path}`)
        const text = await response.text().catch(() => 'broken off')
        if (text === 'broken off') continue
        if (response.status === 200) assert.equal(text, body, path)
        else assertUnavailable(response, text)
      }
    }
    await until(async () => (await fetch(`${serve.admin}/ready`)).status === 503)
    for (const [path] of all) {
      const response = await fetch(`${serve.base}/${path}`)
      assertUnavailable(response, await response.text())
    }
    const entry = serve.log().find(({ msg }) => String(msg).startsWith('registry damaged'))
    assert.ok(JSON.stringify(entry).includes(serve.file), 'the log names the file')
    await rename(sound, serve.file)
    await until(async () => (await fetch(`${serve.admin}/ready`)).status === 200)
    for (const [path, { body }] of all) assert.equal(await (await fetch(`${serve.base}/${path}`)).text(), body, path)
  })
}

type Bodies = [path: string, { readonly body: string }][]

async function readAll({ base }: Pick<ServeProcess, 'base'>, asked: readonly string[]): Promise<Bodies> {
  const bodies: Bodies = []
  for (const path of asked) {
    const response = await fetch(`${base}/${path}`)
    assert.equal(response.status, 200, path)
    bodies.push([path, { body: await response.text() }])
  }
  return bodies
}

/** What a service that is damaged later has not been asked, so that it has none of it in memory. */
async function readAllAside(file: string, asked: readonly string[]): Promise<Bodies> {
  await using serve = await startServe([], { file })
  return await readAll(serve, asked)
}

function assertUnavailable(response: Response, text: string): void {
  assert.equal(response.status, 503, text)
  assert.match(text, /registry-unavailable/)
  assert.ok(Number(response.headers.get('retry-after')) > 0)
}

/** In place, as a failing disk does it. */
async function overwrite(file: string, damage: (bytes: Buffer) => void): Promise<void> {
  const { size } = await stat(file)
  const handle = await open(file, 'r+')
  const bytes = Buffer.alloc(size)
  await handle.read(bytes, 0, size, 0)
  damage(bytes)
  await handle.write(bytes, 0, size, 0)
  await handle.close()
}

function forPages(bytes: Buffer, share: number, change: (page: Buffer) => void): void {
  for (let at = 0; at < bytes.length; at += pageBytes) {
    if (chance() < share) change(bytes.subarray(at, at + pageBytes))
  }
}

function flipBit(page: Buffer): void {
  const at = Math.floor(chance() * page.length)
  page[at] = (page[at] ?? 0) ^ (1 << Math.floor(chance() * 8))
}

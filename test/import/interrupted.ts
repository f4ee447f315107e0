// A registry that is being replaced by an import which something goes wrong with: what is in service before, what would
// be after, and how to tell that there is never anything else.
import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, readFile, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import type { RegistryStore } from '../../src/snapshot/contract.ts'
import { checkStore, openStore } from '../../src/snapshot/open.ts'
import { makeFolder } from './folder.ts'
import { type Ran, type RunOptions, runCommand } from './run.ts'

export class InterruptedImport {
  readonly folder: string
  readonly file: string
  /** How long the import of the new records takes when nothing goes wrong. */
  readonly durationMs: number
  readonly #before: Buffer
  readonly #after: Buffer

  private constructor(folder: string, durationMs: number, before: Buffer, after: Buffer) {
    this.folder = folder
    this.file = join(folder, 'service', 'registry.db')
    this.durationMs = durationMs
    this.#before = before
    this.#after = after
  }

  /** `padding` is text that makes each record larger. */
  static async prepare(t: TestContext, records: number, padding = ''): Promise<InterruptedImport> {
    const { path, write } = await makeFolder(t)
    await mkdir(join(path, 'service'))
    await write('old.csv', toCsv(records, 'antiguo', padding))
    await write('new.csv', toCsv(records, 'nuevo', padding))
    const build = async (source: string, file: string): Promise<Buffer> => {
      const { status, stderr } = await runCommand(['import', source, '--database', `sqlite:${file}`], { folder: path })
      assert.equal(status, 0, stderr)
      return await readFile(join(path, file))
    }
    const before = await build('old.csv', 'before.db')
    const startedMs = performance.now()
    const after = await build('new.csv', 'after.db')
    return new InterruptedImport(path, performance.now() - startedMs, before, after)
  }

  /** Puts the old registry in service. */
  async restore(): Promise<void> {
    await copyFile(join(this.folder, 'before.db'), `${this.file}.restored`)
    await rename(`${this.file}.restored`, this.file)
  }

  /** Begins to replace it, in whatever surroundings the options make. */
  async replace(options: RunOptions = {}): Promise<Ran> {
    const args = ['import', join(this.folder, 'new.csv'), '--database', `sqlite:${this.file}`]
    return await runCommand(args, { folder: this.folder, ...options })
  }

  /** Reads the registry as a service does for as long as the work lasts: it is the old one or the new one, whole. */
  async watch<T>(work: Promise<T>): Promise<T> {
    let isExpired = false
    const ended = work.finally(() => {
      isExpired = true
    })
    const store = await openStore(`sqlite:${this.file}`)
    try {
      while (!isExpired) {
        const words = await wordsIn(store)
        assert.ok(words === 'antiguo' || words === 'nuevo', `served: ${words}`)
        await new Promise(setImmediate)
      }
      return await ended
    } finally {
      await store.close()
    }
  }

  /** Whether the new registry is in service; anything but the old or the new one fails the test. */
  async isReplaced(): Promise<boolean> {
    const now = await readFile(this.file)
    assert.ok(now.equals(this.#before) || now.equals(this.#after), 'neither the old nor the new snapshot')
    assert.deepEqual((await checkStore(`sqlite:${this.file}`)).faults, [])
    return now.equals(this.#after)
  }

  /** The next import does what this one should have done, and clears away what it left. */
  async converge(): Promise<void> {
    const { status, stderr } = await this.replace()
    assert.equal(status, 0, stderr)
    assert.equal(await this.isReplaced(), true)
    const left = (await readdir(join(this.folder, 'service'))).filter((name) => !name.includes('.lock'))
    assert.deepEqual(left, ['registry.db'])
  }
}

/** Moments from 0 to 1, the same for the same seed (mulberry32). */
export function* seededMoments(seed: number): Generator<number, never, undefined> {
  for (let state = seed; ; ) {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    yield ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** Kills an import with SIGKILL at moments spread by chance over its duration, and checks what is left each time. */
export async function killAtMoments(scene: InterruptedImport, moments: number, seed: number): Promise<number> {
  const chance = seededMoments(seed)
  let killed = 0
  for (let round = 0; round < moments; round += 1) {
    const delayMs = chance.next().value * scene.durationMs
    await scene.restore()
    const { signal } = await scene.watch(
      scene.replace({
        onStart: (child) => {
          const timer = setTimeout(() => child.kill('SIGKILL'), delayMs)
          child.once('exit', () => clearTimeout(timer))
        },
      }),
    )
    if (signal === 'SIGKILL') killed += 1
    await scene.isReplaced()
    await scene.converge()
  }
  return killed
}

async function wordsIn(store: RegistryStore): Promise<string> {
  const words = new Set<string>()
  for await (const { bytes } of store.current().search({})) {
    for (const [word] of Buffer.from(bytes)
      .toString()
      .matchAll(/antiguo|nuevo/g))
      words.add(word)
  }
  return [...words].join(' and ')
}

function toCsv(records: number, word: string, padding: string): string {
  const rows = Array.from({ length: records }, (_, index) => {
    const date = `20${String(10 + (index % 14))}-0${1 + (index % 9)}-1${index % 9}`
    return `03082-${index},${index},Plan ${word} nº ${index},Jávea,${date},texto del sector ${index % 97} ${word}${padding}`
  })
  return `code,id,title,municipality,checkin_date,content\n${rows.join('\n')}\n`
}

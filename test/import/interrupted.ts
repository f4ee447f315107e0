// Fixture for imports that are interrupted: a registry in service (the file that searches read), an import that is to
// replace it, and checks that the old or the new registry is in service, never a mixture.
import assert from 'node:assert/strict'
import { copyFile, mkdir, readdir, rename } from 'node:fs/promises'
import { join } from 'node:path'
import type { TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import type { RegistryStore } from '../../src/registry/contract.ts'
import { checkStore, openStore } from '../../src/registry/open.ts'
import { type CommandResult, type RunOptions, runCommand } from '../command.ts'
import { readTables } from '../registry/read-tables.ts'
import { seededRandom } from '../seeded-random.ts'
import { makeFolder } from './folder.ts'

/**
 * An import that a test interrupts, any number of times. It replaces the old registry, which has the word `antiguo` in
 * every record, with the new one, which has `nuevo`. After `prepare` no registry is in service yet: call `restoreOld`
 * before each import.
 */
export class InterruptedImport {
  readonly folder: string
  /** The registry in service. */
  readonly file: string
  /** Duration of an import that is not interrupted, and of the reading of its fingerprint. */
  readonly durationMs: number
  /** Fingerprints of the old and of the new registry (`readFingerprint`). */
  readonly #oldFingerprint: string
  readonly #newFingerprint: string

  private constructor(folder: string, durationMs: number, oldFingerprint: string, newFingerprint: string) {
    this.folder = folder
    this.file = join(folder, 'service', 'registry.db')
    this.durationMs = durationMs
    this.#oldFingerprint = oldFingerprint
    this.#newFingerprint = newFingerprint
  }

  /**
   * Imports both registries once, into `before.db` and `after.db`, to learn their fingerprints. `records` is the number
   * of records of each, `padding` is a text that every record contains.
   */
  static async prepare(
    t: TestContext,
    { records, padding = '' }: { readonly records: number; readonly padding?: string },
  ): Promise<InterruptedImport> {
    const { path, write } = await makeFolder(t)
    await mkdir(join(path, 'service'))
    await write('old.csv', toCsv(records, 'antiguo', padding))
    await write('new.csv', toCsv(records, 'nuevo', padding))
    /** Imports the source into a new file and returns the fingerprint of this registry. */
    const importSource = async (source: string, file: string): Promise<string> => {
      const { status, stderr } = await runCommand(['import', source, '--database', `sqlite:${file}`], { cwd: path })
      assert.equal(status, 0, stderr)
      return readFingerprint(join(path, file))
    }
    const oldFingerprint = await importSource('old.csv', 'before.db')
    const startedAt = performance.now()
    const newFingerprint = await importSource('new.csv', 'after.db')
    return new InterruptedImport(path, performance.now() - startedAt, oldFingerprint, newFingerprint)
  }

  /** Puts the old registry in service, for the first time or again. */
  async restoreOld(): Promise<void> {
    await copyFile(join(this.folder, 'before.db'), `${this.file}.restored`)
    await rename(`${this.file}.restored`, this.file)
  }

  /** Runs the import of the new registry into the file in service. */
  async importNew(options: RunOptions = {}): Promise<CommandResult> {
    const args = ['import', join(this.folder, 'new.csv'), '--database', `sqlite:${this.file}`]
    return await runCommand(args, { cwd: this.folder, ...options })
  }

  /** Searches the registry until the work ends, and checks that no result mixes the two registries. */
  async searchDuring<T>(work: Promise<T>): Promise<T> {
    let isDone = false
    const ended = work.finally(() => {
      isDone = true
    })
    const store = await openStore(`sqlite:${this.file}`)
    try {
      while (!isDone) {
        const words = await wordsIn(store)
        assert.ok(words === 'antiguo' || words === 'nuevo', `served: ${words}`)
        await pause(50)
      }
      return await ended
    } finally {
      await store.close()
    }
  }

  /** Returns which registry is in service. Fails if it is damaged or neither the old nor the new one. */
  async checkServed(): Promise<'old' | 'new'> {
    const fingerprint = readFingerprint(this.file)
    assert.ok(
      [this.#oldFingerprint, this.#newFingerprint].includes(fingerprint),
      'neither the old nor the new snapshot',
    )
    assert.deepEqual((await checkStore(`sqlite:${this.file}`)).faults, [])
    return fingerprint === this.#newFingerprint ? 'new' : 'old'
  }

  /** Checks that another import succeeds and deletes the temporary files of the interrupted one. */
  async checkNextImport(): Promise<void> {
    const { status, stderr } = await this.importNew()
    assert.equal(status, 0, stderr)
    assert.equal(await this.checkServed(), 'new')
    // An import never deletes its lock file.
    const fileNames = (await readdir(join(this.folder, 'service'))).filter((name) => !name.includes('.lock'))
    assert.deepEqual(fileNames, ['registry.db', 'registry.db.import.json'])
  }
}

/** Kills imports with SIGKILL at random moments and checks the registry each time. Returns the number of kills. */
export async function killAtRandomMoments(
  fixture: InterruptedImport,
  { rounds, seed }: { readonly rounds: number; readonly seed: number },
): Promise<number> {
  const random = seededRandom(seed)
  let killed = 0
  for (let round = 0; round < rounds; round += 1) {
    const delayMs = random() * fixture.durationMs
    await fixture.restoreOld()
    const { signal } = await fixture.searchDuring(
      fixture.importNew({
        onStart: (child) => {
          const timer = setTimeout(() => child.kill('SIGKILL'), delayMs)
          child.once('exit', () => clearTimeout(timer))
        },
      }),
    )
    // An import that was faster than usual has ended before its timer.
    if (signal === 'SIGKILL') killed += 1
    await fixture.checkServed()
    await fixture.checkNextImport()
  }
  return killed
}

/**
 * Returns hashes of the tables as text: the same for the same records, whenever they were published.
 */
function readFingerprint(file: string): string {
  return JSON.stringify(readTables(file))
}

/** Which of the words `antiguo` and `nuevo` the records in service have: one of them, or both if they are mixed. */
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

/** A source of records that all contain the word. */
function toCsv(records: number, word: string, padding: string): string {
  const rows = Array.from({ length: records }, (_, index) => {
    const date = `20${String(10 + (index % 14))}-0${1 + (index % 9)}-1${index % 9}`
    const content = `texto del sector ${index % 97} ${word}${padding}`
    return `03082-${index},${index},Plan ${word} nº ${index},Jávea,${date},${content}`
  })
  return `code,id,title,municipality,checkin_date,content\n${rows.join('\n')}\n`
}

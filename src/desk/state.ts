// What the desk knows while it runs: the folders, the plan, the import that is running or was the last, and the registry
// that it shows.
import { readFile, rm } from 'node:fs/promises'
import { join } from 'node:path'
import type { Log } from '../http/log.ts'
import type { ReportJson } from '../import/report.ts'
import { isSqliteAddress, toFilePath } from '../registry/open.ts'
import type { Draft } from './draft.ts'
import type { Folders } from './folders.ts'
import { openRegistry, type ServedRegistry } from './registry.ts'
import { ImportRun } from './run-import.ts'

/** Flags of the plan that the preview has values of its own for, or that it must not follow. */
const flagsOfPublication = ['database', 'data-dir', 'document-cache', 'documents-url', 'export', 'rejects', 'report']

export class DeskState {
  readonly folders: Folders
  draft: Draft | undefined
  run: ImportRun | undefined
  registry: ServedRegistry | undefined
  /** Whether the last publication was refused because records or texts would be gone. */
  isLossRefused = false
  readonly #temporaryFolder: string
  readonly #log: Log
  #runCount = 0
  #isStarting = false

  constructor(folders: Folders, temporaryFolder: string, log: Log) {
    this.folders = folders
    this.#temporaryFolder = temporaryFolder
    this.#log = log
  }

  /** The answers of another spreadsheet. */
  async use(draft: Draft): Promise<void> {
    this.run?.stop()
    this.run = undefined
    this.draft = draft
    await this.#closeRegistry()
  }

  /** Imports into a file of its own, which nothing but the desk sees. Does nothing while an import runs. */
  async startPreview(draft: Draft): Promise<void> {
    using start = this.#tryStart()
    if (start === null) return
    await this.#closeRegistry()
    this.#runCount += 1
    // A file of its own for each: some systems do not replace a file that is open.
    const folder = join(this.#temporaryFolder, String(this.#runCount))
    const database = `sqlite:${join(folder, 'registry.db')}`
    const { sources, values } = await draft.readFile()
    const planned = [...values].flatMap(([flag, texts]) => {
      if (flagsOfPublication.includes(flag)) return []
      return texts.length === 0 ? [`--${flag}`] : texts.map((text) => `--${flag}=${text}`)
    })
    // The texts of documents that the preview has read are not read again for the publication.
    const { documents } = await draft.read()
    const own = [
      `--database=${database}`,
      `--data-dir=${folder}`,
      `--document-cache=${documents.cacheFolder}`,
      `--rejects=${join(folder, 'rejects.csv')}`,
    ]
    const args = [...planned, ...own, '--', ...sources]
    const run: ImportRun = new ImportRun('preview', args, (status) => this.#show(run, status, database, folder))
    this.run = run
  }

  /** Runs the command of every night. Does nothing while an import runs. */
  async startPublication(draft: Draft, isLossAccepted: boolean): Promise<void> {
    using start = this.#tryStart()
    if (start === null) return
    await this.#closeRegistry()
    this.isLossRefused = false
    const reportPath = join(this.#temporaryFolder, 'report.json')
    const accepted = isLossAccepted ? ['--max-gone=100%', '--max-texts-gone=100%'] : []
    const { database, dataDir } = await draft.read()
    const args = [`--plan=${draft.path}`, `--report=${reportPath}`, ...accepted]
    const run: ImportRun = new ImportRun('publication', args, async (status) => {
      this.isLossRefused = status === 1 && (await hasLosses(reportPath))
      if (isSqliteAddress(database)) await this.#show(run, status, `sqlite:${toFilePath(database)}`, dataDir)
    })
    this.run = run
  }

  /** Null while an import runs or starts: a second press of a button comes while the first is waiting. */
  #tryStart(): Disposable | null {
    if (this.#isStarting || this.run?.status === null) return null
    this.#isStarting = true
    return {
      [Symbol.dispose]: () => {
        this.#isStarting = false
      },
    }
  }

  async close(): Promise<void> {
    this.run?.stop()
    await this.run?.ended
    await this.#closeRegistry()
    await rm(this.#temporaryFolder, { recursive: true, force: true, maxRetries: 3 })
  }

  /** Serves what the run has published, unless another spreadsheet was chosen meanwhile. Never rejects. */
  async #show(run: ImportRun, status: number, database: string, dataDir: string): Promise<void> {
    if (status !== 0 || run !== this.run) return
    try {
      this.registry = await openRegistry(database, dataDir, this.#log)
    } catch (error) {
      this.#log.error({ err: error }, 'registry not opened')
    }
  }

  async #closeRegistry(): Promise<void> {
    const { registry } = this
    this.registry = undefined
    await registry?.close()
  }
}

async function hasLosses(reportPath: string): Promise<boolean> {
  try {
    const { changes } = JSON.parse(await readFile(reportPath, 'utf8')) as ReportJson
    return changes !== null && (changes.gone > 0 || changes.texts_gone > 0)
  } catch {
    return false
  }
}

// The registry of the soak tests. Each import by the command line, from a CSV file and a folder of documents, publishes
// an edition: the same records, with the number of the edition in all their texts. So a response shows which snapshot
// it is from.
import { spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { entry, runCommand } from '../command.ts'
import { pause } from './load.ts'

/** The number of records in every edition. */
export const recordCount = 1_200

/** The number of records with a document. They are the first ones, and have one document each. */
export const documentCount = 20

/**
 * The length of `links` in every record. It makes an export larger than the send queue of the kernel, 4 MB, so that the
 * service waits for slow readers. A long address adds no words to the index, so imports stay short.
 */
const linkCharacters = 3_900

export class SoakRegistry {
  readonly database: string
  readonly #folder: string
  /** The number of the last edition whose import was started. */
  edition = 0

  constructor(database: string, folder: string) {
    this.database = database
    this.#folder = folder
    mkdirSync(join(folder, 'documents'))
  }

  /** Imports the next edition. Fails if it was not published. */
  async publish(): Promise<void> {
    const { status, stderr } = await runCommand(this.#prepareImport())
    if (status !== 0) throw new Error(`the import of edition ${this.edition} ended with status ${status}: ${stderr}`)
  }

  /** Starts to import the next edition. Kills the import, with all its processes, if it still runs after this time. */
  async killImportAfter(delayMs: number): Promise<void> {
    const child = spawn(process.execPath, [entry, ...this.#prepareImport()], { stdio: 'ignore', detached: true })
    const ended = once(child, 'exit')
    await Promise.race([ended, pause(delayMs)])
    // With `detached` the import leads a process group, which a negative pid stands for.
    if (child.pid !== undefined && child.exitCode === null) process.kill(-child.pid, 'SIGKILL')
    await ended
  }

  /** Writes the files of the next edition and returns the arguments of its import. */
  #prepareImport(): string[] {
    this.edition += 1
    const documents = join(this.#folder, 'documents')
    for (let n = 0; n < documentCount; n++) writeFileSync(join(documents, `${n}.txt`), toDocumentText(n, this.edition))
    const rows = Array.from({ length: recordCount }, (_, n) => {
      const link = `https://documents.example/${n}/`.padEnd(linkCharacters, 'x')
      const document = n < documentCount ? `${n}.txt` : ''
      const content = `contenido edicion${this.edition}`
      return `S-${n},E-S-${n},${toTitle(n, this.edition)},2004-05-17,Ávila,${link},${content},${document}`
    })
    const file = join(this.#folder, 'records.csv')
    writeFileSync(file, ['code,id,title,checkin_date,municipality,links,content,document', ...rows, ''].join('\n'))
    const cache = join(this.#folder, 'document-texts')
    const target = ['--database', this.database, '--data-dir', join(this.#folder, 'data')]
    return ['import', file, '--documents', documents, '--document-cache', cache, ...target]
  }
}

/** The title of record `n` in an edition. */
export function toTitle(n: number, edition: number): string {
  return `Plan sector${n} edicion${edition}`
}

/** The SHA-256 hash of the document of a record. */
export function toDocumentHash(n: number, edition: number): string {
  return createHash('sha256').update(toDocumentText(n, edition)).digest('hex')
}

function toDocumentText(n: number, edition: number): string {
  return `Memoria del sector${n} edicion${edition}, con unidades de paisaje y miradores.\n`
}

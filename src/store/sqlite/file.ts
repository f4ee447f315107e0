// A snapshot file, open for reading: the tables of a database and, behind its last page, the strips. The file never
// changes, so one read transaction lasts as long as the handle and no statement locks or checks anything again.
import { closeSync, fstatSync, openSync, statSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '../store.ts'
import { applicationId, formatVersion } from './schema.ts'
import { Strip, type StripName, type StripSize, sizeOnDisk, stripNames } from './strip.ts'

/** Room for the index of a million codes, so that looking one up reads nothing but its record. */
const cacheKibibytes = 32 * 1024

export class SnapshotFile {
  readonly path: string
  readonly database: DatabaseSync
  readonly facts: ReadonlyMap<string, string>
  readonly strips: Readonly<Record<StripName, Strip>>
  readonly #file: number

  /** Throws `StoreFault` when the file is not a snapshot that this version wrote. */
  constructor(path: string) {
    this.path = path
    const { file, database } = openBoth(path)
    this.#file = file
    this.database = database
    try {
      refuseForeign(path, database)
      database.exec(`PRAGMA cache_size = -${cacheKibibytes}; BEGIN`)
      this.facts = readFacts(database)
      this.strips = this.#findStrips()
    } catch (error) {
      this.close()
      throw error instanceof StoreFault ? error : unreadable(path, error)
    }
  }

  close(): void {
    this.database.close()
    closeSync(this.#file)
  }

  #findStrips(): Record<StripName, Strip> {
    const sizes = this.facts.get('strips')
    if (sizes === undefined)
      throw new StoreFault(`Cannot open ${this.path}: its import was never finished; import it anew`)
    const { bytes } = this.database
      .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
      .get() as { bytes: number }
    let from = bytes
    const strips = Object.entries(JSON.parse(sizes) as Record<StripName, StripSize>).map(([name, size]) => {
      const strip = new Strip(this.#file, from, size)
      from += sizeOnDisk(size)
      return [name, strip]
    })
    if (fstatSync(this.#file).size < from) throw unreadable(this.path, new Error('the file is cut short'))
    return Object.fromEntries(strips) as Record<StripName, Strip>
  }
}

/** What the facts say of the strips. */
export function toStripsFact(sizes: Readonly<Record<StripName, StripSize>>): string {
  return JSON.stringify(Object.fromEntries(stripNames.map((name) => [name, sizes[name]])))
}

/** The same file twice: one that is replaced between the two is opened anew. */
function openBoth(path: string): { file: number; database: DatabaseSync } {
  for (;;) {
    let file: number | undefined
    try {
      file = openSync(path, 'r')
      const database = new DatabaseSync(path, { readOnly: true })
      const [opened, named] = [fstatSync(file), statSync(path)]
      if (opened.ino === named.ino && opened.dev === named.dev) return { file, database }
      database.close()
      closeSync(file)
    } catch (error) {
      if (file !== undefined) closeSync(file)
      throw unreadable(path, error)
    }
  }
}

function refuseForeign(path: string, database: DatabaseSync): void {
  const { application_id: id } = database.prepare('PRAGMA application_id').get() as { application_id: number }
  if (id !== applicationId) {
    throw new StoreFault(
      `Cannot open ${path}: it is no planning registry; name another file, or make one with planning-registry import`,
    )
  }
  const { user_version: version } = database.prepare('PRAGMA user_version').get() as { user_version: number }
  if (version !== formatVersion) {
    throw new StoreFault(
      `Cannot open ${path}: it was written by another version (format ${version}, this one reads ${formatVersion}); import it anew`,
    )
  }
}

function readFacts(database: DatabaseSync): Map<string, string> {
  const rows = database.prepare('SELECT name, value FROM fact').all() as { name: string; value: string }[]
  return new Map(rows.map(({ name, value }) => [name, value]))
}

export function unreadable(path: string, error: unknown): StoreFault {
  const reason = error instanceof Error ? error.message : String(error)
  return new StoreFault(`Cannot open ${path}: ${reason}; restore it from a back-up or import it anew`, { cause: error })
}

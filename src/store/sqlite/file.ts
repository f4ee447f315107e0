// A snapshot file, open for reading: the tables of a database and, behind its last page, the strips. The file never
// changes, so one read transaction lasts as long as the handle and no statement locks or checks anything again.
import { closeSync, fstatSync, openSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { StoreFault } from '../store.ts'
import { HashIndex } from './hash-index.ts'
import { applicationId, formatVersion } from './schema.ts'
import { readSealedId } from './seal.ts'
import { Strip, type StripName, type StripSize, sizeOnDisk } from './strip.ts'

interface Opened {
  readonly file: number
  readonly database: DatabaseSync
  readonly facts: ReadonlyMap<string, string>
}

export class SnapshotFile {
  readonly path: string
  readonly database: DatabaseSync
  readonly facts: ReadonlyMap<string, string>
  readonly strips: Readonly<Record<StripName, Strip>>
  readonly #file: number
  #codes: HashIndex | undefined

  /** Throws `StoreFault` when the file is not a snapshot that this version wrote. */
  constructor(path: string) {
    const opened = openBoth(path)
    this.path = path
    this.#file = opened.file
    this.database = opened.database
    this.facts = opened.facts
    try {
      this.strips = findStrips(path, opened)
    } catch (error) {
      closeBoth(opened)
      throw error
    }
  }

  /** Finds positions by folded code. */
  get codes(): HashIndex {
    this.#codes ??= new HashIndex(this.strips.code.whole(0))
    return this.#codes
  }

  close(): void {
    closeBoth({ file: this.#file, database: this.database })
  }
}

function closeBoth({ file, database }: Pick<Opened, 'file' | 'database'>): void {
  database.close()
  closeSync(file)
}

/** How often a file is opened anew that is replaced between the one opening and the other. */
const attemptsMax = 5

/** The file and the database in it; which are of one snapshot when they say the same of its id. */
function openBoth(path: string): Opened {
  for (let attempt = 1; ; attempt++) {
    const opened = openOnce(path)
    const sealed = readSealedId(opened.file)
    if (sealed === undefined || sealed === opened.facts.get('id')) return opened
    closeBoth(opened)
    if (attempt === attemptsMax) throw unreadable(path, new Error('its seal is that of another snapshot'))
  }
}

function openOnce(path: string): Opened {
  let file: number | undefined
  let database: DatabaseSync | undefined
  try {
    file = openSync(path, 'r')
    database = new DatabaseSync(path, { readOnly: true })
    refuseForeign(path, database)
    database.exec('BEGIN')
    return { file, database, facts: readFacts(database) }
  } catch (error) {
    database?.close()
    if (file !== undefined) closeSync(file)
    throw error instanceof StoreFault ? error : unreadable(path, error)
  }
}

function findStrips(path: string, { file, database, facts }: Opened): Record<StripName, Strip> {
  const sizes = facts.get('strips')
  if (sizes === undefined) throw new StoreFault(`Cannot open ${path}: its import was never finished; import it anew`)
  const { bytes } = database
    .prepare('SELECT page_count * page_size AS bytes FROM pragma_page_count, pragma_page_size')
    .get() as { bytes: number }
  let from = bytes
  const strips = Object.entries(JSON.parse(sizes) as Record<StripName, StripSize>).map(([name, size]) => {
    const strip = new Strip(file, from, size)
    from += sizeOnDisk(size)
    return [name, strip]
  })
  if (fstatSync(file).size < from) throw unreadable(path, new Error('the file is cut short'))
  return Object.fromEntries(strips) as Record<StripName, Strip>
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

// Checks registry files: a new file before its publication, and any file for the command `check`.
import type { WireRecord } from '../domain/record.ts'
import { t } from '../language.ts'
import { Thread } from '../worker-thread.ts'
import { type CheckResult, type SnapshotMetadata, StoreFault } from './contract.ts'
import { toRecordDigest } from './digest.ts'
import { noDocuments, type RegistryDocuments } from './document-totals.ts'
import { type RecordRow, RegistryFile } from './registry-file.ts'
import { sqliteReasonOf } from './sqlite-reason.ts'
import { toRecordTokens, valuesOf } from './tokens.ts'

/** Of the records, at least this many are compared with their tokens. With `--full`, all are. */
const sampledRecordsMin = 200

/** At most this many faults of the structure are reported. */
const structureFaultsMax = 3

/** Throws `StoreFault` if a file that is to be published has faults. */
export function verifyFile(path: string): SnapshotMetadata {
  const file = new RegistryFile(path)
  try {
    const faults = [...checkPages(file), ...checkCounts(file)]
    if (faults.length > 0) throw new StoreFault(t`Cannot publish ${path}: ${faults.join('; ')}`)
    return file.metadata
  } finally {
    file.closeWhenUnused()
  }
}

/** Like `verifyFile`, in a thread. */
export async function verifyInThread(path: string): Promise<SnapshotMetadata> {
  let outcome: SnapshotMetadata | string | undefined
  const entry = new URL('./verify-thread.ts', import.meta.url)
  const thread = new Thread<SnapshotMetadata | string>(entry, path, (message) => {
    outcome = message
  })
  try {
    await thread.until(() => outcome !== undefined)
  } finally {
    await thread.stop()
  }
  if (typeof outcome === 'object') return outcome
  throw new StoreFault(outcome ?? '')
}

/**
 * Reads the whole file: the structure of the database, every record with its digest, and a share of the records with
 * their tokens; with `full`, all of them. Throws `StoreFault` if it cannot be opened.
 */
export function checkFile(path: string, { full = false }: { readonly full?: boolean | undefined }): CheckResult {
  const file = new RegistryFile(path)
  const faults: string[] = []
  let recordsWithoutText = 0
  let documents: RegistryDocuments = noDocuments
  try {
    const properties = new Map(file.all<[string, string]>('SELECT name, value FROM property'))
    recordsWithoutText = Number(properties.get('records_without_text'))
    documents = JSON.parse(properties.get('documents') ?? '{}') as RegistryDocuments
    faults.push(...checkStructure(file, 'integrity_check'), ...checkCounts(file), ...checkRecords(file, full))
  } catch (error) {
    faults.push(sqliteReasonOf(error instanceof Error ? (error.cause ?? error) : error))
  } finally {
    file.closeWhenUnused()
  }
  return { metadata: file.metadata, faults, recordsWithoutText, documents }
}

/**
 * Checks the pages of the database, one table after the other: SQLite would also compare the content of the full-text
 * indexes otherwise, which takes ten times as long.
 */
function checkPages(file: RegistryFile): string[] {
  return file
    .all<[string]>(`SELECT name FROM sqlite_schema WHERE type = 'table' AND rootpage > 0`)
    .flatMap(([table]) => checkStructure(file, `quick_check('${table}')`))
}

/** Returns the faults that SQLite finds, one line each. */
function checkStructure(file: RegistryFile, pragma: string): string[] {
  // A valid file gives one row, `ok`. Faults of pages come in one row of several lines, the first of which is
  // `*** in database main ***`.
  const lines = file.all<[string]>(`PRAGMA ${pragma}`).flatMap(([messages]) => messages.split('\n'))
  return lines.filter((line) => line !== 'ok' && !line.startsWith('***')).slice(0, structureFaultsMax)
}

/** Counts the records in four ways, which must all give the same number. */
function checkCounts(file: RegistryFile): string[] {
  const { records } = file.metadata
  const counts = file.get<(number | null)[]>(
    `SELECT (SELECT count(*) FROM expediente), (SELECT max(position) + 1 FROM expediente),
       (SELECT sum(records) FROM year), (SELECT sum(records) FROM municipality)`,
  )
  const names = ['records', 'positions', 'years', 'municipalities']
  return names.flatMap((counted, index) => {
    const count = counts?.[index] ?? 0
    return count === records ? [] : [t`expected ${records} records, found ${count} by counting ${counted}`]
  })
}

/** At most this many faults of records are reported. */
const recordFaultsMax = 10

/** Compares each record with its digest, and some or all with their tokens. */
function checkRecords(file: RegistryFile, full: boolean): string[] {
  const { records } = file.metadata
  // Without the text, neither can be computed.
  if (!file.hasPassages) return []
  const step = full ? 1 : Math.max(1, Math.floor(records / sampledRecordsMin))
  const faults: string[] = []
  for (let position = 0; position < records && faults.length < recordFaultsMax; position++) {
    const [row] = file.readRows([position])
    const [digest] = file.get<[Uint8Array]>('SELECT digest FROM expediente WHERE position = ?', position) ?? []
    if (row === undefined || digest === undefined) {
      faults.push(t`the record at position ${position} is missing`)
      continue
    }
    const { code, wire, fields, ineCode, firstPage, pageEnd } = row
    const pages = file.readPages(firstPage, pageEnd)
    const documents = file.readDocuments(position)
    if (!toRecordDigest({ code, wire, fields, ineCode, documents, pages }).equals(digest)) {
      faults.push(t`the record ${code} is damaged`)
    } else if (position % step === 0 && !hasItsTokens(file, row, pages)) {
      faults.push(t`a search does not find the record ${code} by its words`)
    }
  }
  return faults
}

/** FTS5 accepts a bounded number of conditions in one expression. */
const tokensAtOnce = 100

/** Whether the full-text indexes have the record under each of its tokens. */
function hasItsTokens(
  file: RegistryFile,
  { position, wire, fields }: RecordRow,
  pages: readonly { readonly text: string }[],
): boolean {
  const { title, area } = JSON.parse(wire) as WireRecord
  const tokens = toRecordTokens({ title, area, fields: valuesOf(fields), pages: pages.map(({ text }) => text) })
  return (['search', 'prefix'] as const).every((index) => {
    const distinct = [...new Set(tokens[index].split(' '))].filter((token) => token !== '')
    for (let first = 0; first < distinct.length; first += tokensAtOnce) {
      const batch = distinct.slice(first, first + tokensAtOnce)
      const expression = batch.map((token) => `"${token}"`).join(' AND ')
      const sql = `SELECT rowid FROM ${index} WHERE ${index} MATCH ? AND rowid = ?`
      if (file.get(sql, expression, BigInt(position)) === undefined) return false
    }
    return true
  })
}

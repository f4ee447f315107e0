// Writes the rejects file: every rejected row with its line and reason, under the headings of its source, so that it
// can be corrected in a spreadsheet and imported again.
import { statSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageFault } from '../cli/config.ts'
import type { ImportReport } from './report.ts'
import { foldHeading } from './rows/columns.ts'
import { isPostgresAddress } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import type { Staging } from './staging.ts'

export interface RejectsPlan {
  readonly sources: readonly string[]
  /** One file for all sources; by default one next to each source. */
  readonly rejects?: string
}

export async function writeRejects(
  plan: RejectsPlan,
  sources: readonly Source[],
  staging: Staging,
  report: ImportReport,
): Promise<void> {
  const files = new Map<string, number[]>()
  for (const [number, name] of plan.sources.entries()) {
    const file = plan.rejects ?? toRejectsFile(name, plan.sources)
    files.set(file, [...(files.get(file) ?? []), number])
  }
  for (const [file, numbers] of files) {
    const withRejects = numbers.filter((number) => !staging.rejectedRows(number).next().done)
    try {
      if (withRejects.length === 0) await removeStale(file)
      else {
        await writeFile(file, withRejects, sources, staging)
        report.addRejectsFile(file)
      }
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      throw new UsageFault(`Cannot write rejects to ${file}: ${error.message}; choose another file with --rejects`)
    }
  }
  for (const [number, source] of sources.entries()) {
    for (const row of staging.rejectedRows(number)) {
      if (!report.addExample(sources.length > 1 ? `${source.name} ${row.reason}` : row.reason)) break
    }
  }
}

/** A corrected rejects file of an earlier import may be a source of this one and is never overwritten. */
function toRejectsFile(source: string, sources: readonly string[]): string {
  const name = source === '-' ? 'stdin' : isPostgresAddress(source) ? 'postgres' : source
  let file = `${name}.rejects.csv`
  for (let number = 2; sources.some((each) => pointToSameFile(each, file)); number++)
    file = `${name}.rejects-${number}.csv`
  return file
}

/** Compares paths, and then inodes, because one file can have several paths. */
export function pointToSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true
  const [first, second] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }))
  return first !== undefined && first.ino === second?.ino && first.dev === second.dev
}

/** Without this mark, spreadsheets read the file as Windows-1252. */
const byteOrderMark = '\uFEFF'
const ownHeadings = ['line', 'reason'] as const
const chunkCharacters = 1 << 18

async function writeFile(
  file: string,
  numbers: readonly number[],
  sources: readonly Source[],
  staging: Staging,
): Promise<void> {
  const handle = await open(file, 'w')
  try {
    const headings = mergeHeadings(numbers.map((number) => sources[number]?.layout.headings ?? []))
    const leading = numbers.length > 1 ? ['source', ...ownHeadings] : ownHeadings
    let chunk = byteOrderMark + toLine([...leading, ...headings])
    for (const number of numbers) {
      const source = sources[number]
      const own = source?.layout.headings ?? []
      const indexes = headings.map((heading, index) =>
        own[index] === heading ? index : own.findIndex((each) => foldHeading(each) === foldHeading(heading)),
      )
      for (const row of staging.rejectedRows(number)) {
        const lineAndReason = [String(row.line), row.reason]
        const cells = indexes.map((index) => toText(row.cells[index]))
        const rest = row.cells.slice(own.length).map(toText)
        chunk += toLine([
          ...(numbers.length > 1 ? [source?.name ?? '', ...lineAndReason] : lineAndReason),
          ...cells,
          ...rest,
        ])
        if (chunk.length > chunkCharacters) chunk = await flush(handle, chunk)
      }
    }
    await flush(handle, chunk)
  } finally {
    await handle.close()
  }
}

/** The headings of the first source unchanged, followed by headings that only other sources have. */
function mergeHeadings([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const merged = [...first]
  const known = new Set(merged.map(foldHeading))
  for (const heading of others.flat()) {
    if (!known.has(foldHeading(heading))) merged.push(heading)
    known.add(foldHeading(heading))
  }
  return merged
}

/** The last cell of a CSV line may end with the carriage return of its line break. */
function toText(cell: string | null | undefined): string {
  return (cell ?? '').replace(/\r$/, '')
}

async function flush(handle: FileHandle, chunk: string): Promise<string> {
  await handle.appendFile(chunk)
  return ''
}

function toLine(fields: readonly string[]): string {
  return `${fields.map(toField).join(',')}\r\n`
}

/** Quotes a field as RFC 4180 requires. */
function toField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** Removes the rejects file of an earlier import. A file that does not start like a rejects file is left alone. */
async function removeStale(file: string): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch {
    return
  }
  let isRejectsFile: boolean
  try {
    const head = Buffer.alloc(64)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    isRejectsFile = /^\uFEFF(?:source,)?line,reason,/.test(head.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
  if (isRejectsFile) await rm(file)
}

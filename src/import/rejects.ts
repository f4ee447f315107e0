// The rejects file: every refused row with its line and the reason, under the headings of its source, so that it can
// be mended in a spreadsheet and imported again.
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
  /** One file for all sources; by default there is one beside each. */
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
    const withRejects = numbers.filter((number) => !staging.refusedRows(number).next().done)
    try {
      if (withRejects.length === 0) await removeStale(file)
      else {
        await writeFile(file, withRejects, sources, staging)
        report.keepRejects(file)
      }
    } catch (error) {
      if (!(error instanceof Error) || !('code' in error)) throw error
      throw new UsageFault(`Cannot write rejects to ${file}: ${error.message}; name another file with --rejects`)
    }
  }
  for (const [number, source] of sources.entries()) {
    for (const row of staging.refusedRows(number)) {
      if (!report.example(sources.length > 1 ? `${source.name} ${row.reason}` : row.reason)) break
    }
  }
}

/** Beside the source. The rejects of an earlier import, mended, may be a source of this one: never written over. */
function toRejectsFile(source: string, sources: readonly string[]): string {
  const name = source === '-' ? 'stdin' : isPostgresAddress(source) ? 'postgres' : source
  let file = `${name}.rejects.csv`
  for (let number = 2; sources.some((each) => isSameFile(each, file)); number++) file = `${name}.rejects-${number}.csv`
  return file
}

/** Whatever way they are written. */
export function isSameFile(one: string, other: string): boolean {
  if (resolve(one) === resolve(other)) return true
  const [facts, others] = [one, other].map((file) => statSync(file, { throwIfNoEntry: false }))
  return facts !== undefined && facts.ino === others?.ino && facts.dev === others.dev
}

/** Spreadsheets take a file without this mark for Windows-1252. */
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
    const first = numbers.length > 1 ? ['source', ...ownHeadings] : ownHeadings
    let chunk = byteOrderMark + toLine([...first, ...headings])
    for (const number of numbers) {
      const source = sources[number]
      const own = source?.layout.headings ?? []
      const places = headings.map((heading, place) =>
        own[place] === heading ? place : own.findIndex((each) => foldHeading(each) === foldHeading(heading)),
      )
      for (const row of staging.refusedRows(number)) {
        const why = [String(row.line), row.reason]
        const cells = places.map((place) => toPlain(row.cells[place]))
        const rest = row.cells.slice(own.length).map(toPlain)
        chunk += toLine([...(numbers.length > 1 ? [source?.name ?? '', ...why] : why), ...cells, ...rest])
        if (chunk.length > chunkCharacters) chunk = await flush(handle, chunk)
      }
    }
    await flush(handle, chunk)
  } finally {
    await handle.close()
  }
}

/** Those of the first source as they are, unnamed and repeated ones too, and behind them what only others have. */
function mergeHeadings([first = [], ...others]: readonly (readonly string[])[]): string[] {
  const merged = [...first]
  const known = new Set(merged.map(foldHeading))
  for (const heading of others.flat()) {
    if (!known.has(foldHeading(heading))) merged.push(heading)
    known.add(foldHeading(heading))
  }
  return merged
}

/** The last cell of a line may have kept half the end of the line. */
function toPlain(cell: string | null | undefined): string {
  return (cell ?? '').replace(/\r$/, '')
}

async function flush(handle: FileHandle, chunk: string): Promise<string> {
  await handle.appendFile(chunk)
  return ''
}

function toLine(fields: readonly string[]): string {
  return `${fields.map(toField).join(',')}\r\n`
}

/** RFC 4180. */
function toField(text: string): string {
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text
}

/** The rejects of an earlier run would be taken for those of this one; a file that is not ours is left alone. */
async function removeStale(file: string): Promise<void> {
  let handle: FileHandle
  try {
    handle = await open(file, 'r')
  } catch {
    return
  }
  let isOurs: boolean
  try {
    const head = Buffer.alloc(64)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    isOurs = /^\uFEFF(?:source,)?line,reason,/.test(head.toString('utf8', 0, bytesRead))
  } finally {
    await handle.close()
  }
  if (isOurs) await rm(file)
}

// Writes the rejects file: every rejected row with its line and reason, under the headings of its source, so that it
// can be corrected in a spreadsheet and imported again.
import { existsSync, lstatSync, type Stats, statSync } from 'node:fs'
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises'
import { resolve } from 'node:path'
import { UsageFault } from '../cli/config.ts'
import { toTerminalText } from '../cli/style.ts'
import { byteOrderMark, toCsvLine } from '../csv.ts'
import { t } from '../language.ts'
import { systemReasonOf } from '../system-reason.ts'
import { type ImportReport, rejectedExamplesMax } from './report.ts'
import { type Column, columns, foldHeading } from './rows/columns.ts'
import type { Layout } from './rows/layout.ts'
import { areRejectsHeadings, toRejectsHeadings } from './rows/rejects-headings.ts'
import { type RowFault, toMessage, toReasons } from './rows/row-fault.ts'
import { isPostgresAddress } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import type { RawCells, Staging } from './staging.ts'

export interface RejectsPlan {
  readonly sources: readonly string[]
  /** Path of one file for all sources; by default there is one next to each source. */
  readonly rejects?: string
}

/** Stores a rejected row for the rejects file, and counts its reasons. */
export function rejectRow(
  staging: Staging,
  report: ImportReport,
  sourceIndex: number,
  fault: RowFault,
  cells: RawCells,
): void {
  staging.addRejected({ sourceIndex, line: fault.line, reason: toMessage(fault), cells })
  report.countRejected(toReasons(fault))
}

/**
 * Writes the rejected rows to files, and adds the paths of the files and the first rejected rows to the report. Returns
 * the paths of the files that can be corrected: all except devices, pipes and links. If an earlier import has left a
 * rejects file with another text, that file is renamed, because somebody may have corrected rows in it. It is also
 * renamed if none of its sources has rejected rows in this import.
 */
export async function writeRejects(
  plan: RejectsPlan,
  sources: readonly Source[],
  staging: Staging,
  report: ImportReport,
): Promise<string[]> {
  const paths: string[] = []
  // Sources with the same rejects path, such as two queries (`postgres.rejects.csv`), share one file.
  const sourceIndexesByPath = Map.groupBy(
    sources.keys(),
    (index) => plan.rejects ?? toRejectsPath(plan.sources[index] ?? '', plan.sources),
  )
  for (const [path, sourceIndexes] of sourceIndexesByPath) {
    const indexesWithRejects = sourceIndexes.filter((index) => hasRejects(staging, index))
    try {
      if (indexesWithRejects.length === 0) {
        if (await isRejectsFile(path)) await keepAsPrevious(path)
      } else {
        await writeUnlessSame(path, () => toRejectsText(indexesWithRejects, sources, staging))
        report.addRejectsFile(path)
        if (isRegularFile(path)) paths.push(path)
      }
    } catch (error) {
      // Errors of the file have a `syscall`. Other errors, such as an error of the staging database, do not.
      if (!(error instanceof Error) || !('syscall' in error)) throw error
      throw new UsageFault(
        t`Cannot write rejects to ${path}: ${systemReasonOf(error)}; choose another file with --rejects`,
      )
    }
  }
  report.setExamples(collectExamples(sources, staging))
  return paths
}

/** Writes the text to the file, unless the file has it already. A regular file with another text is renamed first. */
async function writeUnlessSame(path: string, toText: () => Generator<string>): Promise<void> {
  if (isRegularFile(path)) {
    if (await hasText(path, toText())) return
    await keepAsPrevious(path)
  }
  await writeFile(path, toText())
}

function hasRejects(staging: Staging, sourceIndex: number): boolean {
  return !staging.rejectedRows(sourceIndex).next().done
}

/**
 * Returns the messages of the first rejected rows: the first one of each source, then the second one of each, and so
 * on, because the known errors of a source must not hide those left in its corrected rejects file. They are sorted by
 * source again.
 */
function collectExamples(sources: readonly Source[], staging: Staging): string[] {
  const examples = sources.flatMap(({ name }, sourceIndex) =>
    staging
      .rejectedRows(sourceIndex)
      .take(rejectedExamplesMax)
      .map(({ reason }, round) => ({ round, sourceIndex, text: sources.length > 1 ? `${name} ${reason}` : reason }))
      .toArray(),
  )
  const chosen = examples.sort((a, b) => a.round - b.round).slice(0, rejectedExamplesMax)
  return chosen.sort((a, b) => a.sourceIndex - b.sourceIndex).map(({ text }) => text)
}

/**
 * Returns `records.csv.rejects.csv` for `records.csv`. Adds a number if a source has this path, as when the corrected
 * rejects of an earlier import are imported.
 */
function toRejectsPath(source: string, sources: readonly string[]): string {
  const isSource = (path: string): boolean => sources.some((each) => pointToSameFile(each, path))
  return toFreePath(`${toPathStart(source)}.rejects`, isSource)
}

/** Returns `${start}.csv` or, if that is taken, `${start}-2.csv`, and so on. */
function toFreePath(start: string, isTaken: (path: string) => boolean): string {
  let path = `${start}.csv`
  for (let suffix = 2; isTaken(path); suffix++) path = `${start}-${suffix}.csv`
  return path
}

/** Returns what the path of the rejects file of a source begins with. */
function toPathStart(source: string): string {
  if (source === '-') return 'stdin'
  return isPostgresAddress(source) ? 'postgres' : source
}

/**
 * Whether both paths are the same, or have the same inode, because one file can have several paths. A device or pipe
 * does not count, because nothing in it is overwritten: several outputs may be `/dev/null`.
 */
export function pointToSameFile(path: string, otherPath: string): boolean {
  const stats = readStats(path)
  if (stats !== undefined && !stats.isFile()) return false
  if (resolve(path) === resolve(otherPath)) return true
  const otherStats = readStats(otherPath)
  return stats !== undefined && stats.ino === otherStats?.ino && stats.dev === otherStats.dev
}

/**
 * False for a device or pipe, such as `/dev/null`, for a link, such as `/dev/stdout`, and if there is no such file. A
 * link must not be renamed or removed: the file behind it would stay as it is.
 */
export function isRegularFile(path: string): boolean {
  return readStats(path, lstatSync)?.isFile() === true
}

/** Returns undefined if there is no such file, or if it cannot be reached, for example without permission. */
function readStats(path: string, read: (path: string) => Stats = statSync): Stats | undefined {
  try {
    return read(path)
  } catch {
    return undefined
  }
}

/** Lines are collected up to this length before they are written. */
const chunkCharacters = 256 * 1024

/** Yields the text of a rejects file in chunks. */
function* toRejectsText(
  sourceIndexes: readonly number[],
  sources: readonly Source[],
  staging: Staging,
): Generator<string> {
  const hasSeveralSources = sourceIndexes.length > 1
  const separator = sources[sourceIndexes[0] ?? 0]?.layout.separator ?? ','
  const headings = mergeHeadings(sourceIndexes.flatMap((index) => sources[index]?.layout ?? []))
  const headingTexts = headings.map(({ heading }) => heading)
  let chunk = byteOrderMark + toCsvLine(toRejectsHeadings(hasSeveralSources, headingTexts), separator)
  for (const sourceIndex of sourceIndexes) {
    const source = sources[sourceIndex]
    if (source === undefined) continue
    const { layout, name } = source
    const sourceCell = hasSeveralSources ? [name] : []
    const cellIndexes = headings.map((heading, index) => findCellIndex(heading, index, layout))
    for (const row of staging.rejectedRows(sourceIndex)) {
      const cells = cellIndexes.map((index) => toCellText(row.cells[index]))
      const cellsWithoutHeading = row.cells.slice(layout.headings.length).map(toCellText)
      chunk += toCsvLine([...sourceCell, String(row.line), row.reason, ...cells, ...cellsWithoutHeading], separator)
      if (chunk.length > chunkCharacters) {
        yield chunk
        chunk = ''
      }
    }
  }
  yield chunk
}

/** Whether the file has exactly this text. */
async function hasText(path: string, chunks: Iterable<string>): Promise<boolean> {
  const handle = await open(path, 'r')
  try {
    for (const chunk of chunks) {
      const expected = Buffer.from(chunk)
      const { buffer, bytesRead } = await handle.read(Buffer.alloc(expected.length))
      if (!expected.equals(buffer.subarray(0, bytesRead))) return false
    }
    const { bytesRead } = await handle.read(Buffer.alloc(1))
    return bytesRead === 0
  } finally {
    await handle.close()
  }
}

/**
 * Renames `records.csv.rejects.csv` to `records.csv.rejects.previous.csv` or, if there is such a file already, to
 * `records.csv.rejects.previous-2.csv`, and so on, and says so. The file stays if its folder may not be changed.
 */
async function keepAsPrevious(path: string): Promise<void> {
  const previousPath = toFreePath(`${path.replace(/\.csv$/i, '')}.previous`, existsSync)
  try {
    await rename(path, previousPath)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    // The folder may not be changed, or the file is mounted alone.
    if (code === 'EACCES' || code === 'EPERM' || code === 'EROFS' || code === 'EBUSY') return
    throw error
  }
  process.stderr.write(
    toTerminalText(`planning-registry: ${t`the earlier file ${path} is now called ${previousPath}`}\n`),
  )
}

/** A heading of a rejects file. */
interface RejectsHeading {
  readonly heading: string
  /** The first column that is read from the heading in its source; undefined if there is none. */
  readonly column: Column | undefined
}

/**
 * Returns the headings of the first source unchanged. After them come the headings of the other sources, except those
 * whose cells belong under an earlier heading (`findCellIndex`). No name is added twice: a heading whose name is taken
 * gets the name of its column or, if no column is read from it, is left out. For example:
 *
 * source | headings (and their columns)
 * first  | `Expediente` (code), `Nombre` (title)
 * second | `Código` (code), `Expediente` (id), `Título` (title), `Notas`
 * merged | `Expediente`, `Nombre`, `id`, `Notas`
 */
function mergeHeadings([first, ...others]: readonly Layout[]): RejectsHeading[] {
  const merged = first?.headings.map((_, index) => toRejectsHeading(first, index)) ?? []
  for (const layout of others) {
    /** The cells of this source that belong under a heading of the sources before it. */
    const placedIndexes = new Set(merged.map((heading, index) => findCellIndex(heading, index, layout)))
    const takenNames = new Set(merged.map(({ heading }) => foldHeading(heading)))
    for (const index of layout.headings.keys()) {
      const { heading, column } = toRejectsHeading(layout, index)
      const freeName = [heading, column].find((name) => name !== undefined && !takenNames.has(foldHeading(name)))
      if (!placedIndexes.has(index) && freeName !== undefined) {
        merged.push({ heading: freeName, column })
        takenNames.add(foldHeading(freeName))
      }
      // A later heading with this name may have another meaning, so the name is taken even if it was not added.
      takenNames.add(foldHeading(heading))
    }
  }
  return merged
}

function toRejectsHeading(layout: Layout, index: number): RejectsHeading {
  return {
    heading: layout.headings[index] ?? '',
    column: columns.find((column) => layout.readsFrom(column, index)),
  }
}

/**
 * Returns the index of the source's cell that belongs under a heading of the rejects file; -1 if there is none. It is
 * the first of these that the source has:
 * - the cell with the index of the heading, if it is under the same heading: a source may repeat a heading;
 * - the cell of the same column, so that `Código` of one source and `code` of another share a heading;
 * - the cell under the same heading.
 */
function findCellIndex({ heading, column }: RejectsHeading, headingIndex: number, layout: Layout): number {
  if (layout.headings[headingIndex] === heading) return headingIndex
  const columnIndex = column === undefined ? undefined : layout.indexOf(column)
  return columnIndex ?? layout.headings.findIndex((each) => foldHeading(each) === foldHeading(heading))
}

/** Removes a final carriage return: if the lines of a CSV file end with `\r\n`, their last cells end with `\r`. */
function toCellText(cell: string | null | undefined): string {
  return (cell ?? '').replace(/\r$/, '')
}

/** Whether the file starts like a rejects file. False if there is no such file, or if it cannot be read. */
async function isRejectsFile(path: string): Promise<boolean> {
  if (!isRegularFile(path)) return false
  let handle: FileHandle
  try {
    handle = await open(path, 'r')
  } catch {
    return false
  }
  try {
    // Enough for a byte order mark and the first headings: `source` (not in every file), `line` and `reason`.
    const head = Buffer.alloc(64)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    const text = head.toString('utf8', 0, bytesRead)
    const headings = text.slice(byteOrderMark.length).split(/[,;\t|]/)
    return text.startsWith(byteOrderMark) && areRejectsHeadings(headings)
  } finally {
    await handle.close()
  }
}

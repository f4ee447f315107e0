// Writes the rejects file of each source: every rejected row with its line and reason, under the headings of the
// source, so that it can be corrected in a spreadsheet and imported again.
import { type FileHandle, open, rename, writeFile } from 'node:fs/promises'
import { UsageFault } from '../cli/config.ts'
import { byteOrderMark, toCsvLine } from '../csv.ts'
import { t } from '../language.ts'
import { codeOf, systemReasonOf } from '../system-reason.ts'
import { isRegularFile, pointToSameFile } from './files.ts'
import { type ImportReport, rejectedExamplesMax } from './report.ts'
import type { Layout } from './rows/layout.ts'
import { areRejectsHeadings, toRejectsHeadings } from './rows/rejects-headings.ts'
import { isPostgresAddress } from './sources/open.ts'
import type { Source } from './sources/source.ts'
import type { RejectedRow, Staging } from './staging.ts'

export interface RejectsPlan {
  readonly sources: readonly string[]
  /** `--rejects`: the file for a single source; by default it is next to the source. */
  readonly rejects: string | undefined
  readonly dryRun: boolean
}

/**
 * Writes the rejected rows to files, and adds the paths of the files and the first rejected rows to the report. Returns
 * the paths of the files that can be corrected: all except devices, pipes and links.
 */
export async function writeRejects(
  plan: RejectsPlan,
  sources: readonly Source[],
  staging: Staging,
  report: ImportReport,
): Promise<string[]> {
  const isRejected = (index: number): boolean => !staging.rejectedRows(index).next().done
  // Sources with rejected rows come first, so that a single one gets the path of `--rejects` itself.
  const order = [...sources.entries()].sort(([a], [b]) => Number(isRejected(b)) - Number(isRejected(a)))
  const taken = [...plan.sources]
  for (const [index, { layout }] of order) {
    const path = toFreePath(plan.rejects ?? toDefaultPath(plan.sources[index] ?? ''), taken)
    taken.push(path)
    const toText = isRejected(index) ? () => toRejectsText(staging.rejectedRows(index), layout) : undefined
    try {
      await replaceFile(path, toText, plan, report)
    } catch (error) {
      // Errors of the file have a `syscall`. Other errors, such as an error of the staging database, do not.
      if (!(error instanceof Error) || !('syscall' in error)) throw error
      throw new UsageFault(
        t`Cannot write rejects to ${path}: ${systemReasonOf(error)}; choose another file with --rejects`,
      )
    }
  }
  report.rejectedExamples = collectExamples(sources, staging)
  return report.rejectsPaths.filter(isRegularFile)
}

/**
 * Puts the text in place of what an earlier import has written; `toText` is undefined if no row was rejected. Somebody
 * may have corrected rows in the earlier file, so it is renamed, and a dry run leaves it as it is.
 */
async function replaceFile(
  path: string,
  toText: (() => Iterable<string>) | undefined,
  { sources, dryRun }: RejectsPlan,
  report: ImportReport,
): Promise<void> {
  const isSame = toText !== undefined && isRegularFile(path) && (await hasText(path, toText()))
  const isEarlier = toText === undefined ? await isRejectsFile(path) : isRegularFile(path) && !isSame
  if (isEarlier && dryRun) {
    report.warnings.push(t`${path} stays as it is, because this is a dry run; its rows are those of an earlier import`)
    return
  }
  if (isEarlier) await keepAsPrevious(path, sources, report)
  if (toText === undefined) return
  if (!isSame) await writeFile(path, toText())
  report.rejectsPaths.push(path)
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

/** Returns `records.csv.rejects.csv` for `records.csv`. */
function toDefaultPath(source: string): string {
  if (source === '-') return 'stdin.rejects.csv'
  return isPostgresAddress(source) ? 'postgres.rejects.csv' : `${source}.rejects.csv`
}

/** Returns the path, with a number if it is taken, such as `rejects-2.csv`. */
function toFreePath(path: string, taken: readonly string[]): string {
  const start = path.replace(/\.csv$/i, '')
  let free = path
  for (let suffix = 2; taken.some((each) => pointToSameFile(each, free)); suffix++) free = `${start}-${suffix}.csv`
  return free
}

/** Lines are collected up to this length before they are written. */
const chunkCharacters = 256 * 1024

/** Yields the text of a rejects file in chunks. */
function* toRejectsText(rows: Iterable<RejectedRow>, { headings, separator }: Layout): Generator<string> {
  let chunk = byteOrderMark + toCsvLine(toRejectsHeadings(headings), separator)
  for (const { line, reason, cells } of rows) {
    // A row may have more or fewer cells than there are headings.
    const texts = Array.from({ length: Math.max(headings.length, cells.length) }, (_, index) =>
      toCellText(cells[index]),
    )
    chunk += toCsvLine([String(line), reason, ...texts], separator)
    if (chunk.length > chunkCharacters) {
      yield chunk
      chunk = ''
    }
  }
  yield chunk
}

/** Removes a final carriage return: if the lines of a CSV file end with `\r\n`, their last cells end with `\r`. */
function toCellText(cell: string | null | undefined): string {
  return (cell ?? '').replace(/\r$/, '')
}

/** Whether the file has exactly this text. */
async function hasText(path: string, chunks: Iterable<string>): Promise<boolean> {
  await using handle = await open(path, 'r')
  for (const chunk of chunks) {
    const expected = Buffer.from(chunk)
    const { buffer, bytesRead } = await handle.read(Buffer.alloc(expected.length))
    if (!expected.equals(buffer.subarray(0, bytesRead))) return false
  }
  const { bytesRead } = await handle.read(Buffer.alloc(1))
  return bytesRead === 0
}

/**
 * Renames `records.csv.rejects.csv` to `records.csv.rejects.previous.csv`, which replaces the file of that name unless
 * it is a source, and says so. The file stays if its folder may not be changed.
 */
async function keepAsPrevious(path: string, sources: readonly string[], report: ImportReport): Promise<void> {
  const previousPath = toFreePath(`${path.replace(/\.csv$/i, '')}.previous.csv`, sources)
  try {
    await rename(path, previousPath)
    report.warnings.push(t`the earlier file ${path} is now called ${previousPath}`)
  } catch (error) {
    // The folder may not be changed, or the file is mounted alone.
    if (!['EACCES', 'EPERM', 'EROFS', 'EBUSY'].includes(codeOf(error))) throw error
  }
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
    // Enough for a byte order mark and the first headings, `line` and `reason`.
    const head = Buffer.alloc(64)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    const text = head.toString('utf8', 0, bytesRead)
    const headings = text.slice(byteOrderMark.length).split(/[,;\t|]/)
    return text.startsWith(byteOrderMark) && areRejectsHeadings(headings)
  } finally {
    await handle.close()
  }
}

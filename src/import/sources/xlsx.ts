// Opens an Excel workbook as a source: chooses the sheet, finds its headings, and passes on the rows below them.
// workbook.ts opens the file, and sheet.ts reads the rows of a sheet.
import { t } from '../../language.ts'
import { toDefectFault } from '../rows/excel-cell.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import type { ParseFault, Row } from '../rows/row.ts'
import { toUncorrectedCell } from '../rows/uncorrected-cell.ts'
import { SourceFault } from '../source-fault.ts'
import { completeRating, isBlankRow, rateHeadings, rateRow, takeHeadings, titleLinesMax } from './heading-row.ts'
import { readSheet, type SheetRow } from './sheet.ts'
import { batchCharactersMax, batchRows, type Source } from './source.ts'
import type { SourceFile } from './source-file.ts'
import { openWorkbook, type Sheet, type Workbook } from './workbook.ts'
import type { Archive } from './zip.ts'

/** `wantedSheet` is the name of a sheet, or its number from 1 among the visible sheets, if the user gave one. */
export async function openXlsx(
  file: SourceFile,
  archive: Archive,
  layout: Layout,
  wantedSheet?: string,
): Promise<Source> {
  const workbook = await openWorkbook(archive)
  /** The share of the sheet that has been read, from 0 to 1. */
  let share = 0
  return {
    name: file.name,
    layout,
    rows: async function* () {
      const sheet = await chooseSheet(file.name, workbook, layout, wantedSheet)
      if (sheet === undefined) return
      let batch: Row[] = []
      // Cells that share one long string could fill the memory before there are `batchRows` rows.
      let characters = 0
      for await (const read of belowHeadings(file.name, sheet, workbook, layout)) {
        if (share === 0) layout.requireColumns()
        share = read.share
        for (const row of read.rows) {
          batch.push(row)
          for (const cell of row.cells) characters += cell?.length ?? 0
        }
        if (batch.length < batchRows && characters < batchCharactersMax) continue
        yield batch
        batch = []
        characters = 0
      }
      await file.requireUnchanged()
      if (batch.length > 0) yield batch
    },
    describe: () => 'XLSX',
    shareRead: () => share,
    close: () => file.close(),
  }
}

interface ReadRows {
  readonly rows: readonly Row[]
  readonly share: number
}

/** Adds the headings of the sheet to the layout, and yields the rows below them that are not blank. */
async function* belowHeadings(
  sourceName: string,
  sheet: Sheet,
  workbook: Workbook,
  layout: Layout,
): AsyncGenerator<ReadRows, void, undefined> {
  /** The first rows, until the headings are found among them: each may be a title or the headings. */
  const candidates: TextRow[] = []
  const first: SheetRow[] = []
  const takeFirst = (): Row[] => toRows(first.slice(takeHeadings(candidates, layout) + 1), layout)
  for await (const { rows, share } of readSheet(sourceName, sheet, workbook)) {
    let start = 0
    while (layout.headings.length === 0 && start < rows.length) {
      const row = rows[start++] as SheetRow
      const texts = row.cells.map((cell) => cell?.text)
      if (isBlankRow(texts)) continue
      first.push(row)
      candidates.push({ cells: texts })
      // A row with only some of the required columns may be labels above the headings, as in `Municipio: | Jávea`, so
      // the rows below it are candidates too.
      const areHeadings = rateRow(texts, layout) === completeRating
      if (areHeadings || candidates.length > titleLinesMax) yield { rows: takeFirst(), share }
    }
    if (start < rows.length) yield { rows: toRows(rows.slice(start), layout), share }
  }
  if (layout.headings.length === 0 && candidates.length > 0) yield { rows: takeFirst(), share: 1 }
}

interface TextRow {
  readonly cells: readonly (string | undefined)[]
}

/** Skips blank rows. A row with only a note beside the table, in a column without a heading, counts as blank. */
function toRows(rows: readonly SheetRow[], layout: Layout): Row[] {
  return rows.flatMap(({ line, cells }): Row | [] => {
    let parseFault: ParseFault | undefined
    // Cells to the right of the last heading are left out.
    const texts = Array.from(layout.headings, (_, index): string | undefined => {
      const cell = cells[index]
      if (cell?.defect === undefined) return cell?.text
      const fault = toDefectFault(cell.defect, index, cell.text, layout)
      parseFault ??= fault
      return fault === undefined ? cell.text : toUncorrectedCell(cell.text)
    })
    if (parseFault !== undefined) return { line, cells: texts, parseFault }
    return isBlankRow(texts.filter((_, index) => layout.headings[index] !== '')) ? [] : { line, cells: texts }
  })
}

/**
 * Returns the sheet that the user named, or the only one, or the first whose headings have the best rating, or the
 * first that is not blank. A sheet with codes and rows is preferred to one without rows, which may be a template.
 * Undefined if there are several sheets and all are blank.
 */
async function chooseSheet(
  sourceName: string,
  workbook: Workbook,
  layout: Layout,
  wantedSheet: string | undefined,
): Promise<Sheet | undefined> {
  const { sheets } = workbook
  if (wantedSheet !== undefined) return findWantedSheet(sourceName, sheets, wantedSheet)
  if (sheets.length === 1) return sheets[0]
  const probed = await probeSheets(sourceName, workbook, layout)
  const withRecords = probed.filter(({ rating, hasCodes, hasRows }) => rating > 0 && hasCodes && hasRows)
  const candidates = withRecords.length > 0 ? withRecords : probed
  const best = Math.max(...candidates.map(({ rating }) => rating))
  const chosen = candidates.find(({ rating }) => rating === best)
  const others = probed.filter((each) => each !== chosen)
  if (chosen !== undefined && others.length > 0) {
    layout.notes.push(t`sheet ${toQuoted(chosen.sheet.name)} read, not ${toNames(others)}`)
    // Sheets with the same rating probably have records too. A cover sheet with a few labels that are known headings
    // has a lower rating.
    const othersWithHeadings = withRecords.filter((each) => each !== chosen && each.rating === best)
    if (othersWithHeadings.length > 0) {
      layout.warnings.push(
        t`${sourceName} has more sheets with headings of records, which are not read: ${toNames(othersWithHeadings)}; choose one with --sheet, or save the others as CSV and import all files together`,
      )
    }
  }
  return chosen?.sheet
}

/**
 * `sheets` are the visible ones. A sheet with the name `2` is preferred to the second sheet. A name in another case is
 * accepted if only one sheet matches.
 */
function findWantedSheet(sourceName: string, sheets: readonly Sheet[], wantedSheet: string): Sheet {
  const [similar, ...others] = sheets.filter((each) => each.name.toLowerCase() === wantedSheet.toLowerCase())
  const found =
    sheets.find((each) => each.name === wantedSheet) ??
    (others.length === 0 ? similar : undefined) ??
    sheets[Number(wantedSheet) - 1]
  if (found !== undefined) return found
  const names = sheets.map((each) => toQuoted(each.name)).join(', ')
  throw new SourceFault(
    t`Cannot read ${sourceName}: there is no sheet ${toQuoted(wantedSheet)}; its visible sheets are ${names}`,
  )
}

interface ProbedSheet {
  readonly sheet: Sheet
  /** How likely its headings are those of records (`rateHeadings`); 0 if fewer than two are known. */
  readonly rating: number
  /** Whether its headings give the column `code`. */
  readonly hasCodes: boolean
  /** Whether a row below the headings is not blank. */
  readonly hasRows: boolean
}

/** Reads every sheet up to its first row below the headings, and rates the headings. Leaves out blank sheets. */
async function probeSheets(sourceName: string, workbook: Workbook, layout: Layout): Promise<ProbedSheet[]> {
  const withContent: ProbedSheet[] = []
  for (const sheet of workbook.sheets) {
    const probe = layout.toEmpty()
    let hasRows = false
    for await (const { rows } of belowHeadings(sourceName, sheet, workbook, probe)) {
      hasRows = rows.length > 0
      if (hasRows) break
    }
    if (probe.headings.length === 0) continue
    const hasCodes = !probe.missingColumns().includes('code')
    withContent.push({ sheet, rating: rateHeadings(probe), hasCodes, hasRows })
  }
  return withContent
}

function toNames(probed: readonly ProbedSheet[]): string {
  return probed.map(({ sheet }) => toQuoted(sheet.name)).join(', ')
}

// Opens an Excel workbook as a source: chooses the sheet and passes on its rows. workbook.ts opens the file, and
// sheet-reader.ts turns the XML of a sheet into rows.
import { t } from '../../language.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import { SourceFault } from '../source-fault.ts'
import { rateHeadings } from './heading-row.ts'
import { SheetReader } from './sheet-reader.ts'
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
      const reader = new SheetReader(file.name, workbook, layout)
      for await (const bytesRead of sheet.read(reader)) {
        share = bytesRead / Math.max(1, sheet.bytes)
        // Cells that share one long string could fill the memory before there are `batchRows` rows.
        const isBatchFull = reader.rows.length >= batchRows || reader.characters >= batchCharactersMax
        if (isBatchFull) yield reader.takeRows()
      }
      reader.end()
      await file.requireUnchanged()
      if (reader.rows.length > 0) yield reader.takeRows()
    },
    describe: () => 'XLSX',
    shareRead: () => share,
    close: () => file.close(),
  }
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

/**
 * Reads every sheet up to its first row below the headings, and rates the headings. Returns the sheets that are not
 * blank. Each sheet is read with a layout of its own, `probe`, in which the `SheetReader` notes the headings that it
 * finds.
 */
async function probeSheets(sourceName: string, workbook: Workbook, layout: Layout): Promise<ProbedSheet[]> {
  const withContent: ProbedSheet[] = []
  for (const sheet of workbook.sheets) {
    const probe = layout.toEmpty()
    const reader = new SheetReader(sourceName, workbook, probe, { isProbe: true })
    for await (const _bytesRead of sheet.read(reader)) if (reader.hasRows) break
    reader.end()
    if (!reader.hasContent) continue
    const hasCodes = !probe.missingColumns().includes('code')
    withContent.push({ sheet, rating: rateHeadings(probe), hasCodes, hasRows: reader.hasRows })
  }
  return withContent
}

function toNames(probed: readonly ProbedSheet[]): string {
  return probed.map(({ sheet }) => toQuoted(sheet.name)).join(', ')
}

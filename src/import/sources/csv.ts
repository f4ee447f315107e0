// Comma-separated values as registries export them: the dialect is found out, lines are counted, and rows that cannot
// be trusted are marked. csv-records.ts tells the records apart.
import Papa from 'papaparse'
import type { Layout } from '../columns.ts'
import { SourceFault } from '../fault.ts'
import { type CsvRecord, type Dialect, parseRecords } from './csv-records.ts'
import { type Encoding, readText } from './encoding.ts'
import type { SourceFile } from './file.ts'
import { type Row, recordCharactersMax, type Source } from './source.ts'

export function openCsv(file: SourceFile, layout: Layout, encoding: Encoding): Source {
  return {
    name: file.name,
    layout,
    rows: () => readRows(file, layout, encoding),
    shareRead: () => file.bytesRead / file.size,
    close: () => file.close(),
  }
}

async function* readRows(
  file: SourceFile,
  layout: Layout,
  encoding: Encoding,
): AsyncGenerator<readonly Row[], void, undefined> {
  let dialect: Dialect | undefined
  let line = 1
  let rest = ''
  /** A record that does not end in what was read is tried again only once there is twice as much of it. */
  let triedCharacters = 0
  const toRows = (text: string, isEnd: boolean): Row[] => {
    let skipped = 0
    if (dialect === undefined) {
      // Excel's own first line, which names the separator.
      skipped = /^sep=[^\r\n]\r?\n/i.exec(text)?.[0].length ?? 0
      if (skipped > 0) line += 1
      dialect = findDialect(text.slice(skipped))
    }
    const parsed = parseRecords(text.slice(skipped), dialect, isEnd)
    rest = text.slice(skipped + parsed.characters)
    const rows: Row[] = []
    for (const record of parsed.records) {
      const first = line
      line += record.lines
      if (record.cells.every(isBlank)) continue
      if (layout.headings.length === 0) addHeadings(layout, record, file.name)
      else rows.push(toRow(first, record, layout, encoding))
    }
    return rows
  }
  for await (const chunk of readText(file, encoding)) {
    rest += chunk
    if (rest.length < triedCharacters * 2 && rest.length <= recordCharactersMax) continue
    const rows = toRows(rest, false)
    triedCharacters = rest.length
    if (rest.length > recordCharactersMax) {
      throw new SourceFault(
        `Cannot read ${file.name}: the record at line ${line} is longer than ${recordCharactersMax} characters; close its quote, or shorten its text`,
      )
    }
    if (rows.length > 0) yield rows
  }
  const rows = toRows(rest, true)
  if (rows.length > 0) yield rows
}

/** The separator is the one that tells most headings apart; it stands outside quotes, which only a parser can see. */
function findDialect(text: string): Dialect {
  const newline = text.includes('\n') ? '\n' : text.includes('\r') ? '\r' : '\n'
  let best: Dialect = { delimiter: ',', newline }
  let most = 1
  for (const delimiter of [',', ';', '\t']) {
    const preview = Papa.parse<string[]>(text.trimStart(), { delimiter, newline, preview: 1 }).data
    const fields = preview[0]?.length ?? 0
    if (fields > most) {
      most = fields
      best = { delimiter, newline }
    }
  }
  return best
}

function addHeadings(layout: Layout, { cells, quotes }: CsvRecord, name: string): void {
  if (quotes !== undefined) {
    throw new SourceFault(`Cannot read ${name}: the quotes of its headings do not match; mend the first line`)
  }
  for (const heading of cells) layout.append(heading.trim())
  layout.requireColumns()
}

function toRow(line: number, { cells, quotes, isCutOff }: CsvRecord, layout: Layout, encoding: Encoding): Row {
  const broken = (expected: string, value: string): Row => ({ line, cells, broken: { expected, value } })
  if (quotes !== undefined) return broken(quotes, cells.join(' '))
  const count = layout.headings.length
  if (cells.length > count && !cells.slice(count).every(isBlank)) {
    return broken(`${count} fields, those with a separator inside in quotes`, `${cells.length} fields`)
  }
  // Spreadsheets leave out trailing empty fields; but a last line without an end may be one that was cut off.
  if (cells.length < count && isCutOff) return broken(`${count} fields before the file ends`, `${cells.length} fields`)
  if (encoding.mixed) {
    const strange = cells.find((cell) => cell.includes('\uFFFD'))
    if (strange !== undefined) return broken('text in UTF-8, like the rest of the file', strange)
  }
  return { line, cells }
}

function isBlank(cell: string): boolean {
  return cell === '' || cell.trim() === ''
}

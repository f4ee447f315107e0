// The report of an import as text, in the language of the user. Lines that do not apply to the import are left out.
import { toDuration } from '../cli/progress.ts'
import { toSpanishReason } from '../domain/document-reason.ts'
import { currentLanguage, t, toCount, toQuantity } from '../language.ts'
import type { ReportJson } from './report.ts'
import { shortenHeading } from './rows/quote.ts'

/** Problems of documents that are shown. */
const problemsMax = 10
/** Names of headings or municipalities that are listed on one line. */
const listedNamesMax = 10
/**
 * Codes shown of each kind of change: new, changed or gone. If the import fails, perhaps because too many records are
 * gone, all codes of gone records that the report has are shown.
 */
const exampleCodesMax = 3
/** Widths of the columns, in characters. */
const labelWidth = 16
const countWidth = 9

export function toReportText(report: ReportJson): string {
  const lines = [
    toHeadline(report),
    ...report.sources.flatMap(toSourceLines),
    ...toRejectedLines(report),
    ...toKeptLines(report),
    ...toDuplicateLines(report),
    ...toMunicipalityLines(report),
    ...toDocumentLines(report),
  ]
  if (report.entities_decoded > 0) lines.push(toLine(t`HTML entities`, t`${report.entities_decoded} decoded`))
  const { repaired, damaged } = report.encodings
  if (repaired > 0) lines.push(toLine(t`encoding`, t`${toQuantity(repaired, 'value')} such as OrdenaciÃ³n repaired`))
  if (damaged > 0) lines.push(toLine(t`damaged`, t`${toQuantity(damaged, 'value')} with lost letters (\ufffd)`))
  const { two_digit_years: shortYears, without_day: withoutDay } = report.dates
  if (shortYears > 0)
    lines.push(toLine(t`dates`, t`${toQuantity(shortYears, 'value')} such as 24-3-07 read as 1950 to 2049`))
  if (withoutDay > 0)
    lines.push(toLine(t`dates`, t`${toQuantity(withoutDay, 'value')} such as 3/2019 read as the first of the month`))
  for (const warning of report.warnings) lines.push(toLine(t`warning`, warning))
  for (const { name, headings_not_read: headings } of report.sources) {
    if (headings.length > 0) lines.push(toLine(t`not imported`, t`${toList(headings.map(shortenHeading))} of ${name}`))
  }
  lines.push(...toChangesLines(report), toLine(t`time`, toDuration(report.seconds)))
  return `${lines.join('\n')}\n`
}

function toHeadline({ database, fault, records, published, unchanged, dry_run: dryRun }: ReportJson): string {
  const quantity = toQuantity(records, 'record')
  if (unchanged) return t`nothing to publish: ${database} has the same ${quantity} already`
  if (published) return t`published ${quantity} to ${database}`
  if (dryRun && fault === null) return t`dry run, nothing published: ${quantity} could be published to ${database}`
  return t`nothing published to ${database}: ${fault ?? t`the import did not finish`}`
}

/** `recognised` has the headings that differ from the names of their columns, by column. */
function toSourceLines({ name, rows, recognised, notes }: ReportJson['sources'][number]): string[] {
  const columns = Object.entries(recognised).map(([column, heading]) => `${column} ← ${heading}`)
  return [
    toLine(t`read`, t`${toQuantity(rows, 'row')} of ${name}`),
    ...notes.map((note) => `    ${note}`),
    ...(columns.length === 0 ? [] : [`    ${t`headings recognised: ${columns.join(', ')}`}`]),
  ]
}

/** In the report, rejected rows are called refused, and `rejects` are the paths of the files that they are saved in. */
function toRejectedLines(report: ReportJson): string[] {
  if (report.rows_refused === 0) return []
  const rows = toQuantity(report.rows_refused, 'row')
  const moreCount = report.rows_refused - report.refused_examples.length
  return [
    toLine(t`rejected`, report.rejects.length === 0 ? rows : t`${rows}, saved in ${report.rejects.join(', ')}`),
    ...Object.entries(report.refused_by_reason).map(
      ([reason, rows]) => `    ${toCount(rows).padStart(countWidth)}   ${reason}`,
    ),
    ...report.refused_examples.map((message) => `    ${message}`),
    ...(moreCount > 0 ? [`    ${t`… and ${moreCount} more`}`] : []),
  ]
}

/** The records in service that stay as they were. */
function toKeptLines({ kept }: ReportJson): string[] {
  if (kept.length === 0) return []
  const records = toQuantity(kept.length, 'record')
  return [toLine(t`kept`, t`${records} unchanged, because of rejected rows: ${toList(kept)}`)]
}

function toDuplicateLines({ duplicates }: ReportJson): string[] {
  if (duplicates === null || duplicates.rows === 0) return []
  const rows = toQuantity(duplicates.rows, 'row')
  const outcome =
    duplicates.rule === 'merge'
      ? t`${rows} merged into the record with the same code`
      : t`${rows} left out, because another row has the same code`
  return [toLine(t`duplicates`, outcome)]
}

function toMunicipalityLines({ municipalities: { resolved, unknown, unknown_names: names } }: ReportJson): string[] {
  if (resolved + unknown === 0) return []
  const counts = t`${toQuantity(resolved, 'name')} with an INE code, ${unknown} without`
  const lines = [toLine(t`municipalities`, counts)]
  if (unknown > 0) {
    lines.push(`    ${t`without: ${toList(names.map(({ name, records }) => `${name} (${records})`))}`}`)
  }
  return lines
}

function toDocumentLines({ documents }: ReportJson): string[] {
  const { text, scan, unreadable, missing, problem_count: count, records_closed: closed, problems } = documents
  if (text + scan + unreadable + missing === 0) return []
  const outcomes = t`${text} text, ${scan} scan, ${unreadable} unreadable, ${missing} missing`
  const lines = [toLine(t`documents`, outcomes)]
  const shown = problems.slice(0, problemsMax)
  for (const { document, reason } of shown)
    lines.push(`    ${document}: ${currentLanguage() === 'es' ? toSpanishReason(reason) : reason}`)
  if (count > shown.length) lines.push(`    ${t`… and ${count - shown.length} more`}`)
  if (closed > 0)
    lines.push(
      `    ${t`readers cannot open documents of ${toQuantity(closed, 'record')}; publish them with --publish-documents`}`,
    )
  return lines
}

/** Returns the counts of the changes, then a line for each kind with its first codes. */
function toChangesLines({ changes, fault }: ReportJson): string[] {
  if (changes === null) return []
  const { examples } = changes
  const counts = t`${changes.new} new, ${changes.changed} changed, ${changes.gone} gone`
  return [
    toLine(t`changes`, counts),
    ...toCodesLine(t`new`, changes.new, examples.new.slice(0, exampleCodesMax)),
    ...toCodesLine(t`changed`, changes.changed, examples.changed.slice(0, exampleCodesMax)),
    ...toCodesLine(t`gone`, changes.gone, fault === null ? examples.gone.slice(0, exampleCodesMax) : examples.gone),
  ]
}

/** Returns one line, or none if `count` is 0. `codes` are the first of `count` codes. */
function toCodesLine(label: string, count: number, codes: readonly string[]): string[] {
  if (count === 0) return []
  const moreCount = count - codes.length
  const list = codes.join(', ') + (moreCount > 0 ? ` ${t`and ${moreCount} more`}` : '')
  // The label is indented by two more spaces than in `toLine`.
  return [`    ${label.padEnd(labelWidth - 2)}${toCount(count).padStart(countWidth)}   ${list}`]
}

/** Returns the label in a column of `labelWidth`, followed by the text. */
function toLine(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}${text}`
}

/** Returns the first names, and how many more there are. */
function toList(names: readonly string[]): string {
  const moreCount = names.length - listedNamesMax
  return names.slice(0, listedNamesMax).join(', ') + (moreCount > 0 ? ` ${t`and ${moreCount} more`}` : '')
}

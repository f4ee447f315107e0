// The message for a source that lacks required columns: which ones, and which of its headings are spelled most like
// them.
import { nearestWords } from '../../domain/edit-cost.ts'
import { t } from '../../language.ts'
import { type Column, foldHeading, requiredColumns } from './columns.ts'
import { headingsOf, type Mapping } from './mapping.ts'
import { toQuoted } from './quote.ts'
import { isRejectsHeading } from './rejects-headings.ts'

/**
 * At most so many headings are compared with the name of a missing column, or with the heading that it is mapped to. A
 * damaged file may have thousands.
 */
const candidatesMax = 200
/** Only so many characters of a heading are compared. The name of a column is shorter. */
const candidateCharactersMax = 64
/**
 * A heading is similar if its edit distance is at most this share of the length of the missing name. The share is high,
 * because the message only suggests the heading.
 */
const distanceShareMax = 0.6
/** At most so many headings are listed in a message. */
const listedMax = 12

/** What the message needs of `Layout` (layout.ts), which knows from which heading each column is read. */
export interface Headings {
  readonly headings: readonly string[]
  /** Headings, except blank ones, that no column is read from. */
  unused(): readonly string[]
}

/** Returns the problems as one text. `missing` has the missing columns, at least one. */
export function describeMissing(source: Headings, mapping: Mapping, missing: readonly Column[]): string {
  const isCandidate = (heading: string): boolean => heading.trim() !== '' && !isRejectsHeading(heading, source.headings)
  const filledHeadings = source.headings.filter(isCandidate)
  const unused = source.unused().filter(isCandidate)
  const areAllUnused = unused.length === filledHeadings.length
  if (filledHeadings.length > 0 && areAllUnused) {
    const listed = filledHeadings.slice(0, listedMax).map(toQuoted).join(', ')
    return t`none of its headings is known: ${listed}; put the column names (${requiredColumns.join(', ')}) in its first line, or map its headings with --mapping`
  }
  // Columns without a mapping and without a similar heading are named together.
  const isAlike = (column: Column): boolean => !mapping.has(column) && findNearest(column, unused) === undefined
  const together = missing.filter(isAlike).length > 1 ? missing.filter(isAlike) : []
  const others = missing.filter((column) => !together.includes(column))
  const sentences = others.map((column) => describeColumn(unused, mapping, column))
  if (together.length > 0) {
    const names = together.map(toName).join(', ')
    sentences.push(t`columns ${names} are missing; add them, or map them with --mapping${toHint(together)}`)
  }
  return sentences.join('; ')
}

/** `unused` has the headings that may be suggested. */
function describeColumn(unused: readonly string[], mapping: Mapping, column: Column): string {
  const mapped = mapping.get(column)
  // A mapped column is missing because the source has none of its headings; the message names the first. A column that
  // is not mapped has no `mappedHeading`.
  const [mappedHeading] = mapped === undefined ? [] : headingsOf(mapped)
  const subject =
    mappedHeading === undefined
      ? t`column ${toName(column)}`
      : t`column ${column}, mapped to ${toQuoted(mappedHeading)},`
  const nearest = findNearest(mappedHeading ?? column, unused)
  const hint = toHint([column])
  if (nearest === undefined) return t`${subject} is missing; add it, or map it with --mapping${hint}`
  return t`${subject} is missing; the nearest heading is ${toQuoted(nearest)}: rename it, or map it with --mapping${hint}`
}

function toName(column: Column): string {
  return column === 'code' ? `code${t` (or prefix and registration_number)`}` : column
}

function toHint(missing: readonly Column[]): string {
  if (!missing.includes('municipality')) return ''
  return t`; if all records are of one municipality, map it to a value: {"municipality": {"value": "Madrid"}}`
}

/** Returns the heading that is most similar to `name`; undefined if none is similar enough. */
function findNearest(name: string, headings: readonly string[]): string | undefined {
  const headingByFolded = new Map(
    headings
      .slice(0, candidatesMax)
      .map((heading) => [foldHeading(heading).slice(0, candidateCharactersMax), heading] as const),
  )
  const distanceMax = Math.ceil(name.length * distanceShareMax)
  const [nearest] = nearestWords(foldHeading(name), [...headingByFolded.keys()], distanceMax)
  return nearest === undefined ? undefined : headingByFolded.get(nearest)
}

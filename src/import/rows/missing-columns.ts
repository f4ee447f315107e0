// The message for a source that lacks required columns: which ones, and the nearest headings that it has.
import { nearestWords } from '../../analysis/nearest.ts'
import { t } from '../../language.ts'
import { type Column, foldHeading, requiredColumns } from './columns.ts'
import { headingsOf, type Mapping } from './mapping.ts'
import { toQuoted } from './quote.ts'

/** Headings compared with the name of a missing column, and characters of each. */
const candidatesMax = 200
const candidateCharactersMax = 64
/** A heading is not named if a larger share of its letters differs. */
const nearestShare = 0.6
/** Headings listed in a message. */
const listedMax = 12

export interface Headings {
  readonly headings: readonly string[]
  /** Headings that no column is read from. */
  unused(): readonly string[]
}

export function describeMissing(source: Headings, mapping: Mapping, missing: readonly Column[]): string {
  const found = source.headings.filter((heading) => heading.trim() !== '')
  if (found.length > 0 && source.unused().length === found.length) {
    const listed = found.slice(0, listedMax).map(toQuoted).join(', ')
    return t`none of its headings is known: ${listed}; put the column names (${requiredColumns.join(', ')}) in its first line, or map its headings with --mapping`
  }
  return missing.map((column) => describeColumn(source, mapping, column)).join('; ')
}

function describeColumn(source: Headings, mapping: Mapping, column: Column): string {
  const form = mapping.get(column)
  const [mapped] = form === undefined ? [] : headingsOf(form)
  const alternative = column === 'code' ? t` (or prefix and registration_number)` : ''
  const missing =
    mapped === undefined ? t`column ${column}${alternative}` : t`column ${column}, mapped to ${toQuoted(mapped)},`
  const heading = findNearest(mapped ?? column, source.unused())
  const constant = column === 'municipality' ? t`; for one municipality: {"municipality": {"value": "Madrid"}}` : ''
  if (heading === undefined) return t`${missing} is missing; add it, or map it with --mapping${constant}`
  return t`${missing} is missing; the nearest heading is ${toQuoted(heading)}: rename it, or map it with --mapping${constant}`
}

function findNearest(name: string, headings: readonly string[]): string | undefined {
  const headingByFolded = new Map(
    headings
      .slice(0, candidatesMax)
      .map((heading) => [foldHeading(heading).slice(0, candidateCharactersMax), heading] as const),
  )
  const distanceMax = Math.ceil(name.length * nearestShare)
  const [nearest] = nearestWords(foldHeading(name), [...headingByFolded.keys()], distanceMax)
  return nearest === undefined ? undefined : headingByFolded.get(nearest)
}

// Parses the file of `--mapping`: a JSON object from our column names to the headings of the source.
import { nearestWords } from '../../analysis/nearest.ts'
import { UsageFault } from '../../cli/config.ts'
import { type Column, columns, foldHeading } from './columns.ts'
import { toQuoted } from './quote.ts'

/** Our column → the heading of the source that holds it. */
export type Mapping = ReadonlyMap<Column, string>

export function parseMapping(text: string, file: string): Mapping {
  const toFault = (problem: string): UsageFault => new UsageFault(`Cannot read mapping ${file}: ${problem}`)
  let parsed: unknown
  try {
    const byteOrderMark = /^\uFEFF/
    parsed = JSON.parse(text.replace(byteOrderMark, ''))
  } catch {
    throw toFault('it is not JSON; expected an object such as {"title": "Denominación"}')
  }
  if (typeof parsed !== 'object' || parsed === null || Array.isArray(parsed)) {
    throw toFault('expected an object such as {"title": "Denominación"}')
  }
  const mapping = new Map<Column, string>()
  for (const [key, heading] of Object.entries(parsed)) {
    const column = columns.find((each) => each === foldHeading(key))
    if (column === undefined) {
      const [nearest] = nearestWords(foldHeading(key), columns)
      throw toFault(`there is no column ${toQuoted(key)}; did you mean ${nearest}?`)
    }
    if (typeof heading !== 'string' || heading.trim() === '') {
      throw toFault(`${column}: expected a heading of the source as text, got ${toQuoted(String(heading))}`)
    }
    mapping.set(column, heading)
  }
  return mapping
}

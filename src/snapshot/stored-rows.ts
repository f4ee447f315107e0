// Turns rows of the tables that are kept in memory into values, on SQLite and PostgreSQL alike. For rows of the other
// tables, each engine has functions of its own (file/stored-rows.ts, postgres/stored-rows.ts): when such a row is read
// from a file, it is compared with its checksum, and on PostgreSQL it is not.
import type { ChangeLogFacts } from './change-log.ts'
import type { MunicipalityFacts } from './contract.ts'
import type { YearRange } from './storage.ts'

/** The values of the columns, in the order of ./schema.ts. */
type Row = readonly unknown[]

/** The rows of the table `municipality`, by number. The number of a municipality is its index in the result. */
export function toMunicipalities(rows: readonly Row[]): MunicipalityFacts[] {
  return rows.map((row) => {
    const [, name, ineCode, otherNames, lookupKeys, records, firstYear, lastYear] = row as [
      number: number,
      name: string,
      ineCode: string | null,
      otherNames: string,
      lookupKeys: string,
      records: number,
      firstYear: number,
      lastYear: number,
    ]
    return {
      name,
      ineCode,
      otherNames: JSON.parse(otherNames) as string[],
      lookupKeys: JSON.parse(lookupKeys) as string[],
      records,
      firstYear,
      lastYear,
    }
  })
}

/** `rows` are the rows of the table `year`, oldest first. Returns the years in the order of positions: newest first. */
export function toYears(rows: readonly Row[]): YearRange[] {
  return (rows as readonly [year: number, first: number, records: number][])
    .map(([year, first, records]) => ({ year, first, records }))
    .reverse()
}

/**
 * `properties` has the values of the table `property`, by name. `last` is the number of the last change, or 0. Every
 * snapshot is written with both properties. They are missing only if the table is damaged or not yet restored.
 */
export function toChangeLogFacts(properties: ReadonlyMap<string, string>, last: number): ChangeLogFacts {
  return { lineage: properties.get('lineage') ?? '', startedAt: properties.get('log_started_at') ?? '', last }
}

/** For example `[7, 8, 9]` for `first` 7 and `count` 3: the positions or numbers of rows to read. */
export function toConsecutiveNumbers(first: number, count: number): number[] {
  return Array.from({ length: count }, (_, index) => first + index)
}

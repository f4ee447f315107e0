// Reads the rows of `--query` from a PostgreSQL database through a cursor, in a read-only transaction. The line of a
// row is its number in the result.
import connect from 'postgres'
import { UsageFault } from '../../cli/config.ts'
import { t } from '../../language.ts'
import { showDatabase } from '../../registry/open.ts'
import type { Layout } from '../rows/layout.ts'
import { toQuoted } from '../rows/quote.ts'
import { SourceFault } from '../source-fault.ts'
import { addObject } from './object-row.ts'
import type { Source } from './source.ts'

/** Rows fetched at a time. The server sends them whatever their size, and a row may have a text of megabytes. */
const fetchedRows = 200
const connectTimeoutSeconds = 10
/** `close` waits this long for a query that still runs, then aborts it. */
const closeTimeoutSeconds = 1
/** Type numbers of PostgreSQL (`pg_type.oid`). */
const dateType = 1082
const timestampType = 1114
/** Values of this type have a zone, with which the import finds the day. */
const timestampWithTimeZoneType = 1184

export function openPostgres(address: string, query: string, layout: Layout): Source {
  const name = showDatabase(address)
  const sql = connectTo(address, name, {
    max: 1,
    connect_timeout: connectTimeoutSeconds,
    // The package would print the notices of the server.
    onnotice: () => {},
    connection: { application_name: 'planning-registry import', default_transaction_read_only: true },
    // Dates stay text: a Date would convert them to the local time zone. `from` are the types that `parse` is called
    // for. The package requires `to` and `serialize` for parameters, which the query does not have.
    types: {
      date: {
        to: dateType,
        from: [dateType, timestampType],
        serialize: (day: string) => day,
        parse: toDay,
      },
      instant: {
        to: timestampWithTimeZoneType,
        from: [timestampWithTimeZoneType],
        serialize: (instant: string) => instant,
        parse: (text: string) => text,
      },
    },
  })
  return {
    name,
    layout,
    rows: async function* () {
      /** Number of the current row, from 1. */
      let line = 0
      try {
        // DateStyle has two parts: the format of dates in the result, and the order of day and month in the query. This
        // sets the format only: `toDay` and calendar-date.ts expect ISO dates. A parameter of the connection would also
        // replace the order that the role or the database has, and with it the meaning of `'01/02/2004'` in the query.
        await sql.unsafe('SET DateStyle TO ISO')
        for await (const batch of sql.unsafe(query, [], { prepare: false }).cursor(fetchedRows)) {
          const rows = batch.map((row) => addObject(row, ++line, layout))
          layout.requireColumns()
          refuseRepeated(columnNamesOf(batch), name, layout)
          yield rows.map((toRow) => toRow())
        }
      } catch (error) {
        if (error instanceof SourceFault || !(error instanceof Error)) throw error
        if (error instanceof connect.PostgresError) {
          throw new UsageFault(
            t`Cannot read ${name}: the database reports: ${error.message}; fix --query or the address`,
          )
        }
        throw new UsageFault(t`Cannot reach ${name}: ${error.message || error.name}; check the address and the server`)
      }
    },
    describe: () => 'PostgreSQL',
    shareRead: () => null,
    close: () => sql.end({ timeout: closeTimeoutSeconds }),
  }
}

/** Returns the names of the columns of the result. Only the first batch has them; for others the list is empty. */
function columnNamesOf(batch: readonly object[]): string[] {
  // The types of the package leave this property out.
  const { columns } = batch as typeof batch & { readonly columns: readonly { readonly name: string }[] | null }
  return (columns ?? []).map((column) => column.name)
}

/**
 * Throws `SourceFault` if two columns of the result have the same name and the import reads it, as may happen with
 * `select *` and a join. A row has only the value of the last one, and nothing tells which is right.
 */
function refuseRepeated(names: readonly string[], source: string, layout: Layout): void {
  /** Whether the import reads the column. The members of a JSON column have headings with a dot: `datos.titulo`. */
  const isUsed = (name: string): boolean =>
    layout.headings.some(
      (heading, index) => (heading === name || heading.startsWith(`${name}.`)) && layout.isUsed(index),
    )
  const repeated = names.find((name, index) => names.indexOf(name) < index && isUsed(name))
  if (repeated === undefined) return
  throw new SourceFault(
    t`Cannot read ${source}: the query returns two columns ${toQuoted(repeated)}; rename one with AS, or leave it out`,
  )
}

/** Throws `UsageFault` if the address is malformed. The error of the driver would show the password. */
function connectTo(address: string, name: string, options: Parameters<typeof connect>[1]): ReturnType<typeof connect> {
  try {
    return connect(address, options)
  } catch {
    throw new UsageFault(
      t`Cannot read ${name}: expected postgres://USER@HOST/NAME; in a password, / : ? # and @ must be percent-encoded`,
    )
  }
}

/** Returns `2004-05-18` for `2004-05-18 00:00:00`. */
function toDay(text: string): string {
  return text.slice(0, 'YYYY-MM-DD'.length)
}

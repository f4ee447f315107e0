// A registry that lives in a PostgreSQL database: the rows of `--query`, read through a cursor, so that neither side
// ever holds them all. Values come as text; what they mean is left to normalise.ts.
import connect from 'postgres'
import { UsageFault } from '../../cli/config.ts'
import { showDatabase } from '../../snapshot/open.ts'
import type { Layout } from '../rows/columns.ts'
import { SourceFault } from '../rows/row-fault.ts'
import { readMembers } from './object-row.ts'
import { batchRows, type Row, type Source } from './source.ts'

const connectSeconds = 10

export function openPostgres(address: string, query: string, layout: Layout): Source {
  const name = showDatabase(address)
  const sql = connect(address, {
    max: 1,
    connect_timeout: connectSeconds,
    onnotice: () => {},
    connection: { application_name: 'planning-registry import', default_transaction_read_only: true },
    // Dates and times as the database writes them: a Date would move them to this machine's time zone.
    types: { moment: { to: 1082, from: [1082, 1114, 1184], serialize: (x: string) => x, parse: toDay } },
  })
  return {
    name,
    layout,
    rows: async function* () {
      let line = 0
      try {
        for await (const batch of sql.unsafe(query, [], { prepare: false }).cursor(batchRows)) {
          const rows: Row[] = batch.map((row) => readMembers(Object.entries(row), ++line, layout))
          layout.requireColumns()
          yield rows
        }
      } catch (error) {
        if (error instanceof SourceFault || !(error instanceof Error)) throw error
        if (error instanceof connect.PostgresError) {
          throw new UsageFault(
            `Cannot read ${name}: the database refuses: ${error.message}; mend --query or the address`,
          )
        }
        throw new UsageFault(`Cannot reach ${name}: ${error.message || error.name}; check the address and the server`)
      }
    },
    shareRead: () => null,
    close: () => sql.end({ timeout: 1 }),
  }
}

/** `2004-05-18 00:00:00+02` → `2004-05-18`. */
function toDay(text: string): string {
  return text.slice(0, 'YYYY-MM-DD'.length)
}

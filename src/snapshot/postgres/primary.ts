// Connects to the primary, the host that accepts writes. An import needs it, and so does `check --links`, which stores
// its outcome.
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import type { PostgresAddress } from './address.ts'
import { Connection } from './connection.ts'
import { reasonOf } from './errors.ts'

/** PostgreSQL 15, the oldest version that the tests cover. `server_version_num` is 10,000 × major + minor version. */
const serverVersionMin = 150_000

/** Throws `StoreFault` if no host is a primary that can be used. The message has the reason for each host. */
export async function connectPrimary(address: PostgresAddress): Promise<Connection> {
  const reasons: string[] = []
  for (const host of address.hosts) {
    // The purpose is `import` for `check --links` too: no statement timeout on the server, and no maximum age.
    const connection = new Connection(address, host, 'import')
    try {
      const [row] = await connection.query({ text: selectServerFacts }, address.connectTimeoutMs)
      const reason = whyUnusable(row ?? [])
      if (reason === undefined) return connection
      reasons.push(`${host.name}: ${reason}`)
    } catch (error) {
      // If PgBouncer refuses the session because the address lacks `pgbouncer=true`, the reason advises to add it.
      reasons.push(`${host.name}: ${reasonOf(error, address.pgbouncer)}`)
    }
    connection.destroy()
  }
  throw new StoreFault(t`Cannot write to ${address.display}: ${reasons.join('; ')}`)
}

/** The row is the argument of `whyUnusable`. */
const selectServerFacts = `
  SELECT pg_is_in_recovery(), current_setting('server_version_num')::integer, current_setting('server_encoding')`

/** Why the host cannot be used as the primary; undefined if it can. */
function whyUnusable([isStandby, version, encoding]: readonly unknown[]): string | undefined {
  if (isStandby === true) return t`it is a standby; add the primary to the address`
  if (Number(version) < serverVersionMin) {
    return t`it is PostgreSQL ${Math.floor(Number(version) / 10_000)}, 15 is needed`
  }
  if (encoding !== 'UTF8') return t`the database is encoded in ${String(encoding)}, UTF8 is needed`
  return undefined
}

// Connects to the primary, the host that accepts writes. An import needs it, and so does `check --links`, which stores
// its outcome.
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { type PostgresAddress, toHostName } from './address.ts'
import { Connection } from './connection.ts'
import { isConnectionRefused, reasonOf } from './errors.ts'

/** PostgreSQL 15, the oldest version that the tests cover. `server_version_num` is 10,000 × major + minor version. */
const serverVersionMin = 150_000

/**
 * Throws `StoreFault` if no host is a primary that can be used. The message has the reason for each host, and what to
 * do if the primary is probably one that refuses connections, or is missing from the address.
 */
export async function connectPrimary(address: PostgresAddress): Promise<Connection> {
  const reasons: string[] = []
  const refusingHosts: string[] = []
  let standbyCount = 0
  for (const host of address.hosts) {
    // The purpose is `import` for `check --links` too: no statement timeout on the server, and no maximum age.
    const connection = new Connection(address, host, 'import')
    try {
      const [row] = await connection.query({ text: selectServerFacts }, address.connectTimeoutMs)
      const reason = whyUnusable(row ?? [])
      if (reason === undefined) return connection
      reasons.push(`${toHostName(host)}: ${reason}`)
      if (row?.[0] === true) standbyCount += 1
    } catch (error) {
      // If PgBouncer refuses the session because the address lacks `pgbouncer=true`, the reason advises to add it.
      reasons.push(`${toHostName(host)}: ${reasonOf(error, address.pgbouncer)}`)
      if (isConnectionRefused(error)) refusingHosts.push(toHostName(host))
    }
    connection.destroy()
  }
  const failure = t`Cannot write to ${address.display}: ${reasons.join('; ')}`
  if (standbyCount === reasons.length) throw new StoreFault(t`${failure}; add the primary to the address`)
  if (refusingHosts.length === 0) throw new StoreFault(failure)
  throw new StoreFault(t`${failure}; start the database on ${refusingHosts.join(', ')} or correct --database`)
}

/** The row is the argument of `whyUnusable`. */
const selectServerFacts = `
  SELECT pg_is_in_recovery(), current_setting('transaction_read_only') = 'on',
    current_setting('server_version_num')::integer, current_setting('server_encoding')`

/** Why the host cannot be used as the primary; undefined if it can. */
function whyUnusable([isStandby, isReadOnly, version, encoding]: readonly unknown[]): string | undefined {
  if (isStandby === true) return t`it is a standby`
  // An import would find this out only after it has read all documents.
  if (isReadOnly === true) {
    return t`this role may only read; use the role for imports, registry_import in docs/postgres.md`
  }
  if (Number(version) < serverVersionMin) {
    return t`it is PostgreSQL ${Math.floor(Number(version) / 10_000)}, 15 is needed`
  }
  if (encoding !== 'UTF8') return t`the database is encoded in ${String(encoding)}, UTF8 is needed`
  return undefined
}

// Finds the host that takes writes: of several hosts the one that is no standby.
import { StoreFault } from '../contract.ts'
import type { PostgresAddress } from './address.ts'
import { Link } from './connection.ts'
import { reasonOf } from './errors.ts'

/** The oldest version the service is tested against. */
const serverVersionMin = 150_000

/** Throws `StoreFault` that says of every host why it is not the one. */
export async function connectPrimary(address: PostgresAddress): Promise<Link> {
  const reasons: string[] = []
  for (const host of address.hosts) {
    const link = new Link(address, host, 'import')
    try {
      const [row] = await link.ask({ text: primaryQuestion }, address.connectMs)
      const refusal = refusalOf(row ?? [])
      if (refusal === undefined) return link
      reasons.push(`${host.name}: ${refusal}`)
    } catch (error) {
      reasons.push(`${host.name}: ${reasonOf(error)}`)
    }
    link.destroy()
  }
  throw new StoreFault(`Cannot import into ${address.display}: ${reasons.join('; ')}`)
}

const primaryQuestion = `
  SELECT pg_is_in_recovery(), current_setting('server_version_num')::integer, current_setting('server_encoding')`

function refusalOf([isStandby, version, encoding]: readonly unknown[]): string | undefined {
  if (isStandby === true) return 'it is a standby, name the primary too'
  if (Number(version) < serverVersionMin)
    return `it is PostgreSQL ${Math.floor(Number(version) / 10_000)}, 15 is needed`
  if (encoding !== 'UTF8') return `the database is encoded in ${encoding}, UTF8 is needed`
  return undefined
}

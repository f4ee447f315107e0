// A PostgreSQL primary with streaming standbys, for the fault tests. A standby runs on a copy of the data folder of the
// stopped primary. The file `standby.signal` in the copy makes the server a standby.
import { appendFile, writeFile } from 'node:fs/promises'
import postgres from 'postgres'
import { findFreePort } from './free-port.ts'
import { copyDataFolder, PostgresServer } from './postgres-server.ts'

/** `await using` stops all servers and removes their data. */
export class PostgresCluster implements AsyncDisposable {
  readonly primary: PostgresServer
  readonly standbys: readonly PostgresServer[]

  private constructor(primary: PostgresServer, standbys: readonly PostgresServer[]) {
    this.primary = primary
    this.standbys = standbys
  }

  /** Resolves when all servers accept connections. */
  static async start(standbyCount = 2): Promise<PostgresCluster> {
    // Without replication slots, a standby that was away can catch up only with what the primary still has of its
    // write-ahead log.
    const primary = await PostgresServer.start(['wal_keep_size=256MB'])
    await primary.stop()
    const standbys: PostgresServer[] = []
    for (let i = 0; i < standbyCount; i++) {
      const folder = await copyDataFolder(primary.folder)
      await writeFile(`${folder}/standby.signal`, '')
      const primaryAddress = `host=127.0.0.1 port=${primary.port} user=postgres`
      await appendFile(`${folder}/postgresql.auto.conf`, `primary_conninfo = '${primaryAddress}'\n`)
      standbys.push(new PostgresServer(folder, await findFreePort()))
    }
    await primary.start()
    for (const standby of standbys) await standby.start()
    return new PostgresCluster(primary, standbys)
  }

  get servers(): readonly PostgresServer[] {
    return [this.primary, ...this.standbys]
  }

  /** Address of all hosts, the primary first. */
  get url(): string {
    return `postgres://postgres@${this.servers.map(({ port }) => `127.0.0.1:${port}`).join(',')}/postgres`
  }

  /** Resolves when every standby has replayed everything that the primary has written so far. */
  async untilReplicated(): Promise<void> {
    /** A position in the write-ahead log, such as `0/3000148`. */
    const written = await queryValue(this.primary, 'SELECT pg_current_wal_lsn()::text AS value')
    const replayedQuery = `SELECT (pg_last_wal_replay_lsn() >= '${written}')::text AS value`
    for (const standby of this.standbys) {
      let answer = ''
      while (answer !== 'true') answer = await queryValue(standby, replayedQuery)
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const server of this.servers) await server[Symbol.asyncDispose]()
  }
}

/** Runs a query with one row and returns its column `value` as text. */
export async function queryValue(server: PostgresServer, statement: string): Promise<string> {
  const sql = postgres(server.url(), { max: 1, onnotice: () => undefined })
  try {
    const [row] = await sql.unsafe(statement)
    return String(row?.value)
  } finally {
    await sql.end()
  }
}

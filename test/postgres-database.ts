// Fixture: an empty database on a real PostgreSQL server.
import { after } from 'node:test'
import postgres from 'postgres'
import { PostgresServer } from './postgres-server.ts'

/** An empty database for one test. */
export interface TestDatabase extends AsyncDisposable {
  readonly url: string
  readonly remove: () => Promise<void>
}

/** Creates an empty database on the server of `findServerAddress`. `await using` removes it. */
export async function createDatabase(): Promise<TestDatabase> {
  const serverAddress = await findServerAddress()
  const name = `test_${process.pid}_${++databasesCreated}`
  const runOnServer = async (statement: string): Promise<void> => {
    const sql = postgres(serverAddress, { max: 1, onnotice: () => undefined })
    try {
      await sql.unsafe(statement)
    } finally {
      await sql.end()
    }
  }
  // `ENCODING` may differ from that of the server only in a copy of template0.
  await runOnServer(`CREATE DATABASE ${name} ENCODING 'UTF8' TEMPLATE template0`)
  const url = new URL(serverAddress)
  url.pathname = name
  const remove = (): Promise<void> => runOnServer(`DROP DATABASE ${name} WITH (FORCE)`)
  return { url: url.href, remove, [Symbol.asyncDispose]: remove }
}

let databasesCreated = 0
/** The server of this test file, if it has started one. */
let ownServer: Promise<PostgresServer> | undefined
after(async () => (await ownServer)?.[Symbol.asyncDispose]())

/**
 * `npm test` starts one server for all files (setup.ts) and sets TEST_DATABASE_URL. A file that is run alone starts its
 * own.
 */
async function findServerAddress(): Promise<string> {
  const sharedAddress = process.env.TEST_DATABASE_URL
  if (sharedAddress !== undefined) return sharedAddress
  ownServer ??= PostgresServer.start()
  return (await ownServer).url()
}

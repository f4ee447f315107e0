// What `npm test` starts once for all test files: one PostgreSQL server, where none is named by TEST_DATABASE_URL.
import { PostgresServer } from './postgres-server.ts'

let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  if (process.env.TEST_DATABASE_URL !== undefined) return
  server = await PostgresServer.start()
  process.env.TEST_DATABASE_URL = server.url()
}

export async function globalTeardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]()
}

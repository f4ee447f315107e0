// Global set-up of `npm test`: starts one PostgreSQL server for all test files unless TEST_DATABASE_URL names one.
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

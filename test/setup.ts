// Global set-up of `npm test`: creates a data folder of PostgreSQL, and starts one server for all test files unless
// TEST_DATABASE_URL names one. Tests that need a server of their own copy the data folder, which is faster than
// `initdb`.
import { rm } from 'node:fs/promises'
import { initialiseFolder, PostgresServer } from './postgres-server.ts'

let template: string | undefined
let server: PostgresServer | undefined

export async function globalSetup(): Promise<void> {
  template = await initialiseFolder()
  process.env.TEST_POSTGRES_TEMPLATE = template
  if (process.env.TEST_DATABASE_URL !== undefined) return
  server = await PostgresServer.start()
  process.env.TEST_DATABASE_URL = server.url()
}

export async function globalTeardown(): Promise<void> {
  await server?.[Symbol.asyncDispose]()
  if (template !== undefined) await rm(template, { recursive: true, force: true })
}

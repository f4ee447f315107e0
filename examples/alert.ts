// Prints the records of a municipality that are new since the last run, for a terminal or a cron job:
//
//   npx node examples/alert.ts http://127.0.0.1:8080/registry Ávila token.txt
//
// The first run only saves where the list of changes ends. Exit status 0: new records, 1: none. A feed reader shows the
// same with the address http://127.0.0.1:8080/registry/feed?municipality=Ávila
import { readFile, writeFile } from 'node:fs/promises'
import { createClient, RegistryError } from '../src/client/client.ts'

const [base, municipality, tokenFile] = process.argv.slice(2)
if (base === undefined || municipality === undefined || tokenFile === undefined) {
  console.error('Usage: alert.ts BASE_ADDRESS MUNICIPALITY TOKEN_FILE')
  process.exit(2)
}

const registry = createClient(base)
const filters = { municipality }
/** A token for the place in the list of changes up to which the last run has read; null on the first run. */
const since = await readToken(tokenFile)
/** Exit status 1 means that there are no new records. */
process.exitCode = 1
if (since === null) await start(tokenFile)
else {
  try {
    await printNew(since, tokenFile)
  } catch (error) {
    // The registry was replaced, or its list of changes no longer goes back so far.
    if (!(error instanceof RegistryError) || error.code !== 'expired-since') throw error
    console.log('The list of changes does not go back to the last run')
    await start(tokenFile)
  }
}

/** Counts all records, and saves where the list of changes ends. */
async function start(file: string): Promise<void> {
  let records = 0
  let end = ''
  for await (const page of registry.changes(filters)) {
    records += page.changes.length
    end = page.since
  }
  await writeFile(file, end)
  const count = records === 1 ? '1 record' : `${records} records`
  console.log(`Found ${count} of ${municipality}; run again to see new records`)
}

/** Prints the new records, and saves after each page how far the list of changes was read. */
async function printNew(token: string, file: string): Promise<void> {
  for await (const page of registry.changes(filters, { since: token, include: ['record'] })) {
    for (const { kind, record } of page.changes) {
      if (kind !== 'new' || !record) continue
      process.exitCode = 0
      // \x07 rings the bell of the terminal.
      console.log(`\x07${record.checkin_date}  ${record.title}\n            ${record.links}`)
    }
    await writeFile(file, page.since)
  }
}

/** Reads the token that the last run has saved. Null if the file does not exist yet. */
async function readToken(file: string): Promise<string | null> {
  try {
    return (await readFile(file, 'utf8')).trim()
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

// Prints the records of a municipality that are new since the last run, for a terminal or a cron job:
//
//   npx node examples/alert.ts http://127.0.0.1:8080/registry Ávila token.txt
//
// The first run only saves where the list of changes ends. Exit status 0: new records, 1: none. A feed reader shows the
// same with the address http://127.0.0.1:8080/registry/feed?municipality=Ávila
import { readFile, writeFile } from 'node:fs/promises'
import { createClient } from '../src/client/client.ts'

const [base, municipality, tokenFile] = process.argv.slice(2)
if (base === undefined || municipality === undefined || tokenFile === undefined) {
  console.error('Usage: alert.ts BASE_ADDRESS MUNICIPALITY TOKEN_FILE')
  process.exit(2)
}

const registry = createClient(base)
/** A token for the place in the list of changes up to which the last run has read; null on the first run. */
const since = await readToken(tokenFile)
/** New records or, on the first run, all records. */
let records = 0
for await (const page of registry.changes({ municipality }, { since })) {
  for (const { kind, cod_archivo: code } of page.changes) {
    const record = kind === 'new' && since !== null ? await page.get(code) : null
    if (since === null || record !== null) records++
    // \x07 rings the bell of the terminal.
    if (record !== null) console.log(`\x07${record.checkin_date}  ${record.title}\n            ${record.links}`)
  }
  await writeFile(tokenFile, page.since)
}
if (since === null) {
  const count = records === 1 ? '1 record' : `${records} records`
  console.log(`Found ${count} of ${municipality}; run again to see new records`)
}
process.exitCode = since !== null && records > 0 ? 0 : 1

/** Reads the token that the last run has saved. Null if the file does not exist yet. */
async function readToken(file: string): Promise<string | null> {
  try {
    return await readFile(file, 'utf8')
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return null
    throw error
  }
}

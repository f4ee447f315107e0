// Prints the records of a municipality that are new since the last run, for a terminal or a cron job:
//
//   npx node examples/alert.ts http://127.0.0.1:8080/registry Ávila seen.json
//
// The first run only saves the records. Exit status 0: new records, 1: none.
import { readFile, writeFile } from 'node:fs/promises'
import { createClient, type WireRecord } from 'planning-registry/client'

const [base, municipality, stateFile] = process.argv.slice(2)
if (base === undefined || municipality === undefined || stateFile === undefined) {
  console.error('Usage: alert.ts BASE_ADDRESS MUNICIPALITY STATE_FILE')
  process.exit(2)
}

const seenIds = await readSeenIds(stateFile)
const registry = createClient(base)
const newRecords: WireRecord[] = []
const ids: string[] = []
const records = registry.search({ municipality }, { onEmpty: (problem) => console.error(problem.detail) })
for await (const record of records) {
  ids.push(record.id)
  if (seenIds !== undefined && !seenIds.has(record.id)) newRecords.push(record)
}
await writeFile(stateFile, JSON.stringify(ids))

if (seenIds === undefined) console.log(`Saved ${ids.length} records of ${municipality}; run again to see new records`)
// \x07 rings the bell of the terminal.
for (const record of newRecords) console.log(`\x07${record.checkin_date}  ${record.title}\n            ${record.links}`)
process.exitCode = newRecords.length > 0 ? 0 : 1

/** The ids of the records of the last run; undefined on the first run. */
async function readSeenIds(file: string): Promise<Set<string> | undefined> {
  try {
    return new Set(JSON.parse(await readFile(file, 'utf8')) as string[])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

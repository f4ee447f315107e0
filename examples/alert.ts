// Tells of records that are new in a municipality since the last time, for a terminal or a cron job:
//
//   npx node examples/alert.ts http://127.0.0.1:8080/registry Ávila seen.json
//
// The first run notes what there is. Exit status 0 with news, 1 without.
import { readFile, writeFile } from 'node:fs/promises'
import { createClient, type WireRecord } from 'planning-registry/client'

const [base, municipality, stateFile] = process.argv.slice(2)
if (base === undefined || municipality === undefined || stateFile === undefined) {
  console.error('Usage: alert.ts BASE_ADDRESS MUNICIPALITY STATE_FILE')
  process.exit(2)
}

const seen = await readSeen(stateFile)
const registry = createClient(base)
const news: WireRecord[] = []
const ids: string[] = []
const records = registry.search({ municipality }, { onEmpty: (problem) => console.error(problem.detail) })
for await (const record of records) {
  ids.push(record.id)
  if (seen !== undefined && !seen.has(record.id)) news.push(record)
}
await writeFile(stateFile, JSON.stringify(ids))

if (seen === undefined) console.log(`Noted ${ids.length} records in ${municipality}; run again for what is new`)
for (const record of news) console.log(`\x07${record.checkin_date}  ${record.title}\n            ${record.links}`)
process.exitCode = news.length > 0 ? 0 : 1

async function readSeen(file: string): Promise<Set<string> | undefined> {
  try {
    return new Set(JSON.parse(await readFile(file, 'utf8')) as string[])
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return undefined
    throw error
  }
}

// Keeps a copy of the registry in a SQLite file up to date, for a cron job:
//
//   npx node examples/copy.ts http://127.0.0.1:8080/registry copy.db
//
// The first run copies every record, later ones what has changed. A run that breaks off is continued by the next one.
import { DatabaseSync } from 'node:sqlite'
import { createClient } from '../src/client/client.ts'

const [base, path] = process.argv.slice(2)
if (base === undefined || path === undefined) {
  console.error('Usage: copy.ts BASE_ADDRESS DATABASE')
  process.exit(2)
}

const copy = new DatabaseSync(path)
copy.exec('CREATE TABLE IF NOT EXISTS record (code PRIMARY KEY, json); CREATE TABLE IF NOT EXISTS token (since)')
const since = copy.prepare('SELECT since FROM token').get()?.since?.toString() ?? null
for await (const page of createClient(base).copy({}, { since })) {
  copy.exec(`BEGIN; DELETE FROM token; ${page.isWhole ? 'DELETE FROM record' : ''}`)
  for (const code of page.gone) copy.prepare('DELETE FROM record WHERE code = ?').run(code)
  const store = copy.prepare('REPLACE INTO record VALUES (?, ?)')
  for (const record of page.records) store.run(record.cod_archivo ?? '', JSON.stringify(record))
  copy.prepare('INSERT INTO token VALUES (?)').run(page.since)
  copy.exec('COMMIT')
}
console.log(`${copy.prepare('SELECT count(*) AS records FROM record').get()?.records} records in ${path}`)

// The programs in examples/, each run as a process against a service.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { test } from 'node:test'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { publishRecords, startService } from '../service.ts'

/**
 * The fixture (test/service.ts) fills in the other fields: the municipality is Ávila, and the link of a record such as
 * `05019-3`, which a test adds, ends with `3.pdf`.
 */
const records = [
  { code: '05019-1', title: 'Plan Parcial', checkinDate: '2014-03-02' },
  { code: '05019-2', title: 'Plan General', checkinDate: '2016-03-02' },
]

test('the alert only counts the records on the first run, and later reports each new record once', async (t) => {
  // The exit status of the program is 0 if it reports new records, and 1 if there are none.
  await using service = await startService(records)
  const tokenPath = join(await makeTemporaryFolder(t), 'token.txt')
  const args = [service.base, 'ávila', tokenPath]
  assert.deepEqual(await runExample('alert.ts', args), {
    status: 1,
    stdout: 'Found 2 records of ávila; run again to see new records\n',
    stderr: '',
  })
  assert.equal((await runExample('alert.ts', args)).stdout, '')

  await publishRecords(service.database, [...records, { code: '05019-3', title: 'Nuevo', checkinDate: '2026-01-07' }])
  await service.store.refresh()
  const report = await runExample('alert.ts', args)
  assert.equal(report.status, 0)
  assert.match(report.stdout, /2026-01-07 {2}Nuevo\n +https:\/\/documents\.example\/3\.pdf\n$/)
  assert.equal((await runExample('alert.ts', args)).status, 1)

  // The token of another registry, in a file that an editor has ended with a line break.
  await writeFile(tokenPath, '0123456789abcdef.0.0\n')
  const restarted = await runExample('alert.ts', args)
  assert.match(restarted.stdout, /^The list of changes does not go back to the last run\nFound 3 records of ávila;/)
  assert.equal((await runExample('alert.ts', args)).stdout, '')
})

test('the copy stores every record on the first run, and later what has changed', async (t) => {
  await using service = await startService(records)
  const path = join(await makeTemporaryFolder(t), 'copy.db')
  const runCopy = async (): Promise<string> => (await runExample('copy.ts', [service.base, path])).stdout
  assert.equal(await runCopy(), `2 records in ${path}\n`)
  await publishRecords(service.database, [...records.slice(1), { code: '05019-3' }, { code: '05019-4' }])
  await service.store.refresh()
  assert.equal(await runCopy(), `3 records in ${path}\n`)
  await using other = await startService(records.slice(0, 1))
  assert.equal((await runExample('copy.ts', [other.base, path])).stdout, `1 records in ${path}\n`)
})

test('the chart has a line for every year from the first to the last', async () => {
  await using service = await startService(records)
  const { status, stdout } = await runExample('by-year.ts', [service.base, '--municipality', 'Ávila'])
  assert.equal(status, 0)
  // The longest bar has 60 characters.
  const bar = '█'.repeat(60)
  assert.equal(stdout, `2 records in 1 municipalities\n\n2014 ${bar} 1\n2015  0\n2016 ${bar} 1\n\n2 in Ávila\n`)
})

test('the chart prints the reason if nothing is found', async () => {
  await using service = await startService(records)
  const { status, stdout } = await runExample('by-year.ts', [service.base, '--search', 'inexistente'])
  assert.equal(status, 0)
  // The first line is the reason.
  assert.match(stdout, /^[^\n]+\n0 records in 0 municipalities\n\n$/)
})

test('the map shows the municipalities that have records, with their names', async (t) => {
  await using service = await startService(records)
  const mapPath = join(await makeTemporaryFolder(t), 'map.svg')
  const { status, stdout } = await runExample('map.ts', [service.base, mapPath])
  assert.equal(status, 0)
  assert.match(stdout, /^Drew 1 municipalities into /)
  const svg = await readFile(mapPath, 'utf8')
  // The outline of Ávila is narrow. With its points in reverse order it would be the rest of the world, and as wide as
  // the map, which has 1,200 units.
  const [, outline = ''] = /<path d="([^"]+)" fill-opacity/.exec(svg) ?? []
  const xs = [...outline.matchAll(/[ML](-?[\d.]+),/g)].map(([, x]) => Number(x))
  const width = Math.max(...xs) - Math.min(...xs)
  assert.ok(width < 60)
  // The municipality with the most records has the full colour.
  assert.match(svg, /<path d="M[^"]+" fill-opacity="1\.00"><title>Ávila: 2 records<\/title><\/path>/)
})

async function runExample(
  name: string,
  args: string[],
): Promise<{ status: number | null; stdout: string; stderr: string }> {
  const path = join(import.meta.dirname, '../../examples', name)
  const child = spawn(process.execPath, [path, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  const ended = new Promise<number | null>((resolve) => child.once('close', resolve))
  const [stdout, stderr] = await Promise.all([text(child.stdout), text(child.stderr)])
  return { status: await ended, stdout, stderr }
}

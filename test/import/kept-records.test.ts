// A record in service whose row is rejected stays as it was, if the other rows are published (`--max-rejects`).
import assert from 'node:assert/strict'
import { mkdir, readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { openStore } from '../../src/registry/open.ts'
import { toPdf } from '../../src/sample/pdf.ts'
import { makeRegistry, type Registry, requiredHeadings } from './registry.ts'

const headings = `${requiredHeadings},content,document,TIPO`
const good = 'A-1,1,Plan de Ibi,Ibi,2004-05-18,,,PP'
const kept = 'A-2,2,Plan de Elda,Elda,2005-05-18,Suelo con almendros,a.pdf,ED'
/** The same record with a wrong date. */
const wrong = kept.replace('2005-05-18', '31/02/2005')

/** What the service says about the record, with everything that can be included. */
async function readRecord({ file }: Registry, path: string): Promise<string> {
  const store = await openStore(`sqlite:${file}`)
  try {
    return await (await toLocalFetch(store)(`${localAddress}/${path}`)).text()
  } finally {
    await store.close()
  }
}

async function makeWithDocuments(t: Parameters<typeof makeRegistry>[0]): Promise<Registry> {
  const registry = await makeRegistry(t)
  await mkdir(join(registry.path, 'documents'))
  const pdf = toPdf('Plan', [['La volumetría del sector'], ['Las alturas del sector']])
  await registry.write('documents/a.pdf', pdf)
  return registry
}

async function importRows(registry: Registry, rows: readonly string[], ...flags: string[]): Promise<string> {
  await registry.write('r.csv', `${headings}\n${rows.join('\n')}\n`)
  const args = ['--documents', 'documents', '--fields', 'TIPO', '--report', 'report.json', ...flags]
  const { status, stdout, stderr } = await registry.runImport('r.csv', ...args)
  assert.equal(status, 0, stdout + stderr)
  return stdout
}

test('a record whose row is rejected stays as it was, with texts, documents and own columns', async (t) => {
  const registry = await makeWithDocuments(t)
  await importRows(registry, [good, kept], '--publish-documents', '--data-dir', registry.path)
  const path = 'record/A-2?search=sector&include=cod_archivo,place,documents,fields,passages'
  const before = await readRecord(registry, path)
  assert.match(before, /volumetría.*alturas/)
  const more = ['--publish-documents', '--data-dir', registry.path, '--max-rejects', '50%']
  // The first record has changed, so the registry is built anew.
  const stdout = await importRows(registry, [good.replace('Plan de', 'Plan General de'), wrong], ...more)
  assert.match(stdout, /^published 2 records/)
  assert.match(stdout, /kept {12}1 record unchanged, because of rejected rows: A-2\n/)
  assert.match(stdout, /changes {9}0 new, 1 changed, 0 gone\n/)
  assert.equal(await readRecord(registry, path), before)
  assert.match(await readRecord(registry, 'record?search=almendros'), /Plan de Elda/)
  const report = JSON.parse(await readFile(join(registry.path, 'report.json'), 'utf8'))
  assert.deepEqual([report.rows_refused, report.kept, report.records], [1, ['A-2'], 2])
  const outcome = JSON.parse(await readFile(`${registry.file}.import.json`, 'utf8'))
  assert.partialDeepStrictEqual(outcome, { outcome: 'published', records: 2, rejected: 1, kept: 1 })
  assert.deepEqual(outcome.reasons, { 'checkin_date: expected a day that exists': 1 })
  // The same night once more, with nothing new.
  const again = await importRows(registry, [good.replace('Plan de', 'Plan General de'), wrong], ...more)
  assert.match(again, /^nothing to publish: /)
  // Without the flag, the files are not handed out, also those of kept records.
  await importRows(registry, [good, wrong], '--max-rejects', '1')
  assert.match(await readRecord(registry, 'record/A-2?include=documents'), /"href":null/)
  // The corrected row takes the place of the kept record.
  await importRows(registry, [good, kept.replace('Plan de', 'Plan Parcial de')])
  assert.match(await readRecord(registry, 'record/A-2'), /Plan Parcial de Elda/)
})

test('the code of a rejected row is found although its line cannot be split, or another row has it', async (t) => {
  const registry = await makeWithDocuments(t)
  await importRows(registry, [good, kept, 'A-3,3,Plan de Petrer,Petrer,2006-01-01,,,'])
  const unclosed = 'A-2,2,"Plan de Elda,Elda,2005-05-18,,,'
  const stdout = await importRows(
    registry,
    [good, unclosed, 'A-3,3,Plan,Petrer,,,,', 'a-3,3,Plan,Petrer,2006-01-01,,,'],
    '--max-rejects',
    '2',
  )
  assert.match(stdout, /kept {12}1 record .*: A-2\n/)
  assert.match(stdout, /changes {9}0 new, 1 changed, 0 gone\n/)
  // A record without any row is gone, and a row with another code is none of those in service.
  const next = await importRows(registry, [good, 'A-9,9,,Elda,2005-05-18,,,'], '--max-rejects', '1', '--max-gone', '2')
  assert.doesNotMatch(next, /kept /)
  assert.match(next, /changes {9}0 new, 0 changed, 2 gone\n/)
})

test('no record of the fictional sample is kept', async (t) => {
  const registry = await makeRegistry(t)
  const { buildBundledSample } = await import('../../src/sample/bundled.ts')
  await buildBundledSample(`sqlite:${registry.file}`, registry.path, () => {})
  const [sample] = JSON.parse(await readRecord(registry, 'record?limit=1&include=cod_archivo')).resultadoBusqueda
  await registry.write(
    'r.csv',
    `${requiredHeadings}\nA-1,1,Plan,Ibi,2004-05-18\n${sample.cod_archivo},2,,Ibi,2004-05-18\n`,
  )
  const { stdout } = await registry.runImport('r.csv', '--max-rejects', '1')
  assert.match(stdout, /^published 1 record /)
})

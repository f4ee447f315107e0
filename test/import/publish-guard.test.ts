// An import that would lose more records or texts than `--max-gone` and `--max-texts-gone` allow publishes nothing.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { UsageFault } from '../../src/cli/config.ts'
import { parseLossMax } from '../../src/import/publish-guard.ts'
import { toPdf } from '../../src/sample/pdf.ts'
import { runCommand } from '../command.ts'
import { engines } from '../engines.ts'
import { makeFolder } from './folder.ts'

const heading = 'code,id,title,municipality,checkin_date,content'
const rows = Array.from({ length: 60 }, (_, index) => `A-${index + 1},${index},Plan,Jávea,2004-05-18,texto`)

for (const engine of engines) {
  test(`${engine.name}: a truncated source is refused, unless --max-gone allows the loss`, async (t) => {
    await using registry = await engine.createRegistry()
    const folder = await makeFolder(t)
    const runImport = async (lines: readonly string[], ...flags: string[]) => {
      const source = await folder.write('records.csv', `${heading}\n${lines.join('\n')}\n`)
      return await runCommand(['import', '--database', registry.database, source, ...flags])
    }
    const countRecords = async () => (await registry.open()).current().metadata.records
    assert.equal((await runImport(rows)).status, 0)

    for (const flags of [[], ['--dry-run']]) {
      const report = join(folder.path, 'report.json')
      const { status, stdout } = await runImport(rows.slice(0, 4), ...flags, '--report', report)
      assert.equal(status, 1)
      assert.match(stdout, /^nothing published to .*: 56 of the 60 records in service would be missing, but --max-gone/)
      // Twenty of the missing codes, in alphabetical order: A-10 comes before A-5.
      assert.match(stdout, /gone +56 {3}A-10, A-11, (?:A-\d+, ){17}A-\d+ and 36 more\n/)
      const { published, fault, changes } = JSON.parse(await readFile(report, 'utf8'))
      assert.equal(published, false)
      assert.match(fault, /--max-gone is 10%/)
      assert.equal(changes.gone, 56)
      assert.equal(changes.examples.gone.length, 20)
      assert.equal(await countRecords(), 60)
    }

    // A tenth of the 60 records may be missing without a flag. The report of a published import lists three of them.
    const { status, stdout } = await runImport(rows.slice(0, 54))
    assert.equal(status, 0, stdout)
    assert.match(stdout, /changes {9}0 new, 0 changed, 6 gone\n {4}gone +6 {3}A-55, A-56, A-57 and 3 more\n/)
    // Of the 54 records in service now, 50 would be missing.
    assert.equal((await runImport(rows.slice(0, 4), '--max-gone', '49')).status, 1)
    assert.equal((await runImport(rows.slice(0, 4), '--max-gone', '50')).status, 0)
    assert.equal(await countRecords(), 4)
  })

  test(`${engine.name}: a source without texts is refused, unless --max-texts-gone allows the loss`, async (t) => {
    await using registry = await engine.createRegistry()
    const folder = await makeFolder(t)
    const withText = await folder.write('a.csv', `${heading}\n${rows.join('\n')}\n`)
    const withoutText = await folder.write('b.csv', `${heading}\n${rows.join('\n').replaceAll('texto', '')}\n`)
    const runImport = (source: string, ...flags: string[]) =>
      runCommand(['import', '--database', registry.database, source, ...flags])
    assert.equal((await runImport(withText)).status, 0)
    const { status, stdout } = await runImport(withoutText)
    assert.equal(status, 1)
    assert.match(stdout, /60 of the 60 records with text would lose it, but --max-texts-gone is 10%/)
    assert.equal((await runImport(withoutText, '--max-texts-gone', '100%')).status, 0)
  })

  test(`${engine.name}: the file of another registry is refused, and an old file gets a warning`, async (t) => {
    await using registry = await engine.createRegistry()
    const folder = await makeFolder(t)
    const runImport = async (lines: readonly string[]) => {
      const source = await folder.write('records.csv', `${heading}\n${lines.join('\n')}\n`)
      return await runCommand(['import', '--database', registry.database, source])
    }
    const today = [...rows, 'A-61,61,Plan nuevo,Jávea,2004-06-01,texto']
    assert.equal((await runImport(today)).status, 0)
    const otherRegistry = await runImport(rows.map((row) => row.replace('A-', 'B-')))
    assert.equal(otherRegistry.status, 1)
    assert.match(
      otherRegistry.stdout,
      /all 61 records in service would be missing.* \(is this the file of another registry\?\)/,
    )
    assert.match(
      (await runImport(rows)).stdout,
      /1 record in service missing .* is of 2004-05-18, while one in service is of 2004-06-01: is this an old file\?/,
    )
    assert.doesNotMatch((await runImport(today)).stdout, /is this an old file/)
  })

  test(`${engine.name}: a registry of fictional records may always be replaced`, async (t) => {
    await using registry = await engine.createRegistry()
    await registry.publish([{ code: 'B-1' }, { code: 'B-2' }], { fictional: true })
    const folder = await makeFolder(t)
    const source = await folder.write('records.csv', `${heading}\n${rows[0]}\n`)
    const { status, stdout } = await runCommand(['import', '--database', registry.database, source])
    assert.equal(status, 0, stdout)
  })
}

test('a forgotten --documents is noticed, although every record keeps the text of its `content` column', async (t) => {
  const folder = await makeFolder(t)
  await folder.write('a.pdf', toPdf('Plan', [['La volumetría del sector']]))
  const withDocument = rows.map((row, index) => `${row},${index === 0 ? 'a.pdf' : ''}`)
  const source = await folder.write('records.csv', `${heading},document\n${withDocument.join('\n')}\n`)
  const runImport = (...flags: string[]) =>
    runCommand(['import', source, '--database', `sqlite:${folder.path}/registry.db`, ...flags])
  assert.equal((await runImport('--documents', folder.path)).status, 0)
  const { status, stdout } = await runImport()
  assert.equal(status, 1)
  assert.match(
    stdout,
    /1 of the 1 record with text of documents would lose it, .* \(was --documents or --fetch-documents forgotten\?\)/,
  )
})

test('a limit is a share or a number of records', () => {
  assert.deepEqual(parseLossMax('max-gone', '10%'), { share: 0.1 })
  assert.deepEqual(parseLossMax('max-gone', '2,5 %'), { share: 0.025 })
  assert.deepEqual(parseLossMax('max-gone', '0'), { records: 0 })
  for (const text of ['', '101%', '-1', 'all', '5.5']) {
    assert.throws(() => parseLossMax('max-gone', text), UsageFault)
  }
})

// Rejected rows: what is published without them, and the rejects file, a CSV file in which they can be corrected. It
// has the cells of each rejected row after two further columns, the line and the reason.
// `requiredHeadings` is the line `code,id,title,municipality,checkin_date`.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { lstat, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, relative } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { writeRejects } from '../../src/import/rejects.ts'
import { ImportReport } from '../../src/import/report.ts'
import { openSource } from '../../src/import/sources/open.ts'
import { Staging } from '../../src/import/staging.ts'
import { runCommand } from '../command.ts'
import { makeFolder } from './folder.ts'
import { emptyInput } from './read-source.ts'
import { assertUsageError, makeRegistry, requiredHeadings } from './registry.ts'
import { toSheetRow, toWorkbook } from './workbook.ts'

test('the rejects file of a source in Latin-1 is in UTF-8', async (t) => {
  const registry = await makeRegistry(t)
  const row = '03082-1,1,Plan de Jávea y Ñora,Jávea,nunca'
  await registry.write('r.csv', Buffer.from(`${requiredHeadings}\n${row}\n`, 'latin1'))
  assert.equal((await registry.runImport('r.csv')).status, 1)
  assert.ok((await readFile(join(registry.path, 'r.csv.rejects.csv'), 'utf8')).includes(row))
})

test('a rejected row prevents publication and goes to the rejects file', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('good.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  assert.equal((await registry.runImport('good.csv')).status, 0)
  const before = await readFile(registry.file)
  await registry.write(
    'bad.csv',
    `${requiredHeadings},Notas\n03082-2,2,"Plan, B",Jávea,31/02/1999,ver acta\n03082-3,3,Plan C,Jávea,2004-05-18,\n`,
  )
  const { status, stdout } = await registry.runImport('bad.csv')
  assert.equal(status, 1)
  assert.match(
    stdout,
    /^nothing published to .*: 1 row rejected, but --max-rejects is 0; fix what is wrong, or publish the other rows with --max-rejects 1; or correct bad\.csv\.rejects\.csv and repeat the command with bad\.csv bad\.csv\.rejects\.csv --max-rejects 1\n/,
  )
  assert.match(stdout, /line 2, checkin_date: there is no 31 February, got "31\/02\/1999"/)
  assert.deepEqual(await readFile(registry.file), before)
  assert.equal(
    await readFile(join(registry.path, 'bad.csv.rejects.csv'), 'utf8'),
    '\uFEFFline,reason,code,id,title,municipality,checkin_date,Notas\r\n' +
      '2,"line 2, checkin_date: there is no 31 February, got ""31/02/1999""",' +
      '03082-2,2,"Plan, B",Jávea,31/02/1999,ver acta\r\n',
  )
})

test('a rejected cell that starts like a formula is text in the rejects file', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,=HYPERLINK(1),Jávea,31/02/1999\n`)
  assert.equal((await registry.runImport('r.csv')).status, 1)
  const rejects = await readFile(join(registry.path, 'r.csv.rejects.csv'), 'utf8')
  assert.ok(rejects.includes(",'=HYPERLINK(1),"), rejects)
  // The corrected rejects file gives the value of the source, without the apostrophe. Only the cell at the end of the
  // line is corrected: the reason also quotes the date.
  await registry.write('corrected.csv', rejects.replace(/31\/02\/1999(?=\r\n$)/, '28/02/1999'))
  const corrected = await registry.runImport('corrected.csv')
  assert.equal(corrected.status, 0, corrected.stderr)
  assert.deepEqual(
    (await registry.search()).map(({ title }) => title),
    ['=HYPERLINK(1)'],
  )
})

// In a spreadsheet, an apostrophe before `=` or `-` says that the cell is a text and no formula. Rejects files and the
// output of `search --csv` have it, and an import of them removes it. It knows these files by their headings: `line`
// and `reason` first, or exactly those of `search --csv`. In any other file the apostrophe is part of the value.
test('an import removes the apostrophe before a formula only from files that planning-registry wrote', async (t) => {
  const registry = await makeRegistry(t)
  /** Imports a file with one row, and returns the title and the area of the record. */
  const importRow = async (name: string, content: string | Uint8Array) => {
    await registry.write(name, content)
    const { status, stdout } = await registry.runImport(name)
    assert.equal(status, 0, stdout)
    return (await registry.search()).map(({ title, area }) => [title, area])
  }
  // A template joins the elements of an array with commas, which makes lines of CSV below.
  const values = ['03082-1', '1', '=SUM(A1)', 'Jávea', '2004-05-18', '-']
  const withApostrophes = values.map((value) => value.replace(/^(?=[=-])/, "'"))
  const columns = [...requiredHeadings.split(','), 'area']
  assert.deepEqual(await importRow('r.csv', `${columns}\n${withApostrophes}\n`), [["'=SUM(A1)", "'-"]])
  assert.deepEqual(await importRow('r.csv', `${columns}\n${values}\n`), [['=SUM(A1)', '-']])
  // What `search --csv` prints.
  const exported = await runCommand(['search', '--csv', '--database', `sqlite:${registry.file}`])
  assert.match(exported.stdout, /,'=SUM\(A1\),'-,/)
  assert.deepEqual(await importRow('exported.csv', exported.stdout), [['=SUM(A1)', '-']])
  // A rejects file that was saved as a workbook.
  const rows =
    toSheetRow(1, ['line', 'reason', ...columns]) + toSheetRow(2, ['2', 'line 2, title: …', ...withApostrophes])
  assert.deepEqual(await importRow('rejects.xlsx', toWorkbook({ rows })), [['=SUM(A1)', '-']])
})

test('with --max-rejects the rest is published, and a corrected rejects file can be imported', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n03082-2,2,,Jávea,2004-05-18\n`)
  const { status, stdout } = await registry.runImport('r.csv', '--max-rejects', '1', '--rejects', 'rejects.csv')
  assert.equal(status, 0)
  assert.match(stdout, /^published 1 record/)
  assert.match(stdout, /rejected {8}1 row, saved in rejects\.csv\n {12}1 {3}title: expected a title\n/)
  const rejects = await readFile(join(registry.path, 'rejects.csv'), 'utf8')
  await registry.write('rejects.csv', rejects.replace('03082-2,2,,', '03082-2,2,Fixed,'))
  // The row of r.csv is rejected again; the corrected one takes its place.
  const again = await registry.runImport('r.csv', 'rejects.csv', '--max-rejects', '1', '--rejects', 'again.csv')
  assert.equal(again.status, 0)
  assert.deepEqual((await registry.search()).map(({ title }) => title).sort(), ['Fixed', 'Plan'])
})

test('the report shows examples of each source, so that a source does not hide its rejects file', async (t) => {
  const registry = await makeRegistry(t)
  const toRow = (index: number) => `A-${index},${index},,Ibi,2004-05-18\n`
  const toRows = (count: number) => Array.from({ length: count }, (_, index) => toRow(index)).join('')
  await registry.write('a.csv', `${requiredHeadings}\n${toRows(11)}`)
  await registry.write('b.csv', `${requiredHeadings}\nB-1,1,Plan,Ibi,2004-05-18\n`)
  await registry.write('c.csv', `${requiredHeadings}\n${toRows(3)}`)
  const { stdout } = await registry.runImport('a.csv', 'b.csv', 'c.csv', '--rejects', 'rejects.csv')
  const lines = stdout.split('\n').filter((line) => line.includes('.csv line '))
  const places = lines.map((line) => /^ {4}(\S+ line \d+),/.exec(line)?.[1])
  const linesOfA = [2, 3, 4, 5, 6, 7, 8].map((line) => `a.csv line ${line}`)
  assert.deepEqual(places, [...linesOfA, 'c.csv line 2', 'c.csv line 3', 'c.csv line 4'])
  assert.match(stdout, /\n {4}… and 4 more\n/)
})

test('a rejects file that was corrected is renamed by the next import, and a dry run leaves it as it is', async (t) => {
  const registry = await makeRegistry(t)
  const readRejects = (name: string) => readFile(join(registry.path, name), 'utf8')
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,,Jávea,2004-05-18\n03082-2,2,Plan,Jávea,2004-05-18\n`)
  // A dry run writes the file, if there is none yet.
  assert.match((await registry.runImport('r.csv', '--dry-run')).stdout, /saved in r\.csv\.rejects\.csv\n/)
  const rejects = await readRejects('r.csv.rejects.csv')
  // The same rejects again change nothing.
  assert.doesNotMatch((await registry.runImport('r.csv')).stdout, /warning/)
  assert.ok(!existsSync(join(registry.path, 'r.csv.rejects.previous.csv')))
  // The clerk corrects the rejects file, but imports the source alone.
  const corrected = rejects.replace('03082-1,1,,', '03082-1,1,Otro,')
  await registry.write('r.csv.rejects.csv', corrected)
  const dryRun = (await registry.runImport('r.csv', '--dry-run')).stdout
  assert.match(dryRun, /rejected {8}1 row\n/)
  assert.match(dryRun, /warning +r\.csv\.rejects\.csv stays as it is, because this is a dry run/)
  assert.equal(await readRejects('r.csv.rejects.csv'), corrected)
  const renamed = /warning +the earlier file r\.csv\.rejects\.csv is now called r\.csv\.rejects\.previous\.csv\n/
  assert.match((await registry.runImport('r.csv')).stdout, renamed)
  assert.equal(await readRejects('r.csv.rejects.csv'), rejects)
  assert.equal(await readRejects('r.csv.rejects.previous.csv'), corrected)
  // r.csv.rejects.csv differs again, but a source is never replaced.
  await registry.write('r.csv.rejects.csv', `${rejects}\r\n`)
  const both = await registry.runImport('r.csv', 'r.csv.rejects.previous.csv', '--max-rejects', '1')
  assert.equal(both.status, 0, both.stdout)
  assert.match(both.stdout, /is now called r\.csv\.rejects\.previous-2\.csv\n/)
  assert.equal(await readRejects('r.csv.rejects.previous.csv'), corrected)
  // If no row is rejected, the file is renamed too, and replaces the one of before.
  await registry.write(
    'r.csv',
    `${requiredHeadings}\n03082-1,1,Otro,Jávea,2004-05-18\n03082-2,2,Plan,Jávea,2004-05-18\n`,
  )
  assert.match((await registry.runImport('r.csv')).stdout, renamed)
  assert.ok(!existsSync(join(registry.path, 'r.csv.rejects.csv')))
  assert.equal(await readRejects('r.csv.rejects.previous.csv'), rejects)
})

test('the rejects file keeps all digits of a number that is too long for JavaScript', async (t) => {
  const registry = await makeRegistry(t)
  // A cell with a number, which `toSheetRow` cannot write, is added as a second B2. It replaces the empty B2.
  const row = toSheetRow(2, ['03082-1', '', 'Plan', 'Jávea', '2004-05-18'])
  const withLongId = row.replace('</row>', '<c r="B2"><v>9007199254740993</v></c></row>')
  await registry.write('r.xlsx', toWorkbook({ rows: toSheetRow(1, requiredHeadings.split(',')) + withLongId }))
  assert.equal((await registry.runImport('r.xlsx')).status, 1)
  const rejects = await readFile(join(registry.path, 'r.xlsx.rejects.csv'), 'utf8')
  // The mark lets nobody import the number uncorrected.
  assert.match(rejects, /,03082-1,\?\?\? 9007199254740993,Plan,/)
  assert.match((await registry.runImport('r.xlsx.rejects.csv')).stdout, /expected the corrected value in id/)
})

test('a corrected row of a rejects file may have a text in square brackets', async (t) => {
  const registry = await makeRegistry(t)
  // A list of a JSON source is in the rejects file as a text in brackets too, but after the mark `???` (last test).
  const rows = ['a-1,1,[Provisional] Plan parcial…,Jávea,31/02/2001', 'a-2,2,"[""Zona A""]",Jávea,2001-13-02']
  await registry.write('r.csv', `${requiredHeadings}\n${rows.join('\n')}\n`)
  assert.equal((await registry.runImport('r.csv')).status, 1)
  const path = join(registry.path, 'r.csv.rejects.csv')
  const rejects = await readFile(path, 'utf8')
  await writeFile(path, rejects.replaceAll('31/02/2001', '28/02/2001').replaceAll('2001-13-02', '2001-12-02'))
  const corrected = await registry.runImport('r.csv.rejects.csv')
  assert.equal(corrected.status, 0, corrected.stdout)
})

test('if --rejects names a link, the rejects are written to the file behind it', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,,Jávea,2004-05-18\n`)
  const target = await registry.write('target', 'a,b\n')
  const link = join(registry.path, 'link.csv')
  await symlink(target, link)
  const { status, stderr } = await registry.runImport('r.csv', '--rejects', 'link.csv')
  assert.deepEqual([status, stderr], [1, ''])
  assert.ok((await lstat(link)).isSymbolicLink())
  assert.match(await readFile(target, 'utf8'), /^\uFEFFline,reason,/)
})

test('a rejects file in a read-only folder, which cannot be renamed, is overwritten', async (t) => {
  const folder = await makeFolder(t)
  const path = await folder.write('r.csv', `${requiredHeadings}\n`)
  // An earlier rejects file with another text, which would be renamed to rejects.previous.csv.
  const rejects = await folder.write('rejects.csv', 'a,b\n')
  const source = await openSource(path, { mapping: new Map(), standardInput: emptyInput() })
  t.after(() => source.close())
  const staging = new Staging()
  t.after(() => staging.close())
  staging.addRejected({ sourceIndex: 0, line: 2, reason: 'line 2', cells: [] })
  // The rows of the source are not read, so it has no headings yet: the rejects file gets only `line` and `reason`.
  await folder.whileFolderIsReadOnly(() =>
    writeRejects({ sources: [path], rejects, dryRun: false }, [source], staging, new ImportReport('registry', false)),
  )
  assert.match(await readFile(rejects, 'utf8'), /^\uFEFFline,reason\r\n/)
  assert.ok(!existsSync(join(folder.path, 'rejects.previous.csv')))
})

test('a file that is no rejects file is not lost if --rejects names it', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('good.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  await registry.write('bad.csv', `${requiredHeadings}\n03082-1,1,,Jávea,2004-05-18\n`)
  await registry.write('precious.csv', 'a,b\n')
  // Without a rejected row the file stays as it is, and with one it is renamed.
  assert.equal((await registry.runImport('good.csv', '--rejects', 'precious.csv')).status, 0)
  assert.equal(await readFile(join(registry.path, 'precious.csv'), 'utf8'), 'a,b\n')
  assert.equal((await registry.runImport('bad.csv', '--rejects', 'precious.csv')).status, 1)
  assert.equal(await readFile(join(registry.path, 'precious.previous.csv'), 'utf8'), 'a,b\n')
  // A device is not renamed.
  const discarding = await registry.runImport('bad.csv', '--rejects', '/dev/null')
  assert.deepEqual([discarding.status, discarding.stderr], [1, ''])
})

test('no column of a rejects file, such as line and reason, is suggested for a missing one', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', 'N;Texto libre;Lugar;Alta\nA-1;Plan de Ibi;Ibi;nunca\n')
  const columns = { code: 'N', id: 'N', title: 'Texto libre', municipality: 'Lugar', checkin_date: 'Alta' }
  const flags = ['--mapping', JSON.stringify(columns), '--rejects', 'rejects.csv']
  assert.equal((await registry.runImport('r.csv', ...flags)).status, 1)
  assert.match(await readFile(join(registry.path, 'rejects.csv'), 'utf8'), /^\ufeffline;reason;N;Texto libre;/)
  const { status, stdout, stderr } = await registry.runImport('rejects.csv')
  assert.equal(status, 1)
  assert.match(stderr, /: none of its headings is known: "N", "Texto libre", "Lugar", "Alta"; /)
  assert.match(stdout, /\n {2}line +→ – /)
  assert.match(stdout, /\n {2}reason +→ – /)
  assert.match(stdout, /"title": "Texto libre"/)
  const partly = await registry.runImport('rejects.csv', '--mapping', '{"code":"N","id":"N"}')
  assert.doesNotMatch(partly.stderr, /"(?:line|reason)"/)
})

test('a rejects file imported without its source is refused, and the message says to import both', async (t) => {
  const registry = await makeRegistry(t)
  const rows = ['03082-1,1,Plan,Jávea,2004-05-18', '03082-2,2,Plan,Jávea,2004-05-18', '03082-3,3,,Jávea,2004-05-18']
  await registry.write('r.csv', `${requiredHeadings}\n${rows.join('\n')}\n`)
  assert.equal((await registry.runImport('r.csv', '--max-rejects', '1')).status, 0)
  const rejects = await readFile(join(registry.path, 'r.csv.rejects.csv'), 'utf8')
  await registry.write('r.csv.rejects.csv', rejects.replace('03082-3,3,,', '03082-3,3,Otro,'))
  const { status, stdout } = await registry.runImport('r.csv.rejects.csv')
  assert.equal(status, 1)
  assert.match(
    stdout,
    /: 2 of the 2 records in service would be missing, but --max-gone is 10%; import the corrected rows together with their source: import SOURCE r\.csv\.rejects\.csv --max-rejects N\n/,
  )
})

test('the advice to import a source and its rejects file quotes their names for a shell', async (t) => {
  const registry = await makeRegistry(t)
  const rows = '03082-1,1,Plan,Jávea,2004-05-18\n03082-2,2,,Jávea,2004-05-18\n'
  await registry.write("l'Eixample 2024.csv", `${requiredHeadings}\n${rows}`)
  const { stdout } = await registry.runImport("l'Eixample 2024.csv")
  const [source, rejects] = ["'l'\\''Eixample 2024.csv'", "'l'\\''Eixample 2024.csv.rejects.csv'"]
  assert.ok(stdout.includes(`repeat the command with ${source} ${rejects} --max-rejects 1\n`), stdout)
})

test('if the source is itself a rejects file, the advice names no further rejects file', async (t) => {
  const registry = await makeRegistry(t)
  const rows = '2,a,03082-1,1,Plan,Jávea,2004-05-18\n3,b,03082-2,2,,Jávea,2004-05-18\n'
  await registry.write('rejects.csv', `line,reason,${requiredHeadings}\n${rows}`)
  // For another source, the line goes on with `; or correct …`.
  assert.match((await registry.runImport('rejects.csv')).stdout, /publish the other rows with --max-rejects 1\n/)
})

test('a duplicate code is rejected, and the message has the line of the first one; case does not matter', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('a.csv', `${requiredHeadings}\nA-1,1,Plan,Jávea,2004-05-18\na-1,2,Otro,Jávea,2005-05-18\n`)
  await registry.write('b.csv', `${requiredHeadings}\nA-1,3,Más,Jávea,2004-05-18\n`)
  const { status, stdout } = await registry.runImport('a.csv', 'b.csv', '--max-rejects', '2')
  assert.equal(status, 0)
  assert.match(stdout, /a\.csv line 3, code: duplicate code "a-1" \(first on line 2\)/)
  assert.match(stdout, /b\.csv line 2, code: duplicate code "A-1" \(first on line 2 of a\.csv\)/)
  assert.deepEqual(
    (await registry.search()).map(({ id }) => id),
    ['1'],
  )
  assert.match(await readFile(join(registry.path, 'b.csv.rejects.csv'), 'utf8'), /,A-1,3,Más,Jávea,2004-05-18\r\n$/)
})

test('the rejects file of one source keeps all text of a row, even if the row cannot be parsed', async (t) => {
  const registry = await makeRegistry(t)
  /** Imports a file with the text and returns the rejects file. */
  const importAndReadRejects = async (file: string, text: string): Promise<string> => {
    await registry.write(file, text)
    await registry.runImport(file, '--rejects', 'rejects.csv')
    return readFile(join(registry.path, 'rejects.csv'), 'utf8')
  }
  const repeated = await importAndReadRejects(
    'a.csv',
    `${requiredHeadings},nota,,nota\nA-1,1,Plan,Jávea,ayer,uno,dos,tres\n`,
  )
  assert.match(repeated, /^\uFEFFline,reason,code,id,title,municipality,checkin_date,nota,,nota\r\n/)
  assert.match(repeated, /,A-1,1,Plan,Jávea,ayer,uno,dos,tres\r\n$/)
  const quotes = await importAndReadRejects('b.csv', `${requiredHeadings}\nA-2,2,"Plan,Jávea,2004-05-18\n`)
  // The quotation mark without a second one is part of the title, and CSV doubles it.
  assert.match(quotes, /",A-2,2,"""Plan",Jávea,2004-05-18\r\n$/)
  const validLine = '{"code":"A-3","id":"3","title":"Plan","municipality":"Ibi","checkin_date":"2004-05-18"}'
  const notJson = await importAndReadRejects('c.ndjson', `${validLine}\n{"code": \n`)
  // The whole line, `{"code":`, is in the first column of the source. The other four columns are empty.
  assert.match(notJson, /,"\{""code"":",,,,\r\n$/)
})

test('the rejects of each source go to a file of their own, under the headings of the source', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('a.csv', `code;id;title;municipality;checkin_date;Notas\nA-1;1;Plan;Ibi;ayer;uno\n`)
  // b.csv has no column for the id. The code is also the id.
  await registry.write('b.csv', 'Fecha,Título,Nº expediente,Municipio\nayer,Plan B,B-2,Ibi\n')
  const { stdout } = await registry.runImport('a.csv', 'b.csv', '--rejects', 'rejects.csv')
  assert.match(stdout, /saved in rejects\.csv, rejects-2\.csv\n/)
  for (const name of ['rejects.csv', 'rejects-2.csv']) {
    const rejects = await readFile(join(registry.path, name), 'utf8')
    // The reason quotes the date too, and has no separator beside it.
    await registry.write(`corrected-${name}`, rejects.replaceAll(/(?<=[;,])ayer(?=[;,])/g, '2004-05-18'))
  }
  const corrected = await registry.runImport('corrected-rejects.csv', 'corrected-rejects-2.csv')
  assert.equal(corrected.status, 0, corrected.stdout)
  assert.deepEqual(
    (await registry.search()).map(({ id, title }) => [id, title]),
    [
      ['1', 'Plan'],
      ['B-2', 'Plan B'],
    ],
  )
})

test('the rejects file has a registration number only if the row has one in the source', async (t) => {
  const registry = await makeRegistry(t)
  // The last two rows are rejected, because they have the code of the first. The row of `Otro` has no registration
  // number, so the import takes the number in its code, 1. The rejects file must not have this number.
  const rows = ['A-1,1,Plan,Jávea,2004-05-18,', 'A-1,2,Otro,Jávea,2005-05-18,', 'A-1,3,Más,Jávea,2005-05-18,77']
  await registry.write('a.csv', `${requiredHeadings},registration_number\n${rows.join('\n')}\n`)
  assert.equal((await registry.runImport('a.csv', '--max-rejects', '2')).status, 0)
  const rejects = await readFile(join(registry.path, 'a.csv.rejects.csv'), 'utf8')
  assert.match(rejects, /,A-1,2,Otro,Jávea,2005-05-18,\r\n/)
  assert.match(rejects, /,A-1,3,Más,Jávea,2005-05-18,77\r\n/)
})

test('nothing is published if every row is rejected, whatever --max-rejects is', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,,Jávea,2004-05-18\n`)
  const fault = /nothing published .*: every row was rejected, so there is no record to publish; fix the rows/
  // The message does not advise --max-rejects, because no row is left to publish.
  assert.match((await registry.runImport('r.csv')).stdout, fault)
  const { status, stdout } = await registry.runImport('r.csv', '--max-rejects', '100', '--report', 'report.json')
  assert.equal(status, 1)
  assert.match(stdout, fault)
  assert.match(stdout, /line 2, title: expected a title, got ""/)
  const report = JSON.parse(await readFile(join(registry.path, 'report.json'), 'utf8'))
  // `rejects` names the rejects files.
  assert.deepEqual([report.rows_read, report.rows_refused, report.rejects], [1, 1, ['r.csv.rejects.csv']])
  assert.ok(!existsSync(registry.file))
})

test('standard input is imported, and its rejects file is in the current folder', async (t) => {
  const registry = await makeRegistry(t)
  const input = `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n03082-2,2,,Jávea,2004-05-18\n`
  const args = ['import', '-', '--database', `sqlite:${registry.file}`, '--max-rejects', '1']
  const { status, stdout } = await runCommand(args, { input, cwd: registry.path })
  assert.equal(status, 0)
  assert.match(stdout, /read {12}2 rows of standard input/)
  assert.ok(existsSync(join(registry.path, 'stdin.rejects.csv')))
})

test('an import overwrites none of its sources, also not a corrected rejects file', async (t) => {
  const registry = await makeRegistry(t)
  const bad = '03082-2,2,,Jávea,2004-05-18'
  await registry.write('r.csv', `${requiredHeadings}\r\n03082-1,1,Plan,Jávea,2004-05-18\r\n${bad}\r\n`)
  assert.equal((await registry.runImport('r.csv')).status, 1)
  assert.ok((await readFile(join(registry.path, 'r.csv.rejects.csv'), 'utf8')).endsWith(`,${bad}\r\n`))
  const fixed = `${requiredHeadings}\n03082-2,2,Otro plan,Jávea,2004-05-18\n`
  await registry.write('r.csv.rejects.csv', fixed)
  const { status, stdout } = await registry.runImport('r.csv', 'r.csv.rejects.csv', '--max-rejects', '1')
  assert.equal(status, 0)
  assert.match(stdout, /published 2 records/)
  // The row of r.csv is rejected again. The rejects file of r.csv is a source now, so the row goes to another file.
  assert.match(stdout, /saved in r\.csv\.rejects-2\.csv/)
  assert.equal(await readFile(join(registry.path, 'r.csv.rejects.csv'), 'utf8'), fixed)
  const { path } = registry
  for (const flag of ['--rejects', '--report', '--write-mapping']) {
    await assertUsageError(
      [join(path, 'r.csv'), flag, `${path}/./r.csv`],
      /^Cannot write the file of --[\w-]+ to \S+\/\.\/r\.csv: it is a source of this import; choose another file/,
    )
  }
})

test('no output overwrites the registry, a source, the mapping or another output', async (t) => {
  const registry = await makeRegistry(t)
  const source = await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  // Any valid mapping.
  const mapping = await registry.write('map.json', '{"area": "title"}')
  assert.equal((await registry.runImport('r.csv')).status, 0)
  const before = await readFile(registry.file)
  const url = `sqlite://${registry.file}`
  // Other paths of the same files.
  const file = relative(process.cwd(), registry.file)
  const out = join(registry.path, 'out')
  const sameOut = `${registry.path}/./out`
  const wrong: readonly [args: string[], message: RegExp][] = [
    [
      ['--report', file],
      /^Cannot write the file of --report to \S+registry\.db: it is the registry; choose another file/,
    ],
    [['--rejects', file], /--rejects to \S+registry\.db: it is the registry/],
    [['--inspect', '--write-mapping', file], /--write-mapping to \S+registry\.db: it is the registry/],
    [['--database', url, '--report', file], /it is the registry/],
    // The prefix `sqlite:` was forgotten.
    [['--database', registry.file, '--report', file], /it is the registry/],
    // The registry is a source, and the import is into another database, to which it does not connect.
    [[url, '--database', 'postgres://127.0.0.1:1/x', '--report', file], /it is a source of this import/],
    [['--mapping', mapping, '--report', mapping], /--report to \S+map\.json: it is the file of --mapping/],
    [['--mapping', mapping, '--rejects', mapping], /--rejects to \S+map\.json: it is the file of --mapping/],
    [['--rejects', out, '--report', sameOut], /--report to \S+\/\.\/out: it is the file of --rejects/],
    [['--inspect', '--write-mapping', out, '--rejects', out], /to \S+out: it is the file of --write-mapping/],
  ]
  for (const [args, message] of wrong) {
    await assertUsageError(['--database', `sqlite:${registry.file}`, source, ...args], message)
  }
  const { status, stderr } = await registry.runImport('r.csv', '--report', 'registry.db')
  assert.equal(status, 2)
  assert.match(
    stderr,
    /^planning-registry: Cannot write the file of --report to registry\.db: it is the registry[^\n]*\n$/,
  )
  assert.deepEqual(await readFile(registry.file), before)
  assert.equal(await readFile(mapping, 'utf8'), '{"area": "title"}')
  assert.ok(!existsSync(out))
})

test('--write-mapping may replace the file of --mapping', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  await registry.write('map.json', '{"area": "title"}')
  const flags = ['--inspect', '--mapping', 'map.json', '--write-mapping', 'map.json']
  const inspection = await registry.runImport('r.csv', ...flags)
  assert.equal(inspection.status, 0, inspection.stderr)
  assert.equal(JSON.parse(await readFile(join(registry.path, 'map.json'), 'utf8')).code, 'code')
})

test('two outputs may be /dev/null', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  const discarding = await registry.runImport('r.csv', '--rejects', '/dev/null', '--report', '/dev/null')
  assert.equal(discarding.status, 0, discarding.stderr)
})

test('an error of the staging database is reported as it is, not as an error of the rejects file', async (t) => {
  const folder = await makeFolder(t)
  const missing = join(folder.path, 'no/such/file')
  /** The first read only finds out whether there are rejected rows. The second fails: the path is in no folder. */
  class FailingStaging extends Staging {
    #reads = 0
    override rejectedRows(sourceIndex: number): ReturnType<Staging['rejectedRows']> {
      this.#reads += 1
      if (this.#reads === 2) new DatabaseSync(missing)
      return super.rejectedRows(sourceIndex)
    }
  }
  const path = await folder.write('r.csv', `${requiredHeadings}\n`)
  const source = await openSource(path, { mapping: new Map(), standardInput: emptyInput() })
  t.after(() => source.close())
  /** Writes one rejected row. */
  const write = async (staging: Staging, rejects: string): Promise<void> => {
    t.after(() => staging.close())
    staging.addRejected({ sourceIndex: 0, line: 2, reason: 'line 2', cells: [] })
    await writeRejects(
      { sources: [path], rejects, dryRun: false },
      [source],
      staging,
      new ImportReport('registry', false),
    )
  }
  await assert.rejects(write(new FailingStaging(), join(folder.path, 'a.csv')), { code: 'ERR_SQLITE_ERROR' })
  await assert.rejects(write(new Staging(), missing), { message: /^Cannot write rejects to .*: ENOENT/ })
})

test('a rejected list of a JSON file is in the rejects file, and is rejected again until it is corrected', async (t) => {
  const registry = await makeRegistry(t)
  const required = { id: 1, title: 'Plan', municipality: 'Jávea', checkin_date: '2004-05-18' }
  const areas = [['UE-1', 'UE "2"'], [{ sector: 'S', n: [1, null, true] }, {}], Array(3000).fill('S-1')]
  const records = areas.map((area, index) => ({ code: `A-${index}`, ...required, area }))
  // The parsers differ: one reads an array in parts, the other each object as a whole.
  for (const [name, text] of [
    ['r.json', JSON.stringify(records)],
    ['r.ndjson', records.map((record) => JSON.stringify(record)).join('\n')],
  ] as const) {
    await registry.write(name, text)
    const { stdout } = await registry.runImport(name)
    assert.match(stdout, /expected area to be text/)
    const rejectsPath = join(registry.path, `${name}.rejects.csv`)
    const rejects = await readFile(rejectsPath, 'utf8')
    const cells = ['["UE-1","UE \\"2\\""]', '[{"sector":"S","n":[1,null,true]},{}]', '["S-1","S-1",']
    for (const cell of cells) assert.ok(rejects.includes(`,"??? ${cell.replaceAll('"', '""')}`), rejects)
    // The long list is cut.
    assert.ok(rejects.length < 10_000)
    const { stdout: stdoutOfRejects } = await registry.runImport(`${name}.rejects.csv`)
    assert.match(stdoutOfRejects, / 3 {3}expected the corrected value in area\n/)
    await registry.write(`${name}.rejects.csv`, rejects.replace(/"\?\?\? \[""UE-1.*?\]"/, 'UE-1'))
    const corrected = await registry.runImport(`${name}.rejects.csv`, '--max-rejects', '2')
    assert.equal(corrected.status, 0, corrected.stdout)
    assert.deepEqual(
      (await registry.search()).map(({ area }) => area),
      ['UE-1'],
    )
  }
})

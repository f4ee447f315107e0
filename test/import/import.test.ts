// The command `import` from end to end: snapshot, report and exit status. It runs in its own process, except for the
// cases of `assertUsageError`. `registry.search` returns the records that were published. Rejected rows are in
// rejects.test.ts. `requiredHeadings` is the line `code,id,title,municipality,checkin_date`.
import assert from 'node:assert/strict'
import { existsSync } from 'node:fs'
import { mkdir, readdir, readFile, rm, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { takeImportLock } from '../../src/registry/import-lock.ts'
import { toPdf } from '../../src/sample/pdf.ts'
import { runCommand } from '../command.ts'
import { readTables } from '../registry/read-tables.ts'
import { assertUsageError, makeRegistry, requiredHeadings } from './registry.ts'

test('an import publishes the records of a CSV, newest first', async (t) => {
  const registry = await makeRegistry(t)
  // %F3 is ó in Latin-1. It is not valid UTF-8, and the address must stay as it is.
  const rows = [
    '03082-1,1,"Plan ""Ñ""",Jávea,2004-05-18,https://example.org/%F3.pdf,edificabilidad',
    '03082-2,2,Otro,Ávila,01/02/2010,,',
  ]
  await registry.write('records.csv', `${requiredHeadings},links,content\n${rows.join('\n')}\n`)
  const { status, stdout, stderr } = await registry.runImport('records.csv')
  assert.equal(stderr, '')
  assert.equal(status, 0)
  assert.match(stdout, /^published 2 records to sqlite:.*registry\.db\n {2}read {12}2 rows of records\.csv\n/)
  const records = await registry.search()
  assert.deepEqual(
    records.map(({ id }) => id),
    ['2', '1'],
  )
  assert.equal(records[1]?.title, 'Plan "Ñ"')
  assert.equal(records[1]?.links, 'https://example.org/%F3.pdf')
  assert.deepEqual(
    (await registry.search('edificabilidad')).map(({ id }) => id),
    ['1'],
  )
})

test('a record is found by a word that occurs only in its PDF', async (t) => {
  const registry = await makeRegistry(t)
  await mkdir(join(registry.path, 'documents'))
  await registry.write('documents/a.pdf', toPdf('Plan', [['La volumetría del sector']]))
  await registry.write('records.csv', `${requiredHeadings},document\n03082-1,1,Plan,Jávea,2004-05-18,a.pdf;no.pdf\n`)
  const { status, stdout } = await registry.runImport('records.csv', '--documents', 'documents')
  assert.equal(status, 0)
  assert.match(stdout, /documents {7}1 text, 0 scan, 0 unreadable, 1 missing\n {4}no\.pdf: /)
  assert.equal((await registry.search('volumetría')).length, 1)
})

// The import first writes an empty report, which succeeds even to /dev/full. Only the bytes of the final report fail.
test('an import succeeds, with a message, if the disk is full when its final report is written', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  const { status, stdout, stderr } = await registry.runImport('r.csv', '--report', '/dev/full')
  assert.equal(status, 0)
  assert.match(stdout, /^published 1 record /)
  assert.match(
    stderr,
    /^planning-registry: Cannot write the file of --report to \/dev\/full: ENOSPC.*; the records are published$/m,
  )
})

test('the JSON report is written even if the reader of standard output has gone', async (t) => {
  const registry = await makeRegistry(t)
  const source = await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  const report = join(registry.path, 'report.json')
  const args = ['import', source, '--database', `sqlite:${registry.file}`, '--report', report]
  const { status, stderr } = await runCommand(args, { onStart: (child) => child.stdout?.destroy() })
  assert.deepEqual([status, stderr], [0, ''])
  assert.equal(JSON.parse(await readFile(report, 'utf8')).published, true)
})

test('the JSON report lists what was read, rejected, published and changed', async (t) => {
  const registry = await makeRegistry(t)
  const rows = [
    '03082-1,1,Plan &#34;A&#34;,Jávea,2004-05-18',
    '03082-2,2,Plan B,Villarriba de Nadie,2004-05-18',
    '03082-3,3,Plan C,Jávea,2004-05-18',
  ]
  await registry.write('r.csv', `${requiredHeadings},Notas\n${rows.map((row) => `${row},x`).join('\n')}\n`)
  assert.equal((await registry.runImport('r.csv')).status, 0)
  // 03082-1 is the same, 03082-2 has another title, 03082-3 is gone, 03082-4 is new, and 03082-5 is rejected.
  const nextRows = [
    rows[0],
    '03082-2,2,Plan B bis,Villarriba de Nadie,2004-05-18',
    '03082-4,4,Plan D,Jávea,2004-05-18',
    '03082-5,5,Plan E,Jávea,nunca',
  ]
  await registry.write('r.csv', `${requiredHeadings},Notas\n${nextRows.map((row) => `${row},x`).join('\n')}\n`)
  const { status } = await registry.runImport(
    'r.csv',
    '--max-rejects',
    '5',
    '--max-gone',
    '1',
    '--report',
    'report.json',
  )
  assert.equal(status, 0)
  const report = JSON.parse(await readFile(join(registry.path, 'report.json'), 'utf8'))
  assert.match(report.snapshot, /^[0-9a-f]{32}$/)
  assert.equal(typeof report.seconds, 'number')
  const { snapshot: _snapshot, seconds: _seconds, ...rest } = report
  // Rejected rows are called refused in the report. No row names a document, so all counts of documents are 0.
  assert.deepEqual(rest, {
    database: `sqlite:${registry.file}`,
    published: true,
    unchanged: false,
    dry_run: false,
    fault: null,
    rows_read: 4,
    records: 3,
    rows_refused: 1,
    refused_by_reason: { 'checkin_date: expected YYYY-MM-DD or DD/MM/YYYY': 1 },
    refused_examples: ['line 5, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got "nunca"'],
    rejects: ['r.csv.rejects.csv'],
    kept: [],
    // `recognised` has the columns found by a heading other than their name, such as title by `Denominación`.
    sources: [{ name: 'r.csv', rows: 4, headings_not_read: ['Notas'], recognised: {}, notes: [] }],
    duplicates: null,
    // The two quotation marks of 03082-1.
    entities_decoded: 2,
    encodings: { repaired: 0, damaged: 0 },
    dates: { two_digit_years: 0, without_day: 0 },
    warnings: [],
    municipalities: { resolved: 1, unknown: 1, unknown_names: [{ name: 'Villarriba de Nadie', records: 1 }] },
    documents: { text: 0, scan: 0, unreadable: 0, missing: 0, problem_count: 0, records_closed: 0, problems: [] },
    changes: {
      new: 1,
      changed: 1,
      gone: 1,
      // Records that lost their content. The records of this test have none.
      texts_gone: 0,
      examples: { new: ['03082-4'], changed: ['03082-2'], gone: ['03082-3'] },
    },
  })
})

test('a dry run reports what could be published and creates no registry', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  const { status, stdout } = await registry.runImport('r.csv', '--dry-run')
  assert.equal(status, 0)
  assert.match(stdout, /^dry run, nothing published: 1 record could be published to .*registry\.db\n/)
  // An import never deletes its lock file.
  assert.deepEqual(
    (await readdir(registry.path)).filter((name) => !name.endsWith('.lock')),
    ['r.csv'],
  )
})

test('the same records give the same tables, whatever their order, format or encoding', async (t) => {
  const registry = await makeRegistry(t)
  const records = Array.from({ length: 300 }, (_, index) => ({
    code: `0308${index % 7}-${index}`,
    id: String(index),
    title: `Modificación puntual nº ${index}`,
    municipality: ['Jávea', 'Ávila', 'Ibi'][index % 3] ?? '',
    checkin_date: `20${String(10 + (index % 9))}-0${1 + (index % 8)}-1${index % 9}`,
    content: `suelo urbanizable sector ${index % 13}`,
  }))
  /** The records as CSV. The headings are the names of their properties. */
  const toCsv = (rows: typeof records, separator: string): string =>
    [Object.keys(rows[0] ?? {}), ...rows.map((row) => Object.values(row))]
      .map((row) => row.join(separator))
      .join('\r\n')
  await registry.write('a.csv', toCsv(records, ','))
  await registry.write('b.csv', Buffer.from(toCsv(records.toReversed(), ';'), 'latin1'))
  await registry.write('c.json', JSON.stringify({ records: records.toSorted((a, b) => (a.title < b.title ? -1 : 1)) }))
  /** Hashes of the tables after each import. */
  const tables: unknown[] = []
  for (const source of ['a.csv', 'b.csv', 'c.json']) {
    assert.equal((await registry.runImport(source)).status, 0)
    tables.push(readTables(registry.file))
    // What is already there would not be built again.
    await rm(registry.file)
  }
  for (const each of tables) assert.deepEqual(each, tables[0])
})

test('an import of an unreadable source exits with 1 and leaves the registry unchanged', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('good.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  assert.equal((await registry.runImport('good.csv')).status, 0)
  const before = await readFile(registry.file)
  const bad: readonly [name: string, content: string, message: RegExp][] = [
    ['empty.csv', '', /empty\.csv: the file is empty/],
    ['blank.csv', '\n\n', /blank\.csv: it has no content; export it again/],
    ['header.csv', `${requiredHeadings}\n`, /header\.csv: it has headings but no records; export it again/],
    [
      'column.csv',
      'code,id,titel,municipality,checkin_date\n1,1,1,1,1\n',
      /column title is missing; the nearest heading is "titel"/,
    ],
    ['cut.json', '[{"code": "03082-1"', /cut\.json: the JSON is cut off at line 1, column 20/],
    ['none.json', '[]', /none\.json: it has no content/],
  ]
  for (const [name, content, message] of bad) {
    await registry.write(name, content)
    const { status, stderr } = await registry.runImport(name, '--report', 'report.json')
    assert.equal(status, 1, name)
    assert.match(stderr, /^planning-registry: Cannot [^\n]*\n$/)
    assert.match(stderr, message)
    const report = JSON.parse(await readFile(join(registry.path, 'report.json'), 'utf8'))
    assert.equal(report.published, false)
    assert.match(report.fault, message)
    assert.deepEqual(await readFile(registry.file), before)
  }
})

test('wrong usage, or a database that cannot be reached, exits with 2 and a message of one line', async (t) => {
  const registry = await makeRegistry(t)
  const source = await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  const mapping = await registry.write('map.json', '{"titel": "x"}')
  const postgres = 'postgres://u:secret@127.0.0.1:1/x'
  const wrong: readonly [args: string[], message: RegExp][] = [
    [['missing.csv'], /^Cannot read missing\.csv: there is no such file/],
    [['.'], /^Cannot read \.: it is a folder; choose a file in it/],
    [[source, '--mapping', 'no.json'], /^Cannot read mapping no\.json: there is no such file$/],
    [[source, '--query', 'select 1'], /^Cannot use --query: no source is a PostgreSQL address/],
    [
      [source, '--sheet', '2'],
      /^Cannot use --sheet: every source is named \.csv or \.tsv; leave it out, or rename the workbook$/,
    ],
    [
      [source, '--records-at', 'items'],
      /^Cannot use --records-at: every source is named \.csv or \.tsv; leave it out, or rename the JSON file$/,
    ],
    [[source, '--mapping', mapping], /there is no column "titel"; did you mean title\?/],
    [
      [source, '--max-rejects', '-3'],
      /^Cannot read --max-rejects: expected a share such as 10% or a whole number, got "-3"$/,
    ],
    [[source, '--documents', 'nowhere'], /^Cannot read documents from nowhere: there is no such folder/],
    [[source, '--fetch-documents'], /allow every host they come from with --allow-host HOST/],
    [[source, '--allow-host', 'example.org'], /^Cannot use --allow-host without --fetch-documents/],
    [[source, '--fetch-documents', '--allow-host', 'http://x/'], /expected HOST or HOST:PORT, got "http:\/\/x\/"/],
    [[source, '--report', 'no/such/report.json'], /^Cannot write the file of --report to no\/such\/report\.json/],
    // A name longer than the system allows is an example of a path that cannot be looked up. Another would be a path
    // in a folder without permission.
    [[source, '--report', 'x'.repeat(300)], /^Cannot write the file of --report to x+: ENAMETOOLONG/],
    [[source, '--write-mapping', 'columns.json'], /^Cannot use --write-mapping without --inspect; add --inspect/],
    [[postgres], /^Cannot read postgres:\/\/u@127\.0\.0\.1:1\/x: give a query with --query SQL/],
    [['-', '-'], /- \(standard input\) can be given only once/],
  ]
  // In this process, which is faster: the error is one that main.ts prints before it exits with 2.
  for (const [args, message] of wrong)
    await assertUsageError([...args, '--database', `sqlite:${registry.file}`], message)
  // In a process of its own, to see the exit status and the printed line: one error each of the arguments, a database,
  // a file and the system.
  for (const [args, message] of [
    [[], /^planning-registry: Cannot import: no source given; use planning-registry import FILE .*\n$/],
    [[postgres, '--query', 'select 1'], /^planning-registry: Cannot reach postgres:\/\/u@127\.0\.0\.1:1\/x.*\n$/],
    [
      ['r.csv', '--inspect', '--write-mapping', 'no/such/m.json'],
      /^planning-registry: Cannot write the file of --write-mapping to no\/such\/m\.json: .*\n$/,
    ],
    // The same long name is an example of an error of the system. Another would be a missing temporary folder.
    [['x'.repeat(300), '--inspect'], /^planning-registry: Cannot inspect the source: ENAMETOOLONG.*\n$/],
  ] as const) {
    const { status, stderr } = await registry.runImport(...args)
    assert.equal(status, 2, `${args.join(' ')}: ${stderr}`)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /secret/)
  }
  assert.equal(existsSync(registry.file), false)
})

// An import writes an empty report before it reads a source.
test('an import that exits with 2 removes its empty report, unless --report names a link', async (t) => {
  const registry = await makeRegistry(t)
  const linkToDevice = join(registry.path, 'link-to-device')
  await symlink('/dev/null', linkToDevice)
  const linkToFile = join(registry.path, 'link-to-file')
  await symlink(await registry.write('target', ''), linkToFile)
  for (const report of ['report.json', 'link-to-device', 'link-to-file']) {
    assert.equal((await registry.runImport('missing.csv', '--report', report)).status, 2)
  }
  assert.ok(!existsSync(join(registry.path, 'report.json')))
  assert.ok(existsSync(linkToDevice))
  assert.ok(existsSync(linkToFile))
})

test('the message says why an import failed, even if its empty report cannot be removed', async (t) => {
  const registry = await makeRegistry(t)
  // In a read-only folder the import can write to an existing report, but cannot remove it.
  const report = await registry.write('report.json', '')
  const args = ['--database', `sqlite:${registry.file}`, join(registry.path, 'missing.csv'), '--report', report]
  await registry.whileFolderIsReadOnly(() => assertUsageError(args, /missing\.csv: there is no such file/))
})

test('a second import at the same time is rejected', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  // The lock that an import holds while it runs.
  const releaseLock = takeImportLock(registry.file)
  t.after(releaseLock)
  const { status, stderr } = await registry.runImport('r.csv')
  assert.equal(status, 2)
  assert.match(stderr, /another import is writing to it; wait until it has finished/)
})

test('the report warns of a mapping and of a folder of documents that the sources do not use', async (t) => {
  const registry = await makeRegistry(t)
  await registry.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  await mkdir(join(registry.path, 'docs'))
  // The source has the heading `code`, but not `Ámbito`.
  await registry.write('map.json', '\ufeff{"area": "Ámbito", "id": "code"}')
  const { status, stdout } = await registry.runImport('r.csv', '--documents', 'docs', '--mapping', 'map.json')
  assert.equal(status, 0, stdout)
  assert.match(stdout, /warning +area is mapped to "Ámbito", which no source has as a heading/)
  assert.match(stdout, /warning +no file in docs is read: no source has a column document/)
})

test('a mapping in Windows-1252 is refused, because its letters would be lost', async (t) => {
  const folder = await makeRegistry(t)
  const mapping = await folder.write('m.json', Buffer.from('{"municipality":{"value":"Móstoles"}}', 'latin1'))
  const source = await folder.write('r.csv', `${requiredHeadings}\n03082-1,1,Plan,Jávea,2004-05-18\n`)
  await assertUsageError(
    [source, '--mapping', mapping],
    /^Cannot read mapping .*: it is not in UTF-8; save it as UTF-8$/,
  )
})

test('the report warns of dates that are probably typing errors, and the records are published', async (t) => {
  const registry = await makeRegistry(t)
  /** The checkin_date of each row and, after the comma, its inscription_date. The date in 1850 itself is accepted. */
  const dates = ['2204-03-12,', '1004-03-12,', '1804-03-12,', '1850-01-01,1850-01-01', '2004-03-12,2003-01-01']
  const rows = dates.map((date, index) => `A-${index},1,Plan,Jávea,${date}`)
  await registry.write('r.csv', `${requiredHeadings},inscription_date\n${rows.join('\n')}\n`)
  const { status, stdout } = await registry.runImport('r.csv', '--report', 'report.json')
  assert.equal(status, 0)
  assert.match(stdout, /^published 5 records/)
  const { warnings } = JSON.parse(await readFile(join(registry.path, 'report.json'), 'utf8'))
  assert.deepEqual(warnings, [
    '1 row with a checkin_date more than a year in the future, first on line 2 of r.csv; check the year',
    '2 rows with a checkin_date before 1850, first on line 3 of r.csv; check the year',
    '1 row with an inscription_date before its checkin_date, first on line 6 of r.csv; check both dates',
  ])
})

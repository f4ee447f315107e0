// Files as offices export them: the import publishes them, or prints the flags with which a second attempt publishes
// them, or refuses them and says what to do.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { CodeForms, proposeCodePattern } from '../../src/import/code-form.ts'
import { entry, runCommand } from '../command.ts'
import { makeFolder } from './folder.ts'
import { readSource } from './read-source.ts'
import { toZip } from './workbook.ts'

/** The standard output of the first attempt, which is refused, and of the second. */
interface ImportOutputs {
  readonly first: string
  readonly second: string
}

/** Imports, then imports again with the flags that the first attempt printed, as a user would copy them. */
async function importTwice(source: string, database: string): Promise<ImportOutputs> {
  const { status, stdout } = await runCommand(['import', source, '--database', database])
  assert.equal(status, 1)
  const [, flags = ''] = /to import it, add these flags:\n {2}(.*)\n/.exec(stdout) ?? assert.fail(stdout)
  const command = `'${process.execPath}' '${entry}' import '${source}' --database '${database}' ${flags}`
  const second = await promisify(execFile)('sh', ['-c', command.replace('YOUR MUNICIPALITY', 'Madrid')])
  return { first: stdout, second: second.stdout }
}

test('a file with codes of another form and no municipality is published at the second attempt', async (context) => {
  const folder = await makeFolder(context)
  const records = Array.from({ length: 12 }, (_, index) => ({
    EXP_ID: `135/2025/${String(index).padStart(5, '0')}`,
    DENOMINACION: `Orense, ${index}`,
    // Milliseconds since 1970: a day in March 2002.
    FECHA_ENTRADA: 1_015_110_000_000 + index,
    // The flags that the first attempt prints must quote this apostrophe for the shell.
    "URL_DE_L'EXPEDIENT": `https://docs.example.org/${index}.pdf`,
  }))
  const source = await folder.write('export.json', JSON.stringify({ generado: '2026-01-01', expedientes: records }))
  const { first, second } = await importTwice(source, `sqlite:${folder.path}/registry.db`)
  assert.match(first, /--code-pattern '\\d\+\/\\d\{4\}\/\\d\{5\}'\n/)
  // The file has no column for the municipality. `importTwice` replaces the placeholder with `Madrid`.
  assert.match(first, /replace YOUR MUNICIPALITY with the name of the municipality/)
  assert.match(second, /^published 12 records/)
  assert.match(second, /1 name with an INE code, 0 without/)
})

test('rows with one code and different titles may have a mistyped code or be parts of one record', async (context) => {
  const folder = await makeFolder(context)
  const rows = 'A-1;Plan parcial;Ibi;2004-03-12\r\nA-1;Estudio de detalle;Ibi;2004-03-13\r\n'
  const source = await folder.write('export.csv', `Expediente;Título;Municipio;Fecha\r\n${rows}`)
  const { stdout } = await runCommand(['import', source, '--database', `sqlite:${folder.path}/registry.db`])
  assert.match(
    stdout,
    /warning {9}1 row with the code of another row, but another title; correct one of the two codes .*, or .* --duplicates merge /,
  )
})

test('--inspect proposes the file of --write-mapping instead of the mapping itself', async (context) => {
  const folder = await makeFolder(context)
  const path = `${folder.path}/columnas.json`
  const inspect = async (headings: string, row: string): Promise<string> => {
    const source = await folder.write('r.csv', `${headings}\n${row}\n`)
    return (await runCommand(['import', source, '--inspect', '--write-mapping', path])).stdout
  }
  const unknownTitle = await inspect('code;id;XX;municipality;checkin_date', 'A-1;1;Plan de Ibi;Ibi;2004-01-01')
  assert.ok(unknownTitle.endsWith(`flags:\n  --mapping ${path}\n`), unknownTitle)
  // The municipality of all records is not in the source, so the saved mapping does not have it.
  const noMunicipality = await inspect('code;id;title;checkin_date', 'A-1;1;Plan de Ibi;2004-01-01')
  assert.ok(
    noMunicipality.endsWith(`flags:\n  --mapping ${path}\n  first add the municipality to ${path}\n`),
    noMunicipality,
  )
})

test('a source with only the date of inscription is published at the second attempt, with both dates', async (context) => {
  const folder = await makeFolder(context)
  const text = 'Código;Título;Municipio;Fecha de inscripción\r\nA-1;Plan parcial;Ibi;12/03/2004\r\n'
  const source = await folder.write('export.csv', text)
  const database = `sqlite:${folder.path}/registry.db`
  assert.match((await importTwice(source, database)).second, /^published 1 record /)
  const { stdout } = await runCommand(['search', '--database', database, '--ndjson'])
  assert.match(stdout, /"checkin_date":"2004-03-12","inscription_date":"2004-03-12"/)
})

test('the message for a web page, XML or a text document says what the file is, whatever its extension', async (context) => {
  const folder = await makeFolder(context)
  const refusals = {
    'table.xls': [
      '<html><head></head><body><table><tr><td>x</td></tr></table>',
      /with a table.* save it as \.xlsx or \.csv/,
    ],
    'login.csv': [
      '\ufeff<!DOCTYPE html>\n<html><body>Inicie sesión</body></html>',
      /a web page, perhaps an error or a login/,
    ],
    'commented.xls': ['<!-- a > b --> <!---->\n<!-- c --><div><table><tr><td>x</td></tr></table>', /with a table/],
    'comment-of-two-lines.xls': ['<!-- a\nb -->\n<html><table><tr><td>x</td></tr></table>', /with a table/],
    'book.xls': ['<?xml version="1.0"?><Workbook><Worksheet/></Workbook>', /it is XML.* save it as \.xlsx or \.csv/],
    'data.xml': ['<expedientes><expediente/></expedientes>', /it is XML/],
    'list.csv': ['{\\rtf1 Plan}', /text document \(RTF\)/],
  } as const
  for (const [name, [text, message]] of Object.entries(refusals)) {
    await assert.rejects(readSource(await folder.write(name, text)), message, name)
  }
})

test('a file of dBase, Access or SQLite is refused as a binary file, whatever its extension', async (context) => {
  const folder = await makeFolder(context)
  /** The first bytes of files of dBase III, Access and SQLite. */
  const heads = {
    'expedientes.dbf': Buffer.from(`037c0512${'02000000'}${'e100'}${'5a00'}${'00'.repeat(20)}`, 'hex'),
    'expedientes.mdb': Buffer.from('\0\x01\0\0Standard Jet DB\0\x01\0\0\0'),
    'expedientes.csv': Buffer.from('SQLite format 3\0\x10\0\x01\x01\0@  '),
  }
  for (const [name, head] of Object.entries(heads)) {
    const source = await folder.write(name, Buffer.concat([head, Buffer.alloc(500)]))
    await assert.rejects(
      readSource(source),
      /it is a binary file, .* or a damaged text; export it again as CSV in UTF-8/,
      name,
    )
  }
})

test('a text with NUL bytes is read: a NUL character in a cell, or UTF-16', async (context) => {
  const folder = await makeFolder(context)
  const csv = 'code,id,title,municipality,checkin_date\nA-1,1,Plan\0,Ibi,2004-01-01\n'
  assert.equal((await readSource(await folder.write('zero.csv', csv))).outcomes.length, 1)
  const utf16 = Buffer.from(csv.replace('\0', ''), 'utf16le')
  assert.equal((await readSource(await folder.write('utf16.csv', utf16))).outcomes.length, 1)
})

test('a file that begins with many HTML comments is refused at once', async (context) => {
  const folder = await makeFolder(context)
  const file = await folder.write('comments.csv', `${'<!---->'.repeat(30)}x`)
  const startedAt = performance.now()
  await assert.rejects(readSource(file), /Cannot read .*comments\.csv/)
  // A regular expression that backtracks takes several seconds, and twice as long for each further comment.
  assert.ok(performance.now() - startedAt < 1000)
})

test('--inspect proposes neither a blank nor a repeated heading for a missing column', async (context) => {
  const folder = await makeFolder(context)
  // The cells of the last two columns look like titles.
  const rows = 'A-1;1;Madrid;2004-05-18;Plan parcial del sector 5 de Madrid;Plan parcial del sector 5 de Madrid\n'
  for (const headings of ['code;id;municipality;checkin_date;;', 'code;id;municipality;checkin_date;a;a']) {
    const source = await folder.write('export.csv', `${headings}\n${rows}`)
    const { stdout } = await runCommand(['import', '--inspect', source])
    assert.match(stdout, /missing: title/, headings)
  }
})

test('--inspect proposes no telephone number as the date, and no date as the code', async (context) => {
  const folder = await makeFolder(context)
  const rows = [
    '912345678;2004-05-18;2004-06-01;A-1;1;Plan parcial;Ibi',
    '34600123456;2005-05-18;2005-06-01;A-2;2;Plan especial;Ibi',
    '600123457;18-05-2006;01-06-2006;A-3;3;Estudio de detalle;Ibi',
  ]
  const source = await folder.write(
    'export.csv',
    `Contacto;Alta;Baja;Clave;id;title;municipality\n${rows.join('\n')}\n`,
  )
  const { stdout } = await runCommand(['import', '--inspect', source])
  assert.match(stdout, /"code": "Clave"/)
  assert.match(stdout, /"checkin_date": "Alta"/)
})

test('a very long heading is cut in what the import prints', async (context) => {
  const folder = await makeFolder(context)
  const long = 'x'.repeat(100_000)
  // The first source is refused, because it lacks columns; the second is published without the column of the long
  // heading.
  for (const headings of [`code;title;${long}`, `code;id;title;municipality;checkin_date;links;${long}`]) {
    const source = await folder.write('export.csv', `${headings}\n03082-1;1;Plan;Madrid;2004-05-18;;y\n`)
    const { stdout, stderr } = await runCommand(['import', source, '--database', `sqlite:${folder.path}/registry.db`])
    assert.ok((stdout + stderr).includes(`${long.slice(0, 200)}…`), stdout.slice(0, 1000))
    assert.ok((stdout + stderr).length < 5000)
  }
})

test('an archive may have notes besides the file of records, which may be a .txt', async (context) => {
  const folder = await makeFolder(context)
  const csv = 'code,id,title,municipality,checkin_date\nA-1,1,Plan,Ibi,2004-01-01\n'
  const withNotes = toZip({ 'LEEME.txt': 'Datos a 31/12', 'licencia.pdf': '%PDF', 'registros.csv': csv })
  assert.equal((await readSource(await folder.write('export.zip', withNotes))).outcomes.length, 1)
  const withTextFile = toZip({ 'registros.txt': csv })
  assert.equal((await readSource(await folder.write('export.zip', withTextFile))).outcomes.length, 1)
})

test('--inspect proposes names of files as the document, also without their ending if the heading says so', async (context) => {
  const folder = await makeFolder(context)
  const inspect = async (heading: string, ...values: string[]): Promise<string> => {
    const rows = values.map((value, index) => `A-${index};1;Plan de Ibi;Ibi;2004-01-01;${value}`)
    const source = await folder.write(
      'export.csv',
      [`code;id;title;municipality;checkin_date;${heading}`, ...rows].join('\n'),
    )
    return (await runCommand(['import', '--inspect', source])).stdout
  }
  assert.match(await inspect('DOCUMENTACIÓN', '186-2008', ''), /"document": "DOCUMENTACIÓN"/)
  assert.match(await inspect('Ruta', '2008\\memoria.pdf'), /"document": "Ruta"/)
  assert.doesNotMatch(await inspect('Documentación', 'completa'), /"document"/)
  assert.doesNotMatch(await inspect('Boletín', '186-2008'), /"document"/)
})

test('--inspect says whether it has saved the mapping, in both languages', async (context) => {
  const folder = await makeFolder(context)
  const source = await folder.write('r.csv', 'code,title,municipality,checkin_date\nA-1,Plan,Ibi,2004-01-01\n')
  const path = `${folder.path}/columnas.json`
  const inspect = async (...flags: string[]): Promise<string> =>
    (await runCommand(['import', source, '--inspect', ...flags])).stdout
  assert.match(await inspect(), /^proposed mapping \(--write-mapping FILE writes it\):$/m)
  assert.ok((await inspect('--write-mapping', path)).includes(`\nproposed mapping, saved in ${path}:\n`))
  assert.equal(JSON.parse(await readFile(path, 'utf8')).code, 'code')
  // Of two sources, here the same file twice, only the mapping of the first is saved.
  const inSpanish = await inspect(source, '--write-mapping', path, '--lang', 'es')
  assert.ok(inSpanish.includes(`\ncorrespondencia propuesta, guardada en ${path}:\n`), inSpanish)
  assert.equal(inSpanish.match(/guardada en/g)?.length, 1)
})

test('--lang es reports an unclosed quote in Spanish; a row of totals gets no advice about its code', async (context) => {
  const folder = await makeFolder(context)
  const rows = ['A-1;1;Plan;Ibi;2004-01-01', 'A-2;2;"Plan;Ibi;2004-01-01', 'A-3;3;Plan;Ibi;2004-01-01', 'TOTAL;;3;;']
  const source = await folder.write('export.csv', `code;id;title;municipality;checkin_date\r\n${rows.join('\r\n')}\r\n`)
  // The row with the unclosed quote, on line 3, is rejected, and the row of totals is left out.
  const flags = ['--max-rejects', '1', '--lang', 'es', '--database', `sqlite:${folder.path}/registry.db`]
  const { status, stdout } = await runCommand(['import', source, ...flags])
  assert.equal(status, 0, stdout)
  assert.match(stdout, /línea 3: se esperaba que se cerrara cada comilla/)
  assert.match(stdout, /sin importar 1 fila de totales o de encabezados repetidos: 5/)
  assert.doesNotMatch(stdout, /--code-pattern/)
})

test('a few mistyped codes among many get no advice to accept them', async (context) => {
  const folder = await makeFolder(context)
  /** Imports this many rows. The first `mistypedCount` codes have a dash instead of the hyphen. */
  const importRows = async (count: number, mistypedCount: number): Promise<string> => {
    const toRow = (_: unknown, index: number): string =>
      `03082${index < mistypedCount ? '–' : '-'}${index};${index};Plan;Ibi;2004-01-01`
    const rows = Array.from({ length: count }, toRow).join('\n')
    const source = await folder.write('export.csv', `code;id;title;municipality;checkin_date\n${rows}\n`)
    const { stdout } = await runCommand(['import', source, '--database', `sqlite:${folder.path}/registry.db`])
    return stdout
  }
  // The report mentions the codes only if at least 5 % are mistyped. Ten of 199 are a little more than that.
  assert.doesNotMatch(await importRows(199, 1), /codes such as/)
  assert.match(await importRows(199, 10), /codes such as "03082–0" .*, but most codes are; correct their rows\n/)
  // For the pattern, only the first 2,000 codes are kept, and 1,100 of these are mistyped. The share is that of all
  // 4,000 codes, so it is less than half.
  assert.doesNotMatch(await importRows(4000, 1100), /--code-pattern/)
  // If at least half have the dash, they are not mistyped: the codes of this source have another form.
  assert.match(await importRows(199, 100), /accept them with --code-pattern/)
  // `--inspect` has the same limits: 4 of 64 codes are more than 5 % and less than half. `importRows` writes the file.
  await importRows(64, 4)
  const { stdout } = await runCommand(['import', '--inspect', `${folder.path}/export.csv`])
  assert.match(stdout, /but most codes are; correct their rows\n/)
  assert.doesNotMatch(stdout, /--code-pattern/)
})

test('a small source with codes of another form gets the advice even with a large one', async (context) => {
  const folder = await makeFolder(context)
  // One code of the 200 has another form: less than 5 % of all codes, but every code of small.csv.
  const rows = Array.from({ length: 199 }, (_, index) => `03082-${index};${index};Plan;Ibi;2004-01-01\n`).join('')
  const headings = 'code;id;title;municipality;checkin_date\n'
  const sources = [
    await folder.write('large.csv', headings + rows),
    await folder.write('small.csv', `${headings}PE.08.342;342;Plan;Ibi;2004-01-01\n`),
  ]
  const { stdout } = await runCommand(['import', ...sources, '--database', `sqlite:${folder.path}/registry.db`])
  assert.match(stdout, /codes such as "PE\.08\.342" .* accept them with --code-pattern '\[\.0-9A-Z\\-\]\+'/)
})

test('--inspect says that it read the first rows only if the source has more', async (context) => {
  const folder = await makeFolder(context)
  const inspectRows = async (count: number): Promise<string> => {
    const rows = Array.from({ length: count }, (_, index) => `A-${index};${index};Plan;Ibi;2004-01-01\n`).join('')
    const source = await folder.write('export.csv', `code;id;title;municipality;checkin_date\n${rows}`)
    return (await runCommand(['import', '--inspect', source])).stdout
  }
  assert.match(await inspectRows(2000), /^.*csv: .*, 2,000 rows$/m)
  assert.match(await inspectRows(2001), /^.*csv: .*, the first 2,000 rows$/m)
})

test('--inspect proposes one pattern for many codes of two forms', async (context) => {
  const folder = await makeFolder(context)
  const toRow = (code: string, index: number): string => `${code};${index};Plan;Ibi;2004-01-01`
  const codes = [
    ...Array.from({ length: 1200 }, (_, index) => `135/2025/${String(index).padStart(5, '0')}`),
    ...Array.from({ length: 800 }, (_, index) => `03082-${index}`),
    // The pattern is made from the first 2,000 rows, so this row does not change it.
    'sin código',
  ]
  const rows = codes.map(toRow).join('\n')
  const source = await folder.write('export.csv', `code;id;title;municipality;checkin_date\n${rows}\n`)
  const { stdout } = await runCommand(['import', '--inspect', source])
  const proposed = [...stdout.matchAll(/--code-pattern '([^']+)'/g)].map(([, pattern]) => pattern)
  // The pattern is printed twice: in the advice about the codes, and in the flags that would import the source.
  assert.deepEqual(proposed, ['[/0-9\\-]+', '[/0-9\\-]+'])
})

test('the proposed pattern is exact for codes of one form, and a set of characters for several forms', () => {
  const propose = (codes: readonly string[]): string | undefined => {
    const forms = new CodeForms()
    for (const code of codes) forms.add(code, false)
    return proposeCodePattern([forms])
  }
  assert.equal(propose(['135/2025/00019', '712/2024/00001']), '\\d+/\\d{4}/\\d{5}')
  assert.equal(propose(['135/2025/00019', 'PE.08.342', '03082-11']), '[./0-9A-Z\\-]+')
  // A text with spaces is probably no code, so no pattern is proposed.
  assert.equal(propose(['PE.08.342', 'Plan parcial 3']), undefined)
})

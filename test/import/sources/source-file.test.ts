// How a source is opened: files that cannot be read, standard input, and files that change while they are read.
// `cells` of a source are its rows by heading.
import assert from 'node:assert/strict'
import { mkdir, readdir, truncate, unlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { openSource } from '../../../src/import/sources/open.ts'
import { makeFolder } from '../folder.ts'
import { emptyInput, readContent, readSource } from '../read-source.ts'
import { toSheetRow, toWorkbook } from '../workbook.ts'

const heading = 'code,id,title,municipality,checkin_date'
const row = '03082-1,1,Plan,Jávea,2004-05-18'

test('a source that does not exist or is a folder is wrong usage', async (t) => {
  const folder = await makeFolder(t)
  const missing = join(folder.path, 'missing.csv')
  await assert.rejects(readSource(missing), {
    name: 'UsageFault',
    message: `Cannot read ${missing}: there is no such file`,
  })
  const directory = join(folder.path, 'records.csv')
  await mkdir(directory)
  await assert.rejects(readSource(directory), {
    name: 'UsageFault',
    message: `Cannot read ${directory}: it is a folder; choose a file in it`,
  })
})

test('an empty file is rejected', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.csv', '')
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: `Cannot read ${file}: the file is empty; export it again`,
  })
})

test('the message for a missing column names the nearest heading', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.csv', `${heading.replace('checkin_date', 'Chekin Date')}\n${row}\n`)
  const fix = 'rename it, or map it with --mapping (--inspect shows what was understood)'
  await assert.rejects(readSource(file), {
    name: 'SourceFault',
    message: `Cannot read ${file}: column checkin_date is missing; the nearest heading is "Chekin Date": ${fix}`,
  })
})

test('the message for a compressed file or a PDF says what to do', async (t) => {
  // The first bytes of a gzip file.
  await assert.rejects(
    readContent(t, 'a.csv.gz', Buffer.from('1f8b0800', 'hex')),
    /it is compressed; decompress it first/,
  )
  await assert.rejects(readContent(t, 'a.pdf', '%PDF-1.7'), /it is a PDF; import records from CSV/)
})

test('standard input is read as CSV, JSON or a workbook', async () => {
  const workbook = toWorkbook({ rows: toSheetRow(1, heading.split(',')) + toSheetRow(2, row.split(',')) })
  /** The row as an object, whose keys are the headings. */
  const record = Object.fromEntries(heading.split(',').map((name, index) => [name, row.split(',')[index]]))
  const [csv, jsonArray, jsonObject] = [`${heading}\n${row}\n`, JSON.stringify([record]), JSON.stringify(record)]
  for (const content of [csv, jsonArray, jsonObject, workbook]) {
    const { cells } = await readSource('-', { standardInput: inChunks(Buffer.from(content)) })
    assert.deepEqual(cells, [record])
  }
})

test('the copy of standard input is unlinked before it is written, so that Ctrl-C leaves none behind', async (t) => {
  const { path } = await makeFolder(t)
  const before = process.env.TMPDIR
  t.after(() => {
    if (before === undefined) delete process.env.TMPDIR
    else process.env.TMPDIR = before
  })
  process.env.TMPDIR = path
  /** The files in the temporary folder each time the import asks for input. An unlinked file is not among them. */
  const listings: string[][] = []
  async function* standardInput(): AsyncGenerator<Uint8Array, void, undefined> {
    for (const line of [heading, row]) {
      listings.push(await readdir(path))
      yield Buffer.from(`${line}\n`)
    }
  }
  const { cells } = await readSource('-', { standardInput: standardInput() })
  assert.equal(cells[0]?.title, 'Plan')
  assert.deepEqual(listings, [[], []])
})

test('a file that is unlinked while it is read is read completely', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.csv', `${heading}\n${`${row}\n`.repeat(50_000)}`)
  const source = await openSource(file, { mapping: new Map(), standardInput: emptyInput() })
  t.after(() => source.close())
  let rows = 0
  for await (const batch of source.rows()) {
    if (rows === 0) await unlink(file)
    rows += batch.length
  }
  assert.equal(rows, 50_000)
})

test('a file that changes while it is read is rejected', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.csv', `${heading}\n${`${row}\n`.repeat(50_000)}`)
  const source = await openSource(file, { mapping: new Map(), standardInput: emptyInput() })
  t.after(() => source.close())
  const read = async (): Promise<void> => {
    let isFirst = true
    for await (const _batch of source.rows()) {
      // The file has 1.6 megabytes; the first batch ends long before byte 600,000.
      if (isFirst) await truncate(file, 600_000)
      isFirst = false
    }
  }
  await assert.rejects(read, {
    name: 'SourceFault',
    message: `Cannot read ${file}: it changed while it was being read; import it again`,
  })
})

/** Yields the bytes in small chunks, which split characters and lines. */
async function* inChunks(bytes: Buffer): AsyncGenerator<Uint8Array, void, undefined> {
  const chunkBytes = 7
  for (let start = 0; start < bytes.length; start += chunkBytes) yield bytes.subarray(start, start + chunkBytes)
}

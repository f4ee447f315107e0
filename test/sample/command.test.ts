import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import Papa from 'papaparse'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { parseInvocation, UsageFault } from '../../src/cli/config.ts'
import { runSample, writeSample } from '../../src/sample/command.ts'
import { lineCharactersMax, toLines, toPdf } from '../../src/sample/pdf.ts'
import { sampleRecords } from '../../src/sample/records.ts'

const options = { records: 400, documents: 5, seed: 'test' }

test('the same seed writes the same bytes', async (t) => {
  const directories = [await temporary(t), await temporary(t)]
  for (const directory of directories) await writeSample(directory, options)
  const [first, second] = await Promise.all(directories.map(hashFiles))
  assert.equal(first?.length, 6)
  assert.deepEqual(first, second)
})

test('the bytes are the same on every machine', async (t) => {
  const directory = await temporary(t)
  await writeSample(directory, options)
  const all = createHash('sha256')
    .update((await hashFiles(directory)).join('\n'))
    .digest('hex')
  assert.equal(all, '99a06e4b19a0986e49daceef19fea32829b76865ac8cf71fa03af6930a41904e')
})

test('records.csv reads back as the records that were made', async (t) => {
  const directory = await temporary(t)
  await writeSample(directory, options)
  const rows = Papa.parse(await readFile(join(directory, 'records.csv'), 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data
  const made = await Array.fromAsync(sampleRecords({ ...options, order: 'entry' }))
  assert.deepEqual(
    rows,
    made.map(({ record, content, documents }) => ({
      code: record.code,
      id: record.id,
      registration_number: record.registrationNumber,
      title: record.title,
      area: record.area,
      checkin_date: record.checkinDate,
      inscription_date: record.inscriptionDate ?? '',
      municipality: record.municipality,
      links: record.links,
      agreement_link: record.agreementLink ?? '',
      content,
      document: documents.map(({ name }) => name).join(';'),
    })),
  )
})

test('the text of every document can be read back, accents and all', async (t) => {
  const directory = await temporary(t)
  await writeSample(directory, options)
  for await (const { documents } of sampleRecords(options)) {
    for (const { name, pages } of documents) {
      const file = new Uint8Array(await readFile(join(directory, 'documents', name)))
      const text = await readPages(file)
      assert.equal(text.length, pages.length)
      assert.deepEqual(
        text.map((page) => page.trim().split(/\s+/)),
        pages.map((lines) => lines.join(' ').split(/\s+/)),
      )
      assert.match(text.join(' '), /Registro ficticio/)
    }
  }
})

test('a PDF keeps parentheses, backslashes, typographic quotes and the euro sign', async () => {
  const line = 'Precio (sin IVA) \\ “1.000 €” – año 1999 · nº 5'
  const text = await readPages(new Uint8Array(toPdf('(x)', [[line]])))
  assert.equal(text[0]?.trim(), line)
})

test('lines break between words and never run off the page', () => {
  const text = 'ordenación del suelo '.repeat(40).trim()
  const lines = toLines(text)
  assert.equal(lines.join(' '), text)
  assert.ok(lines.every((line) => line.length <= lineCharactersMax))
})

test('sample refuses a count that is none, a missing directory and a directory that cannot be', async (t) => {
  const directory = await temporary(t)
  await writeFile(join(directory, 'file'), '')
  const refused: [string[], RegExp][] = [
    [[], /name one directory/],
    [['a', 'b'], /name one directory/],
    [[directory, '--records', 'many'], /^Cannot read --records: expected a whole number from 0 to \d+, got "many"$/],
    [[directory, '--documents', '-1'], /^Cannot read --documents/],
    [[directory, '--records', '0'], /a sample of 0 records has none/],
    [[join(directory, 'file')], /^Cannot write the sample to /],
  ]
  for (const [args, message] of refused) {
    await assert.rejects(async () => runSample(parseInvocation('sample', args)), { name: UsageFault.name, message })
  }
})

/** The text of each page as the reader of documents would see it. */
async function readPages(file: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: file, verbosity: 0 })
  const pdf = await task.promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''))
  }
  await task.destroy()
  return pages
}

async function hashFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(
      async (file) =>
        `${file.slice(directory.length)} ${createHash('sha256')
          .update(await readFile(file))
          .digest('hex')}`,
    ),
  )
}

async function temporary(t: { after(fn: () => Promise<void>): void }): Promise<string> {
  const directory = await mkdtemp(join(tmpdir(), 'sample-'))
  t.after(() => rm(directory, { recursive: true }))
  return directory
}

// Tests of the command `planning-registry sample`, which writes a fictional registry, and of the PDF files it writes.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import Papa from 'papaparse'
import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'
import { parseInvocation, UsageFault } from '../../src/cli/config.ts'
import { runSample, writeSample } from '../../src/sample/command.ts'
import { lineCharactersMax, toLines, toPdf } from '../../src/sample/pdf.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { runCommand } from '../command.ts'

const options = { records: 400, documents: 5, seed: 'test' }

test('the same seed writes the same bytes', async (t) => {
  const directories = [await makeTemporaryFolder(t), await makeTemporaryFolder(t)]
  for (const directory of directories) await writeSample(directory, options)
  const [first, second] = await Promise.all(directories.map(hashFiles))
  // The documents and records.csv.
  const fileCount = options.documents + 1
  assert.equal(first?.length, fileCount)
  assert.deepEqual(first, second)
})

test('the bytes are the same on every machine', async (t) => {
  const directory = await makeTemporaryFolder(t)
  await writeSample(directory, options)
  const all = createHash('sha256')
    .update((await hashFiles(directory)).join('\n'))
    .digest('hex')
  // This hash has to be replaced when the generator is changed and writes something else for this seed.
  assert.equal(all, '99a06e4b19a0986e49daceef19fea32829b76865ac8cf71fa03af6930a41904e')
})

test('records.csv contains the generated records', async (t) => {
  const directory = await makeTemporaryFolder(t)
  await writeSample(directory, options)
  const rows = Papa.parse(await readFile(join(directory, 'records.csv'), 'utf8'), {
    header: true,
    skipEmptyLines: true,
  }).data
  // The file lists the oldest record first, and rows are compared in order.
  const generated = await Array.fromAsync(sampleRecords({ ...options, order: 'entry' }))
  assert.deepEqual(
    rows,
    generated.map(({ record, content, documents }) => ({
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

test('the text of every PDF can be extracted, with accents', async (t) => {
  const directory = await makeTemporaryFolder(t)
  await writeSample(directory, options)
  // Each document is found by its name, so the order of the records does not matter here.
  for await (const { documents } of sampleRecords(options)) {
    for (const { name, pages } of documents) {
      const bytes = new Uint8Array(await readFile(join(directory, 'documents', name)))
      const pageTexts = await readPages(bytes)
      assert.equal(pageTexts.length, pages.length)
      // The words are compared, not the line breaks.
      assert.deepEqual(
        pageTexts.map((page) => page.trim().split(/\s+/)),
        pages.map((lines) => lines.join(' ').split(/\s+/)),
      )
      assert.match(pageTexts.join(' '), /Registro ficticio/)
    }
  }
})

test('a PDF keeps parentheses, backslashes and Latin-1, and has a question mark for any other character', async () => {
  const line = 'Precio (sin IVA) \\ «1.000 €» año 1999 · nº 5'
  const title = 'Plan (parcial)'
  const [pageText] = await readPages(new Uint8Array(toPdf(title, [[line]])))
  assert.equal(pageText?.trim(), line.replace('€', '?'))
})

test('lines wrap at word boundaries and fit on the page', () => {
  const text = 'ordenación del suelo '.repeat(40).trim()
  const lines = toLines(text)
  assert.equal(lines.join(' '), text)
  assert.ok(lines.every((line) => line.length <= lineCharactersMax))
})

test('sample rejects an invalid count, an unusable directory, and more or fewer than one directory', async (t) => {
  const directory = await makeTemporaryFolder(t)
  await writeFile(join(directory, 'file'), '')
  const invalid: [args: string[], message: RegExp][] = [
    [[], /expected one directory/],
    [['a', 'b'], /expected one directory/],
    [[directory, '--records', 'many'], /^Cannot read --records: expected a whole number from 0 to \d+, got "many"$/],
    [[directory, '--documents', '-1'], /^Cannot read --documents/],
    // Without the flag `--documents` the sample has 40 documents.
    [[directory, '--records', '0'], /^Cannot write 40 documents: a record has at most 100; raise --records/],
    [[directory, '--records', '1', '--documents', '101'], /^Cannot write 101 documents: a record has at most 100;/],
    // A path that is a file.
    [[join(directory, 'file')], /^Cannot write the sample to /],
  ]
  for (const [args, message] of invalid) {
    await assert.rejects(async () => runSample(parseInvocation('sample', args)), { name: UsageFault.name, message })
  }
})

test('sample says in Spanish why the system cannot write the files', async (t) => {
  const file = join(await makeTemporaryFolder(t), 'file')
  await writeFile(file, '')
  const { status, stderr } = await runCommand(['sample', join(file, 'x'), '--lang', 'es'])
  assert.equal(status, 2)
  assert.match(
    stderr,
    /^planning-registry: No se puede escribir el ejemplo en \S+: una parte de la ruta no es una carpeta /,
  )
})

test('sample says what it has written, with one record and one document in the singular', async (t) => {
  const directory = await makeTemporaryFolder(t)
  const args = ['sample', directory, '--records', '1', '--documents', '1']
  const { stdout } = await runCommand([...args, '--lang', 'es'])
  const paths = [join(directory, 'records.csv'), join(directory, 'documents')]
  assert.equal(stdout, `Se ha creado ${paths[0]}: 1 expediente ficticio, 1 documento en ${paths[1]}\n`)
})

test('sample replaces a sample, but no other records.csv', async (t) => {
  const directory = await makeTemporaryFolder(t)
  const path = join(directory, 'records.csv')
  const invocation = parseInvocation('sample', [directory, '--records', '2', '--documents', '0'])
  await runSample(invocation)
  const sample = await readFile(path, 'utf8')
  // A run that was killed early leaves an empty file.
  for (const replaceable of [sample, '']) {
    await writeFile(path, replaceable)
    await runSample(invocation)
    assert.equal(await readFile(path, 'utf8'), sample)
  }
  const [columnLine = ''] = sample.split('\n')
  // Another table, a table with one column more than a sample, and a file that ends within the line of columns.
  for (const other of ['code,title\n1-1,Plan\n', `${columnLine},more\n`, columnLine.slice(0, 10)]) {
    await writeFile(path, other)
    await assert.rejects(runSample(invocation), {
      name: UsageFault.name,
      message: /records\.csv exists and is not a sample/,
    })
    assert.equal(await readFile(path, 'utf8'), other)
  }
})

/** Extracts the text of each page of a PDF. */
async function readPages(bytes: Uint8Array): Promise<string[]> {
  const task = getDocument({ data: bytes, verbosity: 0 })
  const pdf = await task.promise
  const pages: string[] = []
  for (let number = 1; number <= pdf.numPages; number++) {
    const { items } = await (await pdf.getPage(number)).getTextContent()
    pages.push(items.map((item) => ('str' in item ? `${item.str}${item.hasEOL ? '\n' : ''}` : '')).join(''))
  }
  await task.destroy()
  return pages
}

/** Returns the path and the hash of every file, sorted by path. */
async function hashFiles(directory: string): Promise<string[]> {
  const entries = await readdir(directory, { recursive: true, withFileTypes: true })
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  return Promise.all(
    files.sort().map(async (file) => {
      const hash = createHash('sha256').update(await readFile(file))
      return `${file.slice(directory.length)} ${hash.digest('hex')}`
    }),
  )
}

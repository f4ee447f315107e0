// The command `planning-registry sample DIR`. It writes fictional records to `records.csv` and their documents to
// `documents/*.pdf`, from which the command `import` makes a registry.
import { existsSync } from 'node:fs'
import { mkdir, open, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { sampleSettings } from '../cli/commands.ts'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { toWireRecord, wireFields } from '../domain/record.ts'
import { t, toQuantity } from '../language.ts'
import { systemReasonOf } from '../system-reason.ts'
import { toPdf } from './pdf.ts'
import { type SampleOptions, type SampleRecord, sampleRecords } from './records.ts'

/** The most documents of one record. They are in memory together. */
const recordDocumentsMax = 100

/**
 * Returns the exit status. Throws `UsageFault` if the arguments are wrong, if the files cannot be written, or if
 * `records.csv` exists and is neither a sample nor empty.
 */
export async function runSample(invocation: Invocation): Promise<number> {
  const [directory, ...rest] = invocation.positionals
  if (directory === undefined || rest.length > 0) {
    throw new UsageFault(t`Cannot write a sample: expected one directory, planning-registry sample DIR`)
  }
  const options = sampleSettings.read(invocation)
  if (options.documents > options.records * recordDocumentsMax) {
    throw new UsageFault(
      t`Cannot write ${options.documents} documents: a record has at most ${recordDocumentsMax}; raise --records, or lower --documents`,
    )
  }
  try {
    await requireNoOtherFile(join(directory, 'records.csv'))
    await writeSample(directory, options)
  } catch (error) {
    // Errors of the file system have a code. A `UsageFault` has none.
    if (!(error instanceof Error) || !('code' in error)) throw error
    throw new UsageFault(t`Cannot write the sample to ${directory}: ${systemReasonOf(error)}`)
  }
  const records = toQuantity(options.records, 'fictional record')
  const documents = toQuantity(options.documents, 'document')
  const written = t`Wrote ${join(directory, 'records.csv')}: ${records}, ${documents} in ${join(directory, 'documents')}`
  process.stdout.write(`${written}\n`)
  return 0
}

/** Throws `UsageFault` if the file exists, unless it is empty or begins like a sample, which may be overwritten. */
async function requireNoOtherFile(path: string): Promise<void> {
  if (!existsSync(path)) return
  const file = await open(path)
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(columnLine.length), 0, columnLine.length, 0)
    const beginning = buffer.toString('latin1', 0, bytesRead)
    if (beginning === '' || beginning === columnLine) return
  } finally {
    await file.close()
  }
  throw new UsageFault(t`Cannot write a sample: ${path} exists and is not a sample; choose another directory`)
}

/** Writes the same bytes for the same options on every machine. */
export async function writeSample(directory: string, options: SampleOptions): Promise<void> {
  const documentsFolder = join(directory, 'documents')
  await mkdir(documentsFolder, { recursive: true })
  const file = await open(join(directory, 'records.csv'), 'w')
  try {
    // Rows are written in chunks, because a write for each row would be slow.
    let chunk = columnLine
    // The oldest record comes first, as in the file of an office that adds its records at the end.
    for await (const sample of sampleRecords({ ...options, order: 'entry' })) {
      for (const document of sample.documents) {
        await writeFile(join(documentsFolder, document.name), toPdf(document.title, document.pages))
      }
      chunk += toRow(sample)
      if (chunk.length > chunkCharacters) {
        await file.writeFile(chunk)
        chunk = ''
      }
    }
    await file.writeFile(chunk)
  } finally {
    await file.close()
  }
}

/** A chunk is written once it is longer than this. */
const chunkCharacters = 1_000_000

/** The columns of records.csv. `document` has file names separated by semicolons. */
const columns = ['code', ...wireFields, 'content', 'document'] as const

/** The first line of records.csv, in ASCII. */
const columnLine = `${columns.join(',')}\n`

function toRow({ record, content, documents }: SampleRecord): string {
  const wire = toWireRecord(record)
  const names = documents.map((document) => document.name).join(';')
  const fields = [record.code, ...wireFields.map((field) => wire[field] ?? ''), content, names]
  return `${fields.map(toField).join(',')}\n`
}

/** Quotes a CSV field by RFC 4180. No field of the sample contains a line break. */
function toField(text: string): string {
  return text.includes(',') || text.includes('"') ? `"${text.replaceAll('"', '""')}"` : text
}

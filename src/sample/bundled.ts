// Builds the bundled sample, the registry that `npm start` serves in a fresh checkout: generated records of a fixed
// seed, marked as fictional.
import { hash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type RecordDocument, toPublishedPath } from '../domain/document.ts'
import { toStoredRecord } from '../domain/record.ts'
import type { Publication } from '../registry/contract.ts'
import { openTarget, toFilePath, toPublishedFolder } from '../registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../registry/publish.ts'
import { toPdf } from './pdf.ts'
import { type SampleDocument, sampleRecords } from './records.ts'

/** The options of `sampleRecords` for the bundled sample: how many records and documents it generates, and the seed. */
export const bundledSample = { records: 3000, documents: 40, seed: 'sample' } as const

type OnProgress = (stage: string, done: number, total: number) => void

/**
 * Generates the records and publishes them as a new registry at the address `database`, with their documents.
 * `onProgress` gets how many steps of a stage are done.
 */
export async function buildBundledSample(
  database: string,
  dataDir: string,
  onProgress: OnProgress,
): Promise<Publication> {
  const target = await openTarget(database)
  const folder = toPublishedFolder(dataDir, toFilePath(database))
  mkdirSync(folder, { recursive: true })
  try {
    return await publishRegistry(target, () => readEntries(folder, onProgress), { fictional: true, onProgress })
  } finally {
    await target.release()
  }
}

async function* readEntries(folder: string, onProgress: OnProgress): AsyncGenerator<RegistryEntry, void, undefined> {
  let done = 0
  for await (const { record, content, documents } of sampleRecords(bundledSample)) {
    const published = documents.map((document) => publishDocument(document, folder))
    yield { record: toStoredRecord(record), content: { text: content, documents: published } }
    done += 1
    onProgress('building the sample registry', done, bundledSample.records)
  }
}

/** Writes the PDF where an import with `--publish-documents` keeps it. All its pages count as read. */
function publishDocument({ name, title, pages }: SampleDocument, folder: string): RecordDocument {
  const pdf = toPdf(title, pages)
  const sha256 = hash('sha256', pdf)
  writeFileSync(join(folder, sha256), pdf)
  return {
    href: toPublishedPath(sha256),
    sha256,
    published: { name, bytes: pdf.length, isPdf: true },
    pages: pages.length,
    read: pages.length,
    recognised: 0,
    unread: 0,
    reason: null,
    texts: pages.map((lines, index) => ({ page: index + 1, text: lines.join('\n'), recognised: false })),
  }
}

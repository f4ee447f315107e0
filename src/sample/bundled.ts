// Builds the bundled sample, the registry that `npm start` serves in a fresh checkout: generated records of a fixed
// seed, marked as fictional.
import { createHash } from 'node:crypto'
import type { RecordDocument } from '../domain/document.ts'
import { toStoredRecord } from '../domain/record.ts'
import type { Publication } from '../registry/contract.ts'
import { openTarget } from '../registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../registry/publish.ts'
import { toDocumentPdf } from './pdf.ts'
import { type SampleDocument, sampleRecords } from './records.ts'

/** The options of `sampleRecords` for the bundled sample: how many records and documents it generates, and the seed. */
export const bundledSample = { records: 3000, documents: 40, seed: 'sample' } as const

type OnProgress = (stage: string, done: number, total: number) => void

/**
 * Generates the records and publishes them as a new registry at the address `database`. `onProgress` gets how many
 * steps of a stage are done.
 */
export async function buildBundledSample(database: string, onProgress: OnProgress): Promise<Publication> {
  const target = await openTarget(database)
  try {
    return await publishRegistry(target, () => readEntries(onProgress), { fictional: true, onProgress })
  } finally {
    await target.release()
  }
}

async function* readEntries(onProgress: OnProgress): AsyncGenerator<RegistryEntry, void, undefined> {
  let done = 0
  for await (const { record, content, documents } of sampleRecords(bundledSample)) {
    // A record has one link, which leads to its first document. Its other documents have no address.
    const recordDocuments = documents.map((document, index) =>
      toRecordDocument(document, index === 0 ? record.links : null),
    )
    yield { record: toStoredRecord(record), content: { text: content, documents: recordDocuments } }
    done += 1
    onProgress('building the sample registry', done, bundledSample.records)
  }
}

/** `href` is the address of the document, or null if it has none. All its pages count as read. */
function toRecordDocument({ title, pages }: SampleDocument, href: string | null): RecordDocument {
  const pageTexts = pages.map((lines) => lines.join('\n'))
  return {
    href,
    // The PDF is not stored. The service creates the same bytes again when the document is requested.
    sha256: createHash('sha256').update(toDocumentPdf(title, pageTexts)).digest('hex'),
    pages: pages.length,
    read: pages.length,
    recognised: 0,
    unread: 0,
    reason: null,
    texts: pageTexts.map((text, index) => ({ page: index + 1, text, recognised: false })),
  }
}

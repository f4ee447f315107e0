// Builds the bundled sample, the registry that `npm start` serves in a fresh checkout: generated records of a fixed
// seed, marked as fictional.
import { toUnpagedDocument } from '../domain/document.ts'
import { toStoredRecord } from '../domain/record.ts'
import type { Publication } from '../snapshot/contract.ts'
import { createSnapshot } from '../snapshot/open.ts'
import { sampleRecords } from './records.ts'

export const bundledSample = { records: 3000, documents: 40, seed: 'sample' } as const

export async function buildBundledSample(
  database: string,
  onProgress: (stage: string, done: number, total: number) => void,
): Promise<Publication> {
  const writer = await createSnapshot(database)
  try {
    let done = 0
    for await (const { record, content, documents } of sampleRecords(bundledSample)) {
      const texts = documents.flatMap((document) => document.pages.map((lines) => lines.join('\n')))
      await writer.add(toStoredRecord(record), { text: content, documents: texts.map(toUnpagedDocument) })
      done += 1
      onProgress('building the sample registry', done, bundledSample.records)
    }
    return await writer.publish({ fictional: true, dryRun: false, onProgress })
  } catch (error) {
    await writer.discard()
    throw error
  }
}

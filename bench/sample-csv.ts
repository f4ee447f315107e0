// Writes fictional records to a CSV file for imports. The seed is fixed, so that every run has the same records.
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import Papa from 'papaparse'
import { type SampleRecord, sampleRecords } from '../src/sample/records.ts'

/** Seed of the random records. The other servers that are compared get the same records (peer-records.ts). */
export const seed = 'bench'

/**
 * For each record, a number of words is drawn from this range. The text of the record is whole sentences with at least
 * that many words.
 */
export type WordRange = readonly [min: number, max: number]

/** Writes this many records to the file `path`. Calls `onRecord` with each record that it writes. */
export async function writeCsv(
  path: string,
  records: number,
  contentWordRange: WordRange,
  onRecord: (record: SampleRecord) => void = () => {},
): Promise<void> {
  const file = createWriteStream(path)
  const columns = ['code', 'id', 'title', 'municipality', 'checkin_date', 'area', 'inscription_date', 'links']
  file.write(`${[...columns, 'content'].join()}\n`)
  // Records are written in the order of entry, oldest first, so that the import has to sort them.
  const options = { records, documents: 0, seed, contentWords: contentWordRange, order: 'entry' } as const
  for await (const sample of sampleRecords(options)) {
    const { code, id, title, municipality, checkinDate, area, inscriptionDate, links } = sample.record
    const values = [code, id, title, municipality, checkinDate, area, inscriptionDate ?? '', links, sample.content]
    onRecord(sample)
    const isBufferFull = !file.write(`${Papa.unparse([values], { newline: '\n' })}\n`)
    if (isBufferFull) {
      await new Promise<void>((resolve) => file.once('drain', resolve))
    }
  }
  file.end()
  await finished(file)
}

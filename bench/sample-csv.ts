// Fictional records as a CSV file, the source of every import that is measured. One seed gives the same records in
// every run.
import { createWriteStream } from 'node:fs'
import { finished } from 'node:stream/promises'
import Papa from 'papaparse'
import { type SampleRecord, sampleRecords } from '../src/sample/records.ts'

export const seed = 'bench'

/** Words of text a record, from least to most. */
export type ContentWords = readonly [number, number]

export async function writeCsv(
  path: string,
  records: number,
  contentWords: ContentWords,
  onRecord: (record: SampleRecord) => void = () => {},
): Promise<void> {
  const file = createWriteStream(path)
  const columns = ['code', 'id', 'title', 'municipality', 'checkin_date', 'area', 'inscription_date', 'links']
  file.write(`${[...columns, 'content'].join()}\n`)
  // The order in which a clerk enters records, so that the import has to sort them.
  for await (const sample of sampleRecords({ records, documents: 0, seed, contentWords, order: 'entry' })) {
    const { code, id, title, municipality, checkinDate, area, inscriptionDate, links } = sample.record
    const values = [code, id, title, municipality, checkinDate, area, inscriptionDate ?? '', links, sample.content]
    onRecord(sample)
    if (!file.write(`${Papa.unparse([values], { newline: '\n' })}\n`)) {
      await new Promise<void>((resolve) => file.once('drain', resolve))
    }
  }
  file.end()
  await finished(file)
}

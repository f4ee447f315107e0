// The same record reads the same from every format.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContent } from '../read-source.ts'
import { toSheetRow, toWorkbook, toZip } from '../workbook.ts'

/** Cells by heading. The numbers lose digits if they become numbers of JavaScript. */
const cells = {
  code: '03082-1',
  id: '90071992547409931',
  registration_number: '1101.0',
  title: 'Sector "Ñ"; 1,5 ha',
  municipality: 'Jávea',
  checkin_date: '2004-05-18',
  area: '1e5',
  inscription_date: '',
}
const headings = Object.keys(cells)
const values = Object.values(cells)
/** `id`, `registration_number` and `area` are numbers here. */
const json = JSON.stringify(cells).replace(/"(90071992547409931|1101\.0|1e5)"/g, '$1')
const toCsv = (separator: string): string =>
  [headings, values].map((row) => row.map((cell) => `"${cell.replaceAll('"', '""')}"`).join(separator)).join('\r\n')

for (const [name, content] of [
  ['comma.csv', `${toCsv(',')}\r\n`],
  ['semicolon.csv', Buffer.from(`sep=;\n${toCsv(';')}\n`, 'latin1')],
  ['tab.tsv', Buffer.from(`\uFEFF${toCsv('\t')}\n`, 'utf16le')],
  ['array.json', `[${json}]`],
  ['pretty.json', JSON.stringify({ result: { records: ['RECORD'] } }, null, 2).replace('"RECORD"', json)],
  ['properties.geojson', `{"type": "FeatureCollection", "features": [{"properties": ${json}}]}`],
  ['lines.ndjson', `${json}\n`],
  ['book.xlsx', toWorkbook({ rows: toSheetRow(1, headings) + toSheetRow(2, values) })],
  ['zipped.zip', toZip({ 'records.csv': toCsv(',') })],
] as const) {
  test(`a record of ${name} is the same as in every format`, async (t) => {
    const read = await readContent(t, name, content)
    assert.deepEqual(read.outcomes, [
      {
        record: {
          code: '03082-1',
          id: '90071992547409931',
          registrationNumber: '1101.0',
          title: 'Sector "Ñ"; 1,5 ha',
          area: '1e5',
          checkinDate: '2004-05-18',
          inscriptionDate: null,
          municipality: 'Jávea',
          links: '',
          agreementLink: null,
        },
        content: '',
        documents: [],
      },
    ])
  })
}

// {base}/record.csv: the records of a search as CSV.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import Papa from 'papaparse'
import { startService, type TestService } from '../service.ts'
import { json, problemCode, sendRequest } from './send-request.ts'

suite('record.csv', () => {
  let service: TestService
  before(async () => {
    service = await startService([
      // So many that their export has more than 256 KB and is streamed. Their titles have characters that CSV quotes,
      // and markup, which stays as it is.
      ...Array.from({ length: 3000 }, (_, index) => ({ code: `A-${index}`, title: `Plan "${index}"; <b>&amp;` })),
      {
        code: 'B-1',
        title: '=HYPERLINK("https://evil.example")',
        area: '@SUM(A1)',
        municipality: 'Segovia',
        checkinDate: '2020-01-02',
        agreementLink: 'https://documents.example/a;b.pdf',
      },
    ])
  })
  after(() => service[Symbol.asyncDispose]())

  /** Each row as an object with the names of the columns. */
  async function readRows(path: string): Promise<Record<string, string>[]> {
    const text = (await sendRequest(service, path)).bytes.toString()
    assert.ok(text.startsWith('\uFEFF'))
    return Papa.parse<Record<string, string>>(text.slice(1), { header: true, delimiter: ';', skipEmptyLines: true })
      .data
  }

  test('has the records of the search in the same order, with their codes', async () => {
    for (const query of ['', '?search=plan', '?municipality=segovia']) {
      const rows = await readRows(`record.csv${query}`)
      const parameters = `${query}${query === '' ? '?' : '&'}include=cod_archivo,place`
      const { resultadoBusqueda } = json(await sendRequest(service, `record${parameters}`)) as {
        resultadoBusqueda: (Record<string, string | null> & { place?: Record<string, string> | null })[]
      }
      assert.equal(rows.length, resultadoBusqueda.length)
      for (const [index, row] of rows.entries()) {
        const record = resultadoBusqueda[index]
        for (const [column, cell] of Object.entries(row)) {
          // An apostrophe stands before a cell that starts like a formula.
          assert.equal(cell.replace(/^'/, ''), record?.[column] ?? record?.place?.[column] ?? '')
        }
      }
    }
  })

  test('is a file to download, with a byte order mark, semicolons and no cell that is a formula', async () => {
    const response = await sendRequest(service, 'record.csv?municipality=Segovia')
    assert.equal(response.headers['content-type'], 'text/csv; charset=utf-8; header=present')
    assert.equal(response.headers['content-disposition'], 'attachment; filename="expedientes.csv"')
    // From the code `B-1` a record gets the id `E-B-1`, the registration number `1` and the link `1.pdf` by default.
    assert.equal(
      response.bytes.toString(),
      '\uFEFFid;registration_number;title;area;checkin_date;inscription_date;municipality;links;agreement_link;' +
        'cod_archivo;ine_code;province\r\n' +
        `E-B-1;1;"'=HYPERLINK(""https://evil.example"")";'@SUM(A1);2020-01-02;;Segovia;` +
        'https://documents.example/1.pdf;"https://documents.example/a;b.pdf";B-1;40194;Segovia\r\n',
    )
  })

  test('gets the same problems as a search in record, but has no parameter limit', async () => {
    assert.equal(problemCode(await sendRequest(service, 'record.csv?municipality=Segova')), 'unknown-municipality')
    assert.equal(problemCode(await sendRequest(service, 'record.csv?limit=3')), 'unknown-parameter')
    assert.equal(problemCode(await sendRequest(service, 'record.csv?search=ornitorrinco')), 'no-match')
  })

  test('is answered with 304 while nothing has changed', async () => {
    const { etag = '' } = (await sendRequest(service, 'record.csv')).headers
    assert.equal((await sendRequest(service, 'record.csv', { headers: { 'if-none-match': etag } })).status, 304)
  })
})

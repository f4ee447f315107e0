// Tests of the CSV file that the page writes.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { WireRecord } from '../../src/client/client.ts'
import { toCsvHeader, toCsvLine } from '../../web/csv.ts'

suite('a record as CSV', () => {
  test('quotes cells that contain separators, quotes or line breaks', () => {
    const line = toCsvLine({ ...record, title: 'Plan "A"; uno', area: 'a\nb' }, ';')
    assert.equal(line, '1;7;"Plan ""A""; uno";"a\nb";2004-05-17;;Ávila;https://documents.example/7.pdf;\r\n')
  })

  test('has as many cells as its header', () => {
    assert.equal(toCsvLine(record, ',').split(',').length, toCsvHeader(',').split(',').length)
  })

  test('puts an apostrophe before cells that start like a formula', () => {
    for (const title of ['=1+1', '+1', '-1', '@SUM(A1)', '\t=1', '\r=1', '＝1', '＋1', '－1', '＠x']) {
      const [, , cell = ''] = toCsvLine({ ...record, title }, ';').split(';')
      assert.ok(cell.replace(/^"/, '').startsWith("'"), cell)
    }
    assert.ok(toCsvLine({ ...record, title: 'A=1' }, ';').includes(';A=1;'))
  })
})

const record: WireRecord = {
  id: '1',
  registration_number: '7',
  title: 'Plan',
  area: '',
  checkin_date: '2004-05-17',
  inscription_date: null,
  municipality: 'Ávila',
  links: 'https://documents.example/7.pdf',
}

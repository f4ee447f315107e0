// The files a reader takes home: cutting the streamed answer into records, and writing them as CSV.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import fc from 'fast-check'
import type { WireRecord } from '../../src/domain/record.ts'
import { toCsvHeader, toCsvLine } from '../../web/csv.ts'
import { readRecordTexts } from '../../web/record-stream.ts'

suite('the records of a streamed answer', () => {
  test('are cut out whole, wherever the pieces of the stream end', async () => {
    const text = fc.string({ unit: fc.constantFrom('{', '}', '[', ']', '"', '\\', ',', 'ñ', '\n', 'a', '😀') })
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.record({ id: text, title: text })),
        fc.array(fc.integer({ min: 1, max: 9 }), { minLength: 1 }),
        async (records, sizes) => {
          const read = await readAll(JSON.stringify({ resultadoBusqueda: records }), sizes)
          assert.deepEqual(
            read,
            records.map((each) => JSON.stringify(each)),
          )
        },
      ),
    )
  })

  test('are never taken for whole when the answer breaks off', async () => {
    const whole = JSON.stringify({ resultadoBusqueda: [{ id: '1' }, { id: '2]}' }] })
    for (let length = 0; length < whole.length - 1; length++) {
      await assert.rejects(readAll(whole.slice(0, length), [7]), /broke off/, whole.slice(0, length))
    }
  })
})

suite('a record as CSV', () => {
  test('quotes what holds separators, quotes or line breaks', () => {
    const line = toCsvLine({ ...record, title: 'Plan "A"; uno', area: 'a\nb' }, ';')
    assert.equal(line, '1;7;"Plan ""A""; uno";"a\nb";2004-05-17;;Ávila;https://documents.example/7.pdf;\r\n')
  })

  test('has as many cells as its header', () => {
    assert.equal(toCsvLine(record, ',').split(',').length, toCsvHeader(',').split(',').length)
  })

  test('never begins a cell like a formula', () => {
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

async function readAll(text: string, sizes: readonly number[]): Promise<string[]> {
  const bytes = new TextEncoder().encode(text)
  let at = 0
  let turn = 0
  const body = new ReadableStream<Uint8Array<ArrayBuffer>>({
    pull(controller) {
      if (at >= bytes.length) return controller.close()
      const size = sizes[turn++ % sizes.length] ?? 1
      controller.enqueue(bytes.slice(at, at + size))
      at += size
    },
  })
  const records: string[] = []
  for await (const some of readRecordTexts(body)) records.push(...some)
  return records
}

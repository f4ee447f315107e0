// Rows that are left out: totals and repeated headings. `rows` have the line numbers of the others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readContent } from '../read-source.ts'

const headings = 'Expediente;Título;Municipio;Fecha de entrada'

test('rows of totals and repeated headings are left out, and a note counts them', async (t) => {
  const lines = [
    headings,
    'A-1;Total de la manzana;Ibi;24-3-07',
    'EXPEDIENTE;TÍTULO;MUNICIPIO;FECHA DE ENTRADA',
    ';Subtotal 2007: 1;;',
    'Total expedientes:;2;;',
    // These have a code, a date, or no such word.
    'Total-1;Plan;Ibi;2007-03-24',
    'Total;Plan;Ibi;2007-03-24',
    'Totalán;Plan;;',
    ';Título;;',
  ]
  const { rows, layout } = await readContent(t, 'records.csv', `${lines.join('\n')}\n`)
  assert.deepEqual(
    rows.map(({ line }) => line),
    [2, 6, 7, 8, 9],
  )
  assert.deepEqual(layout.notes, ['left out 3 rows of totals or repeated headings: 3, 4, 5'])
})

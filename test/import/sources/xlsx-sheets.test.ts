// Which sheet of an Excel workbook is read.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFolder } from '../folder.ts'
import { readContent, readSource } from '../read-source.ts'
import { toSheetRow, toWorkbook } from '../workbook.ts'

const headings = toSheetRow(1, ['code', 'id', 'title', 'municipality', 'checkin_date'])
const records = headings + toSheetRow(2, ['03082-1', '1', 'Plan', 'Jávea', '2004-05-18'])
const office = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook with these sheets, given as the XML of their rows. A sheet is hidden if its name begins with `-`. */
function toSheets(sheets: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(sheets)
  const listed = names.map((name, index) => {
    const state = name.startsWith('-') ? 'hidden' : 'visible'
    return `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="s${index}"/>`
  })
  const relations = names.map(
    (_, index) => `<Relationship Id="s${index}" Type="${office}/worksheet" Target="${index}"/>`,
  )
  const parts = Object.values(sheets).map((rows, index) => [
    `xl/${index}`,
    `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  ])
  return toWorkbook({
    rows: '',
    more: {
      'xl/workbook.xml': `<workbook xmlns:r="${office}"><sheets>${listed.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relations.join('')}</Relationships>`,
      ...Object.fromEntries(parts),
    },
  })
}

test('empty sheets before the records are skipped', async (t) => {
  const blank = toSheetRow(1, ['', ' '])
  const workbook = toSheets({ Hoja1: '', Hoja2: blank, '-Oculta': toSheetRow(1, ['code']), Datos: records })
  const { rows, cells } = await readContent(t, 'records.xlsx', workbook)
  assert.equal(cells[0]?.code, '03082-1')
  assert.equal(rows[0]?.line, 2)
})

test('only the first sheet with content is read', async (t) => {
  const folder = await makeFolder(t)
  const workbook = toSheets({ Datos: records, Otros: headings + toSheetRow(2, ['03082-2']) })
  assert.equal((await readContent(t, 'records.xlsx', workbook)).rows.length, 1)
  const noted = await folder.write('noted.xlsx', toSheets({ Notas: toSheetRow(1, ['title']), Datos: records }))
  await assert.rejects(readSource(noted), { message: /column code .* is missing/ })
})

test('a workbook of empty sheets has no rows', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.xlsx', toSheets({ Hoja1: '', Hoja2: '' }))
  assert.deepEqual((await readSource(file)).rows, [])
})

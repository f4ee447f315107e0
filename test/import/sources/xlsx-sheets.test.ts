// Which sheet of an Excel workbook is read. `cells` of a source are its rows by heading.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { makeFolder } from '../folder.ts'
import { readContent, readSource } from '../read-source.ts'
import { toSheetRow, toWorkbook } from '../workbook.ts'

const requiredHeadings = ['code', 'id', 'title', 'municipality', 'checkin_date']
const headings = toSheetRow(1, requiredHeadings)
const records = headings + toSheetRow(2, ['03082-1', '1', 'Plan', 'Jávea', '2004-05-18'])
const otherRecords = headings + toSheetRow(2, ['03082-2', '2', 'Otro', 'Ibi', '2004-05-18'])
/** The XML namespace of Office, with which the types of relationships begin. */
const officeNamespace = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook with these sheets, given as the XML of their rows. A sheet is hidden if its name begins with `-`. */
function toWorkbookOf(sheets: Readonly<Record<string, string>>): Buffer {
  const names = Object.keys(sheets)
  const listed = names.map((name, index) => {
    const state = name.startsWith('-') ? 'hidden' : 'visible'
    return `<sheet name="${name}" sheetId="${index + 1}" state="${state}" r:id="s${index}"/>`
  })
  const relationships = names.map(
    (_, index) => `<Relationship Id="s${index}" Type="${officeNamespace}/worksheet" Target="${index}"/>`,
  )
  const parts = Object.values(sheets).map((rows, index) => [
    `xl/${index}`,
    `<worksheet><sheetData>${rows}</sheetData></worksheet>`,
  ])
  return toWorkbook({
    rows: '',
    files: {
      'xl/workbook.xml': `<workbook xmlns:r="${officeNamespace}"><sheets>${listed.join('')}</sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': `<Relationships>${relationships.join('')}</Relationships>`,
      ...Object.fromEntries(parts),
    },
  })
}

test('empty and hidden sheets before the records are skipped', async (t) => {
  const blank = toSheetRow(1, ['', ' '])
  const workbook = toWorkbookOf({ Hoja1: '', Hoja2: blank, '-Oculta': otherRecords, Datos: records })
  const { rows, cells } = await readContent(t, 'records.xlsx', workbook)
  assert.equal(cells[0]?.code, '03082-1')
  assert.equal(rows[0]?.line, 2)
})

test('only the first sheet with headings of records is read, and the report says so', async (t) => {
  const workbook = toWorkbookOf({ Datos: records, Otros: headings + toSheetRow(2, ['03082-2']) })
  const read = await readContent(t, 'records.xlsx', workbook)
  assert.equal(read.rows.length, 1)
  assert.deepEqual(read.layout.notes, ['sheet "Datos" read, not "Otros"'])
  assert.match(
    read.layout.warnings.join(),
    /more sheets with headings of records, which are not read: "Otros"; .* or save the others as CSV and import all files together$/,
  )
  // A sheet with a single known heading is not one of records.
  const noted = await readContent(t, 'r.xlsx', toWorkbookOf({ Notas: toSheetRow(1, ['title']), Datos: records }))
  assert.equal(noted.rows.length, 1)
  assert.deepEqual(noted.layout.warnings, [])
})

test('a template, which has headings and no rows, is not preferred to the sheet of the records', async (t) => {
  // Blank rows with borders do not count as rows.
  const template = headings + toSheetRow(2, ['', '', ' '])
  const read = await readContent(t, 'r.xlsx', toWorkbookOf({ Plantilla: template, Datos: records, Vacía: template }))
  assert.equal(read.cells[0]?.code, '03082-1')
  assert.deepEqual(read.layout.notes, ['sheet "Datos" read, not "Plantilla", "Vacía"'])
  assert.deepEqual(read.layout.warnings, [])
  // A sheet of records whose headings lack the municipality is preferred too, so that the message says what it lacks.
  const lacking = toSheetRow(1, ['code', 'id', 'title', 'checkin_date']) + toSheetRow(2, ['03082-1', '1'])
  const workbook = toWorkbookOf({ Plantilla: template, Datos: lacking })
  await assert.rejects(readContent(t, 'r.xlsx', workbook), /column municipality is missing/)
  // Without records, the template is read rather than a sheet of notes or of places.
  const places = toSheetRow(1, ['Municipio', 'Prefijo', 'Fecha de entrada']) + toSheetRow(2, ['Jávea', '03082', '2004'])
  const noRecords = await readContent(t, 'r.xlsx', toWorkbookOf({ Plantilla: template, Municipios: places }))
  assert.deepEqual(noRecords.layout.headings, requiredHeadings)
  const empty = await readContent(t, 'r.xlsx', toWorkbookOf({ Notas: toSheetRow(1, ['Notas']), Plantilla: template }))
  assert.deepEqual(empty.layout.headings, requiredHeadings)
})

test('--sheet is the name of a sheet, or its number among the visible ones', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.xlsx', toWorkbookOf({ '-Oculta': '', Datos: records, Otros: otherRecords }))
  for (const sheet of ['Otros', '2']) assert.equal((await readSource(file, { sheet })).cells[0]?.code, '03082-2')
  await assert.rejects(readSource(file, { sheet: 'Más' }), {
    message: `Cannot read ${file}: there is no sheet "Más"; its visible sheets are "Datos", "Otros"`,
  })
})

test('--sheet finds a name in another case if only one sheet has it', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.xlsx', toWorkbookOf({ Datos: records, DATOS: records, Otros: otherRecords }))
  assert.equal((await readSource(file, { sheet: 'otros' })).cells[0]?.code, '03082-2')
  // A name as written is preferred.
  assert.equal((await readSource(file, { sheet: 'DATOS' })).rows.length, 1)
  await assert.rejects(readSource(file, { sheet: 'datos' }), /there is no sheet "datos"/)
})

test('title lines above the headings are skipped and reported', async (t) => {
  const titles = toSheetRow(1, ['Ayuntamiento de Jávea']) + toSheetRow(3, ['', 'Registro a 1 de mayo'])
  const rows = titles + toSheetRow(5, requiredHeadings) + toSheetRow(6, ['03082-1', '1', 'Plan', 'Jávea', '2004-05-18'])
  const read = await readContent(t, 'records.xlsx', toWorkbookOf({ Datos: rows }))
  assert.equal(read.rows[0]?.line, 6)
  assert.equal(read.cells[0]?.code, '03082-1')
  assert.deepEqual(read.layout.notes, [
    '2 lines above the headings skipped: "Ayuntamiento de Jávea", "Registro a 1 de mayo"',
  ])
})

test('labels above the headings are not taken for the headings', async (t) => {
  const labels = toSheetRow(1, ['Municipio:', 'Jávea', 'Fecha:', '12/03/2024'])
  const rows = labels + toSheetRow(3, requiredHeadings) + toSheetRow(4, ['03082-1', '1', 'Plan', 'Jávea', '2004-05-18'])
  const read = await readContent(t, 'records.xlsx', toWorkbookOf({ Datos: rows }))
  assert.deepEqual(
    read.rows.map(({ line }) => line),
    [4],
  )
  assert.equal(read.cells[0]?.code, '03082-1')
  // These headings lack the municipality, which only a label has. The message is about the headings, not the labels.
  const lacking = labels + toSheetRow(3, ['code', 'id', 'title', 'checkin_date']) + toSheetRow(4, ['03082-1'])
  await assert.rejects(readContent(t, 'records.xlsx', toWorkbookOf({ Datos: lacking })), {
    message: /records\.xlsx: column municipality is missing;[^;]*; if all records are of one municipality/,
  })
})

test('a cover sheet with labels that are known headings is not preferred to the sheet of the records', async (t) => {
  const cover = toSheetRow(1, ['Municipio:', 'Jávea', 'Fecha:', '12/03/2024'])
  const read = await readContent(t, 'records.xlsx', toWorkbookOf({ Portada: cover, Datos: records }))
  assert.equal(read.cells[0]?.code, '03082-1')
  assert.deepEqual(read.layout.notes, ['sheet "Datos" read, not "Portada"'])
  assert.deepEqual(read.layout.warnings, [])
})

test('a workbook of empty sheets has no rows', async (t) => {
  const folder = await makeFolder(t)
  const file = await folder.write('records.xlsx', toWorkbookOf({ Hoja1: '', Hoja2: '' }))
  assert.deepEqual((await readSource(file)).rows, [])
})

// Sources that were cut off or changed at random. A source that was cut off is refused, or the rows before the cut are
// correct and the report notes an accepted row that was cut. A source with changed bytes is refused, or has all its
// rows, or at least one row is rejected with a fault. So no row is lost without a message. With FUZZ_RUNS=100 every
// case runs a hundred times. Another FUZZ_SEED gives other damage.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { UsageFault } from '../../src/cli/config.ts'
import { SourceFault } from '../../src/import/source-fault.ts'
import { seededRandom } from '../seeded-random.ts'
import { makeFolder, type TestFolder } from './folder.ts'
import { faultsOf, readSource, type SourceContent } from './read-source.ts'
import { toSheetRow, toWorkbook, toZip } from './workbook.ts'

const runs = Number(process.env.FUZZ_RUNS ?? 15)
const seed = Number(process.env.FUZZ_SEED ?? 26)

const headings = ['Código', 'Id', 'Denominación', 'Municipio', 'Fecha de entrada', 'Ámbito', 'Texto']
const rows = Array.from({ length: 40 }, (_, index) => [
  `0308${index % 7}-PU-2004-${index + 1}`,
  String(index),
  `Modificación puntual "nº ${index}", sector ${index % 5}`,
  ['Jávea', 'Ávila', 'Ibi'][index % 3] ?? '',
  `20${10 + (index % 9)}-0${1 + (index % 8)}-1${index % 9}`,
  `UE-${index}`,
  'suelo urbanizable\nde la unidad '.repeat(index % 4).trim(),
])
const objects = rows.map((row) => Object.fromEntries(headings.map((heading, index) => [heading, row[index] ?? ''])))

/** The headings and rows, quoted where needed. */
function toCsv(separator: string): string {
  const toField = (text: string): string => (/[",;\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text)
  return [headings, ...rows].map((row) => `${row.map(toField).join(separator)}\r\n`).join('')
}

const sheet = [headings, ...rows].map((row, index) => toSheetRow(index + 1, row)).join('')
const sources: Readonly<Record<string, Buffer>> = {
  'utf8.csv': Buffer.from(toCsv(',')),
  // With a title line above the headings.
  'windows.csv': Buffer.from(`Ayuntamiento;;;\r\n${toCsv(';')}`, 'latin1'),
  'lines.ndjson': Buffer.from(objects.map((object) => `${JSON.stringify(object)}\n`).join('')),
  'array.json': Buffer.from(JSON.stringify(objects, null, 1)),
  'wrapped.json': Buffer.from(JSON.stringify({ total: rows.length, result: { records: objects } })),
  'map.geojson': Buffer.from(
    JSON.stringify({ type: 'FeatureCollection', features: objects.map((properties) => ({ properties })) }),
  ),
  'book.xlsx': toWorkbook({ rows: sheet }),
  'export.zip': toZip({ 'records.csv': toCsv(';') }),
}

/** Returns a function that draws whole numbers below `bound`, always the same ones for a seed. */
function toRandomBelow(randomSeed: number): (bound: number) => number {
  const random = seededRandom(randomSeed)
  return (bound) => Math.floor(random() * bound)
}

/** Reads the bytes as an import reads a file of this name. Returns null if they are refused with a message. */
async function readUnlessRefused(folder: TestFolder, name: string, bytes: Uint8Array): Promise<SourceContent | null> {
  const path = await folder.write(name, bytes)
  try {
    return await readSource(path)
  } catch (error) {
    assert.ok(error instanceof SourceFault || error instanceof UsageFault, `${error}`)
    assert.match(error.message, /^Cannot read .{10,}/)
    return null
  }
}

/** The accepted rows, each as JSON. */
function acceptedRows({ outcomes }: SourceContent): string[] {
  return outcomes.flatMap((outcome) => ('record' in outcome ? [JSON.stringify(outcome)] : []))
}

for (const [name, validBytes] of Object.entries(sources)) {
  test(`${name}: cut off anywhere, it is refused or the rows before the cut are correct (seed ${seed})`, async (t) => {
    const folder = await makeFolder(t)
    const complete = await readUnlessRefused(folder, name, validBytes)
    assert.ok(complete !== null)
    const originals = acceptedRows(complete)
    assert.equal(originals.length, rows.length)
    const randomBelow = toRandomBelow(seed)
    for (let run = 0; run < runs; run++) {
      // The first run reads an empty file.
      const end = run === 0 ? 0 : randomBelow(validBytes.length)
      const cut = await readUnlessRefused(folder, name, validBytes.subarray(0, end))
      if (cut === null) continue
      const records = acceptedRows(cut)
      // Only the last row may differ from the original, because the cut may be inside it.
      assert.deepEqual(records.slice(0, -1), originals.slice(0, Math.max(0, records.length - 1)), `cut at ${end}`)
      const last = records.at(-1)
      const isLastIncomplete = last !== undefined && last !== originals[records.length - 1]
      if (isLastIncomplete) assert.match(cut.layout.notes.join(), /its last cell is incomplete/, `cut at ${end}`)
    }
  })

  test(`${name}: with changed bytes, it is refused, or has all rows, or has a fault (seed ${seed})`, async (t) => {
    const folder = await makeFolder(t)
    const randomBelow = toRandomBelow(seed + 1)
    for (let run = 0; run < runs; run++) {
      const bytes = Uint8Array.from(validBytes)
      const changes = 1 + randomBelow(3)
      for (let change = 0; change < changes; change++) bytes[randomBelow(bytes.length)] = randomBelow(256)
      const changed = await readUnlessRefused(folder, name, bytes)
      if (changed === null || acceptedRows(changed).length >= rows.length) continue
      assert.ok(faultsOf(changed).length > 0, `run ${run}: ${acceptedRows(changed).length} rows`)
    }
  })
}

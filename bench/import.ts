// Benchmark of the command `import`: a CSV file without text and one with 1 KB of text a record, and the import of the
// same file again, which changes nothing.
import { mkdtempSync, rmSync, statSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { importCsv } from './import-csv.ts'
import { type Row, toRow } from './measure.ts'
import { type BenchRegistry, generateRecords, writeCsv } from './registries.ts'

export async function benchImport({ records }: BenchRegistry): Promise<Row[]> {
  const rows: Row[] = []
  for (const [name, contentWords] of [
    ['import with 1 KB of text', [140, 160]],
    ['import without text', [0, 0]],
  ] as const) {
    const folder = mkdtempSync(join(tmpdir(), 'bench-import-'))
    try {
      const [source, database] = [join(folder, 'records.csv'), join(folder, 'registry.db')]
      await writeCsv(source, generateRecords(records, { order: 'entry', contentWords }))
      const first = importCsv(source, database)
      const again = importCsv(source, database)
      rows.push(
        toRow(name, 's', [first.seconds]),
        toRow(`${name}, peak resident memory`, 'MB', [first.residentMegabytes]),
        toRow(`${name}, size of the file`, 'MB', [statSync(database).size / 1e6]),
        { ...toRow(`${name}, again`, 's', [again.seconds]), ratio: first.seconds / again.seconds },
      )
    } finally {
      rmSync(folder, { recursive: true, force: true })
    }
  }
  return rows
}

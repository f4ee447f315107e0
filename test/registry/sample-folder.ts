// A temporary folder for the registries of a test file. It is removed after the tests.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { toRecordContent } from '../../src/domain/document.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import type { RegistryEntry } from '../../src/registry/publish.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { publishEntries } from '../service.ts'
import { damagePages } from './damage.ts'

/** How many records `publishSample` publishes by default. */
export const sampleRecordCount = 60

/** The path of the folder. */
export const folder: string = mkdtempSync(join(tmpdir(), 'planning-registry-file-'))
after(() => rmSync(folder, { recursive: true }))

/**
 * Publishes fictional records as a file with this name in the folder, the same records for the same seed. Returns the
 * path of the file.
 */
export async function publishSample(
  name: string,
  { seed, records = sampleRecordCount }: { readonly seed: string; readonly records?: number },
): Promise<string> {
  const path = join(folder, name)
  const entries = await Array.fromAsync(
    sampleRecords({ records, documents: 0, seed }),
    ({ record, content }): RegistryEntry => ({
      record: toStoredRecord(record),
      content: toRecordContent(content),
    }),
  )
  await publishEntries(`sqlite:${path}`, () => entries, { fictional: true })
  return path
}

/**
 * Copies the file at `path` to a file called `name` in the folder, and damages the copy so that SQLite notices it.
 * Returns the path of the copy.
 */
export function copyDamaged(path: string, name: string): string {
  const copy = join(folder, name)
  copyFileSync(path, copy)
  damagePages(copy)
  return copy
}

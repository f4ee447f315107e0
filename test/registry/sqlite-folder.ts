// A temporary folder for the registries of a test file. It is removed after the tests.
import { copyFileSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after } from 'node:test'
import { toRecordContent } from '../../src/domain/document.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import { createSnapshot } from '../../src/registry/open.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import { damageRecords } from './snapshot-file.ts'

/** How many records `publishSample` publishes by default. */
export const sampleRecordCount = 60

/** The path of the folder. */
export const folder: string = mkdtempSync(join(tmpdir(), 'planning-registry-sqlite-'))
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
  const writer = await createSnapshot(`sqlite:${path}`)
  for await (const { record, content } of sampleRecords({ records, documents: 0, seed })) {
    await writer.add(toStoredRecord(record), toRecordContent(content))
  }
  await writer.publish({ fictional: true, dryRun: false })
  return path
}

/**
 * Copies the file at `path` to a file called `name` in the folder, and damages every record of the copy. Returns the
 * path of the copy.
 */
export function copyDamaged(path: string, name: string): string {
  const copy = join(folder, name)
  copyFileSync(path, copy)
  damageRecords(copy)
  return copy
}

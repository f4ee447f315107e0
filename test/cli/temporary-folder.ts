// Fixture: a temporary folder that is deleted after the test.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'

/** Takes a `TestContext`, or `{ after }` of node:test for a folder of the whole test file. */
export async function makeTemporaryFolder(t: { after(callback: () => Promise<void>): void }): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-test-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

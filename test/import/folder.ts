// A temporary folder for a test, removed when the test ends.
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export interface TestFolder {
  readonly path: string
  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>
}

export async function makeFolder(test: TestContext): Promise<TestFolder> {
  const path = await mkdtemp(join(tmpdir(), 'planning-registry-test-'))
  test.after(() => rm(path, { recursive: true, force: true }))
  return {
    path,
    write: async (name, content) => {
      const file = join(path, name)
      await writeFile(file, content)
      return file
    },
  }
}

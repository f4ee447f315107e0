// A temporary folder for a test, removed when the test ends.
import { chmod, mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestContext } from 'node:test'

export interface TestFolder {
  readonly path: string
  /** Writes a file and returns its path. */
  write(name: string, content: string | Uint8Array): Promise<string>
  /** Runs the action while the folder is read-only: its files may be written, but not created, renamed or removed. */
  whileFolderIsReadOnly(action: () => Promise<unknown>): Promise<void>
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
    whileFolderIsReadOnly: async (action) => {
      for (const name of await readdir(path)) await chmod(join(path, name), 0o666)
      await chmod(path, 0o555)
      try {
        await runUnprivileged(action)
      } finally {
        await chmod(path, 0o755)
      }
    },
  }
}

/** The superuser may read and change any file, so the action then runs with the rights of `nobody` (65534). */
export async function runUnprivileged(action: () => Promise<unknown>): Promise<void> {
  const isSuperuser = process.getuid?.() === 0
  if (isSuperuser) process.seteuid?.(65534)
  try {
    await action()
  } finally {
    if (isSuperuser) process.seteuid?.(0)
  }
}

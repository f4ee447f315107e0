// Tools that the fault tests need. A test fails if a tool that it requires is missing.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

/** Throws if the program is not on the path. */
export async function requireTool(name: string): Promise<void> {
  try {
    await promisify(execFile)('which', [name])
  } catch {
    throw new Error(`this test needs ${name}: install it, or run only npm test, which has no fault tests`)
  }
}

/** Mounts a tmpfs of this size on the folder. The returned function unmounts it. */
export async function mountTmpfs(folder: string, megabytes: number): Promise<() => Promise<void>> {
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch (error) {
    throw new Error('this test needs permission to mount: run it as root', { cause: error })
  }
  return async () => {
    // `--lazy` succeeds even if a file in the folder is still open: a snapshot is closed a moment after its last use.
    await promisify(execFile)('umount', ['--lazy', folder])
  }
}

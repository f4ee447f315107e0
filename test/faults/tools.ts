// What the fault tests need of the machine. Where it is not there they fail and say so: a fault that was not injected
// was not survived.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'

export async function requireTool(name: string): Promise<void> {
  try {
    await promisify(execFile)('which', [name])
  } catch {
    throw new Error(`this test needs ${name}: install it, or run npm test alone`)
  }
}

/** A small file system in memory, gone with the returned function. */
export async function mountSmall(folder: string, megabytes: number): Promise<() => Promise<void>> {
  try {
    await promisify(execFile)('mount', ['-t', 'tmpfs', '-o', `size=${megabytes}m`, 'tmpfs', folder])
  } catch (error) {
    throw new Error('this test needs the right to mount: run it as root', { cause: error })
  }
  return async () => {
    // Lazily: a snapshot that was read here may be closed a moment after its last reader.
    await promisify(execFile)('umount', ['--lazy', folder])
  }
}

// Checks a built package: publint checks the manifest, attw (Are The Types Wrong) checks how its types resolve.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Packs the folder into a tarball in `target` and returns its path. */
export async function packPackage(folder: string, target: string): Promise<string> {
  const flags = ['--pack-destination', target, '--json', '--loglevel', 'error']
  const { stdout } = await run('npm', ['pack', folder, ...flags], { cwd: root })
  const [{ filename }] = JSON.parse(stdout)
  return join(target, filename)
}

/** Returns a message for each error in the package. `folder` is the package before packing, `tarball` after it. */
export async function findFaults(folder: string, tarball: string): Promise<string[]> {
  const faults = await findManifestFaults(folder)
  const attw = join(root, 'node_modules/.bin/attw')
  // The packages have ES modules only, so `require` need not resolve.
  await run(attw, [tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', '--no-color']).catch(
    (error: { stdout: string }) => faults.push(`attw: ${error.stdout}`),
  )
  return faults
}

/** Returns a message for each error that publint finds. For a package without types this is the whole check. */
export async function findManifestFaults(folder: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  return messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`)
}

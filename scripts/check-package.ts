// Holds a built package to what others expect of one: publint for its manifest, attw for how its types resolve.
import { execFile } from 'node:child_process'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { publint } from 'publint'
import { formatMessage } from 'publint/utils'
import manifest from '../package.json' with { type: 'json' }

const root = join(import.meta.dirname, '..')
const run = promisify(execFile)

/** Packs the folder into a file beside it and gives back the file's path. */
export async function packPackage(folder: string, target: string): Promise<string> {
  await run('npm', ['pack', folder, '--pack-destination', target, '--loglevel', 'error'], { cwd: root })
  return join(target, `${manifest.name}-${manifest.version}.tgz`)
}

/** What is wrong with the package, a sentence each; empty where nothing is. */
export async function findFaults(folder: string, tarball: string): Promise<string[]> {
  const { messages, pkg } = await publint({ pkgDir: folder, strict: true, pack: false })
  const faults = messages.map((message) => `publint: ${formatMessage(message, pkg) ?? message.code}`)
  const attw = join(root, 'node_modules/.bin/attw')
  // The package is for import alone: that require cannot have it is no fault.
  await run(attw, [tarball, '--profile', 'esm-only', '--no-emoji', '--format', 'ascii', '--no-color']).catch(
    (error: { stdout: string }) => faults.push(`attw: ${error.stdout}`),
  )
  return faults
}

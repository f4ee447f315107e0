// Tests of npm, on which docs/operating.md relies: with a lockfile, `npm ci` does not install a package that was
// changed under the same version.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'
import { startPackageRegistry } from './package-registry.ts'

const run = promisify(execFile)

test('npm ci refuses a tarball that was changed under the same version', async (t) => {
  const project = await mkdtemp(join(tmpdir(), 'lockfile-'))
  t.after(() => rm(project, { recursive: true, force: true }))
  // Any name and version would do: the registry of this test makes the package.
  const dependencies = { undici: '7.30.2' }
  await writeFile(join(project, 'package.json'), JSON.stringify({ name: 'fresh', private: true, dependencies }))
  let isTampered = false
  const packageRegistry = await startPackageRegistry(t, dependencies, (manifest) =>
    isTampered ? { ...manifest, main: 'evil.js' } : manifest,
  )
  /** Runs npm on the project. `cache` is the name of a folder: an empty cache is like another machine. */
  const npm = (command: string, cache: string): Promise<unknown> => {
    const flags = [
      '--registry',
      packageRegistry,
      '--cache',
      join(project, cache),
      '--ignore-scripts',
      '--no-audit',
      '--no-fund',
    ]
    return run('npm', [command, ...flags], { cwd: project })
  }
  // Writes the lockfile, with a checksum of the tarball.
  await npm('install', 'first-cache')
  await npm('ci', 'second-cache')
  assert.ok(existsSync(join(project, 'node_modules/undici/package.json')))
  isTampered = true
  await assert.rejects(npm('ci', 'third-cache'), /EINTEGRITY/)
  assert.ok(!existsSync(join(project, 'node_modules/undici/package.json')))
})

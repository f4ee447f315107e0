import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, mkdtemp, readFile, rm, symlink, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { test } from 'node:test'
import { promisify } from 'node:util'

const root = resolve(import.meta.dirname, '../..')
const tsc = join(root, 'node_modules/.bin/tsc')

test('every TypeScript example in the documentation compiles against the client', async (t) => {
  const directory = await mkdtemp(join(tmpdir(), 'examples-'))
  t.after(() => rm(directory, { recursive: true }))
  // The project itself stands in for the installed package, so that the examples import it by its name.
  await mkdir(join(directory, 'node_modules'))
  await symlink(root, join(directory, 'node_modules/planning-registry'))
  await symlink(join(root, 'node_modules/@types'), join(directory, 'node_modules/@types'))
  await writeFile(join(directory, 'package.json'), '{"type":"module"}')

  const files: string[] = []
  for (const page of ['README.md', 'docs/client.md']) {
    const text = await readFile(join(root, page), 'utf8').catch(() => '')
    for (const [, code = ''] of text.matchAll(/^```ts\n(.*?)^```$/gms)) {
      if (!code.includes('planning-registry/client')) continue
      const file = `example${files.length + 1}.ts`
      await writeFile(join(directory, file), code)
      files.push(file)
    }
  }
  assert.ok(files.length >= 5)
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2024',
    '--allowImportingTsExtensions',
    '--preserveSymlinks',
    '--types',
    'node',
    '--lib',
    'es2024,dom,dom.iterable,dom.asynciterable',
    '--skipLibCheck',
  ]
  const { stdout } = await promisify(execFile)(tsc, [...flags, ...files], { cwd: directory }).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})

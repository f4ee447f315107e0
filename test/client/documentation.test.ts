// The TypeScript examples of docs/client.md, and of the README if it has any, compile and run.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { mkdir, readFile, symlink, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { after, before, test } from 'node:test'
import { promisify } from 'node:util'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { startService } from '../service.ts'

const run = promisify(execFile)
const root = resolve(import.meta.dirname, '../..')
/** The address in the examples. The test replaces it by that of its service. */
const documentedAddress = 'http://127.0.0.1:8080/registry'
const folder = await makeTemporaryFolder({ after })
const examples: { file: string; code: string }[] = []

before(async () => {
  // The examples import the client by the name of its package. The package is a symbolic link to a folder outside
  // node_modules, because Node does not strip types from files inside node_modules.
  await mkdir(join(folder, 'node_modules'))
  await mkdir(join(folder, 'client'))
  await writeFile(join(folder, 'client/package.json'), '{"type":"module","exports":"./client.ts"}')
  await writeFile(join(folder, 'client/client.ts'), `export * from '${join(root, 'src/client/client.ts')}'`)
  await symlink(join(folder, 'client'), join(folder, 'node_modules/planning-registry-client'))
  await symlink(join(root, 'node_modules/@types'), join(folder, 'node_modules/@types'))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  for (const page of ['README.md', 'docs/client.md']) {
    const text = await readFile(join(root, page), 'utf8')
    for (const [, code = ''] of text.matchAll(/^```ts\n(.*?)^```$/gms)) {
      if (!code.includes('planning-registry-client')) continue
      const file = `example${examples.length + 1}.ts`
      await writeFile(join(folder, file), code)
      examples.push({ file, code })
    }
  }
  assert.ok(examples.length >= 5, 'the pattern finds the examples')
})

test('every TypeScript example in the documentation compiles against the client', async () => {
  const flags = [
    ...['--noEmit', '--strict', '--skipLibCheck', '--allowImportingTsExtensions'],
    ...['--module', 'nodenext', '--target', 'es2024', '--types', 'node'],
    ...['--lib', 'es2024,dom,dom.iterable,dom.asynciterable'],
  ]
  const files = examples.map(({ file }) => file)
  // The compiler prints its errors on standard output.
  const { stdout } = await run(join(root, 'node_modules/.bin/tsc'), [...flags, ...files], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})

test('every TypeScript example in the documentation runs against a service', async () => {
  await using service = await startService([
    {
      code: '05019-1',
      title: 'Plan Parcial',
      checkinDate: '2019-02-03',
      municipality: 'Ávila',
      links: 'https://documents.example/1.pdf',
      content: 'edificabilidad',
    },
    { code: '05019-2', title: 'Edificabilidad', checkinDate: '2001-02-03', municipality: 'Ávila' },
    { code: '03082-1001', title: 'Plan General', checkinDate: '2004-02-03', municipality: 'Jávea/Xàbia' },
  ])
  const printed: string[] = []
  for (const { file, code } of examples) {
    assert.ok(code.includes(documentedAddress), file)
    await writeFile(join(folder, file), code.replaceAll(documentedAddress, service.base))
    const { stdout } = await run(process.execPath, [file], { cwd: folder })
    printed.push(stdout)
  }
  // The README has no example at present, so the first one is in docs/client.md. It searches for `edificabilidad` in
  // Ávila since 2015, and prints date, title and link of each record.
  assert.equal(printed[0], '2019-02-03 Plan Parcial https://documents.example/1.pdf\n')
})

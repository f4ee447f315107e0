// Types that openapi-typescript generates from openapi.json compile, and describe the requests and their responses.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { writeFile } from 'node:fs/promises'
import { createRequire, registerHooks } from 'node:module'
import { join, resolve } from 'node:path'
import { after, test } from 'node:test'
import { pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { toOpenApi } from '../../src/api/openapi.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'

const folder = await makeTemporaryFolder({ after })

// openapi-typescript needs the JavaScript interface of TypeScript 5, which TypeScript 7 does not have. Are The Types
// Wrong brings a TypeScript 5 with it.
const olderTypeScript = createRequire(import.meta.resolve('@arethetypeswrong/core')).resolve('typescript')
registerHooks({
  resolve: (specifier, context, next) =>
    specifier === 'typescript'
      ? { url: pathToFileURL(olderTypeScript).href, shortCircuit: true }
      : next(specifier, context),
})
const { astToString, default: toTypes } = await import('openapi-typescript')

test('a client with the types of openapi-typescript compiles', async () => {
  const description = JSON.stringify(toOpenApi('http://127.0.0.1:8080/registry'))
  await writeFile(join(folder, 'registry.d.ts'), astToString(await toTypes(description)))
  await writeFile(join(folder, 'package.json'), '{"type":"module"}')
  await writeFile(
    join(folder, 'client.ts'),
    `import type { components, paths } from './registry.js'
type Search = paths['/record']['get']
const query: Search['parameters']['query'] = { municipality: 'Ávila', search: 'plan', limit: 5 }
// @ts-expect-error there is no such parameter
const wrong: Search['parameters']['query'] = { serch: 'plan' }
type Result = Search['responses'][200]['content']['application/json']
export const titles = ({ resultadoBusqueda }: Result): string[] => resultadoBusqueda.map(({ title }) => title)
export const place = (record: components['schemas']['Record']): string | undefined => record.place?.province
export const total = (summary: components['schemas']['Summary']): number => summary.total
export const detail = (problem: components['schemas']['Problem']): string => problem.detail
export const codes = (changes: components['schemas']['Changes']): string[] =>
  changes.changes.map(({ cod_archivo }) => cod_archivo)
console.log(query, wrong)
`,
  )
  const tsc = resolve(import.meta.dirname, '../../node_modules/.bin/tsc')
  const flags = [
    '--noEmit',
    '--strict',
    '--module',
    'nodenext',
    '--target',
    'es2022',
    '--lib',
    'es2022,dom',
    '--types',
    '',
  ]
  // The compiler prints its errors to standard output and exits with a status other than 0, which rejects the promise.
  const { stdout } = await promisify(execFile)(tsc, [...flags, 'client.ts'], { cwd: folder }).catch(
    (error: { stdout: string }) => error,
  )
  assert.equal(stdout, '')
})

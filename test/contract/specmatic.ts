// Suite of `npm run test:all`: tests the service against its own openapi.json with an external tool, Specmatic
// (https://specmatic.io). Specmatic sends the requests of the examples in openapi.json to a service on the bundled
// sample and compares each response with its schema. It is a Java program (17 or later) in an npm package of 90 MB, so
// npx downloads it here, and it is no development dependency.
import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { examples } from '../../src/api/examples.ts'
import { serve } from '../api/process.ts'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'

const specmatic = 'specmatic@2.55.1'

/** Specmatic runs one test for each example. */
const testsMin = Object.values(examples).flatMap(Object.keys).length

test('the service answers every example of openapi.json as it says', async (context) => {
  const folder = await makeTemporaryFolder(context)
  // Without `--database`, in an empty folder, `serve` serves the bundled sample.
  await using sample = await serve([], { cwd: folder })
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${sample.base}/openapi.json`)).text())
  const args = ['--yes', specmatic, 'test', 'openapi.json', `--testBaseURL=${sample.base}`]
  const child = spawn('npx', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  await once(child, 'close')
  const [resultLine, testsRun, failures] = /Tests run: (\d+), Successes: \d+, Failures: (\d+).*/.exec(output) ?? []
  assert.ok(Number(testsRun) >= testsMin && failures === '0', output)
  context.diagnostic(`${resultLine}`)
})

// `npm run test:contract`: tests the service against its own openapi.json with an external tool, Specmatic
// (https://specmatic.io). Specmatic sends the requests of the examples in openapi.json to a service on the bundled
// sample and compares each response with its schema. It is a Java program (17 or later) in an npm package of 90 MB, so
// npx downloads it here, and it is no development dependency.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exampleRequests } from '../../src/api/examples.ts'
import { serve } from '../api/process.ts'

const specmatic = 'specmatic@2.55.1'

/** Specmatic runs one test for each example, and one for the list of municipalities, which takes no parameter. */
const testsMin = Object.values(exampleRequests).flatMap(Object.keys).length + 1

const folder = await mkdtemp(join(tmpdir(), 'planning-registry-contract-'))
try {
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
  // Without a line of results, `testsRun` is undefined and the run has failed.
  const hasPassed = Number(testsRun) >= testsMin && failures === '0'
  process.stdout.write(hasPassed ? `${resultLine}\n` : `${output}\n`)
  process.exitCode = hasPassed ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

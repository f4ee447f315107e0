// `npm run test:contract`: an outside judge. Specmatic (https://specmatic.io, a Java program inside an npm package of
// 90 MB, which is why it is fetched when it is wanted and no dependency) reads openapi.json of a service on the bundled
// sample, asks it for what the examples in it say and holds every answer against the description. Needs Java 17.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { requests } from '../../src/api/examples.ts'
import { serve } from '../api/process.ts'

const specmatic = 'specmatic@2.55.1'

/** One for each example, and one for the list of municipalities, which takes no parameter. */
const testsMin = Object.values(requests).flatMap(Object.keys).length + 1

const folder = await mkdtemp(join(tmpdir(), 'planning-registry-contract-'))
try {
  await using sample = await serve([], { cwd: folder })
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${sample.base}/openapi.json`)).text())
  const args = ['--yes', specmatic, 'test', 'openapi.json', `--testBaseURL=${sample.base}`]
  const child = spawn('npx', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  await once(child, 'close')
  const [line, run, failures] = /Tests run: (\d+), Successes: \d+, Failures: (\d+).*/.exec(output) ?? []
  const isSound = Number(run) >= testsMin && failures === '0'
  process.stdout.write(isSound ? `${line}\n` : `${output}\n`)
  process.exitCode = isSound ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

// `npm run test:contract`: an outside judge. Specmatic (https://specmatic.io, a Java program inside an npm package of
// 90 MB, which is why it is fetched when it is wanted and no dependency) reads openapi.json of a running service, asks
// it for what the examples say and holds every answer against the description. Needs Java 17.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { startServe } from '../operate/serve.ts'

const specmatic = 'specmatic@2.55.1'

/** What is asked, and the status that must come. */
const questions: readonly [path: string, query: Readonly<Record<string, string>>, status: number][] = [
  ['/record', {}, 200],
  ['/record', { limit: '2' }, 200],
  ['/record', { search: 'plan', municipality: 'Ávila', checkin_date: '2004' }, 200],
  ['/record', { checkin_date: '2004-05' }, 400],
  ['/record', { search: 'nowhere' }, 404],
  ['/record/A-1', {}, 200],
  ['/record/A-1', { municipality: 'avila' }, 200],
  ['/record/A', {}, 400],
  ['/record/A-99', {}, 404],
  ['/municipality', {}, 200],
  ['/summary', {}, 200],
  ['/summary', { search: 'parcial' }, 200],
  ['/summary', { municipality: 'Atlantis' }, 404],
]

const folder = await mkdtemp(join(tmpdir(), 'planning-registry-contract-'))
try {
  await using serve = await startServe([
    { code: 'A-1', title: 'Plan Parcial', inscriptionDate: '2005-01-01' },
    { code: 'A-2', title: 'Plan General', agreementLink: 'https://documents.example/agreement.pdf' },
    { code: 'B-1', title: 'Estudio de Detalle', municipality: 'Soria' },
  ])
  await writeFile(join(folder, 'openapi.json'), await (await fetch(`${serve.base}/openapi.json`)).text())
  await mkdir(join(folder, 'openapi_examples'))
  for (const [n, [path, query, status]] of questions.entries()) {
    const response = await fetch(`${serve.base}${path}?${new URLSearchParams(query)}`)
    const example = {
      'http-request': { method: 'GET', path, query },
      'http-response': {
        status,
        headers: { 'Content-Type': status === 200 ? 'application/json' : 'application/problem+json' },
        body: await response.json(),
      },
    }
    await writeFile(join(folder, 'openapi_examples', `question-${n}.json`), JSON.stringify(example))
  }
  const args = ['--yes', specmatic, 'test', 'openapi.json', `--testBaseURL=${serve.base}`]
  const child = spawn('npx', args, { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  let output = ''
  child.stdout.setEncoding('utf8').on('data', (chunk: string) => {
    output += chunk
  })
  await once(child, 'close')
  const [line, run, failures] = /Tests run: (\d+), Successes: \d+, Failures: (\d+).*/.exec(output) ?? []
  const isSound = Number(run) >= questions.length && failures === '0'
  process.stdout.write(isSound ? `${line}\n` : `${output}\n`)
  process.exitCode = isSound ? 0 : 1
} finally {
  await rm(folder, { recursive: true, force: true })
}

// `npm run test:all`: the suites that take long, or that need root, Debian's packages or other programs, one after the
// other. It prints a table with a row for each test: what was tried, how often, whether it failed, and what was observed
// or why it failed. The exit status is 1 if any test fails or none ran. Arguments select suites by a part of their
// name: `npm run test:all clients nginx`. A fault suite reports its number of injections by
// `context.diagnostic('20 injections: …')`; the default is 1.
import { globSync } from 'node:fs'
import { run } from 'node:test'

interface Row {
  readonly fault: string
  /** Why the test failed; undefined if it passed. */
  readonly failure: string | undefined
  /** The diagnostic messages of the test. */
  readonly observations: string[]
}

const suites = [
  // Thousands of random requests, compared with a naive scan.
  'test/registry/agreement-random.ts',
  // Injected faults; SOAK_MINUTES says how long the soak runs.
  ...globSync('test/faults/*.faults.ts').sort(),
  // A cluster of PostgreSQL under Patroni.
  'test/cluster/patroni.faults.ts',
  // openapi.json against the service, by an external tool that needs Java 17.
  'test/contract/specmatic.ts',
  // The npm packages, a download in a bare Debian, the container image.
  'test/release/installation.ts',
  'test/release/archive.ts',
  'test/container/image.ts',
]
const names = process.argv.slice(2)
const files = suites.filter((file) => names.length === 0 || names.some((name) => file.includes(name)))
if (files.length === 0) {
  process.stderr.write(`No suite has such a name; there are:\n${suites.join('\n')}\n`)
  process.exit(2)
}
if (files.some((file) => file.startsWith('test/cluster/'))) await import('./cluster/install.ts')
const rows: Row[] = []

const events = run({ files, concurrency: 1 })
events.on('test:start', ({ name, nesting }) => {
  // At the top level the runner also reports each file as a test.
  if (nesting > 0 || !name.endsWith('.ts')) process.stderr.write(`${'  '.repeat(nesting)}${name} …\n`)
})
// The result of a file, or of a `describe`, has the type `suite`.
events.on('test:pass', ({ name, details }) => {
  if (details.type === 'suite') return
  process.stderr.write(`passed: ${name}\n`)
  rows.push({ fault: name, failure: undefined, observations: [] })
})
events.on('test:fail', ({ name, details }) => {
  if (details.type === 'suite') return
  const { cause } = details.error
  const failure = cause instanceof Error ? cause.message : details.error.message
  process.stderr.write(`failed: ${name}: ${failure}\n`)
  rows.push({ fault: name, failure, observations: [] })
})
events.on('test:diagnostic', ({ message, nesting, level }) => {
  // The messages of a test come after its result. The totals of the whole run, such as `pass 12`, belong to no test.
  const isTotal = nesting === 0 && /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(message)
  if (level === 'info' && !isTotal) rows.at(-1)?.observations.push(message)
})
events.on('test:stderr', ({ message }) => process.stderr.write(message))
await new Promise<void>((resolve) => {
  events.on('end', () => resolve())
  events.resume()
})

process.stdout.write('| test | times | failures | observations |\n| --- | --- | --- | --- |\n')
for (const { fault, failure, observations } of rows) {
  const text = observations.join('; ')
  // The number in a text such as `1,000 injections: all closed`.
  const injections = /(\d[\d,]*) injections?\b/.exec(text)?.[1] ?? '1'
  const cells = [
    fault,
    injections,
    failure === undefined ? '0' : '1',
    failure ?? text.replace(/^[\d,]+ injections?: /, ''),
  ]
  process.stdout.write(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`)
}
const failures = rows.filter(({ failure }) => failure !== undefined).length
process.stdout.write(`${rows.length} tests, ${failures} failures\n`)
process.exitCode = failures === 0 && rows.length > 0 ? 0 : 1

// `npm run test:faults`: runs test/faults/*.faults.ts one after the other, and prints a table with a row for each test:
// the fault, how often it was injected, whether the test failed, and what it observed or why it failed. The exit status
// is 1 if any test fails or none ran. A test reports its number of injections by
// `context.diagnostic('20 injections: …')`; the default is 1. Arguments select files by a part of their name. With
// `--cluster` as the first argument the files of test/cluster run instead (`npm run test:cluster`).
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from 'node:test'

interface Row {
  readonly fault: string
  /** Why the test failed; undefined if it passed. */
  readonly failure: string | undefined
  /** The diagnostic messages of the test. */
  readonly observations: string[]
}

const isCluster = process.argv[2] === '--cluster'
const nameParts = process.argv.slice(isCluster ? 3 : 2)
const files = globSync(isCluster ? 'test/cluster/*.faults.ts' : 'test/faults/*.faults.ts')
  .filter((file) => nameParts.length === 0 || nameParts.some((part) => basename(file).includes(part)))
  .sort()
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

process.stdout.write('| fault | injections | failures | observations |\n| --- | --- | --- | --- |\n')
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
process.stdout.write(`${rows.length} faults, ${failures} failures\n`)
process.exitCode = failures === 0 && rows.length > 0 ? 0 : 1

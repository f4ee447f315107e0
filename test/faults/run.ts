// `npm run test:faults`: runs test/faults/*.faults.ts one after the other, and prints a table of fault, injections and
// failures. The exit status is 1 if any test fails. A test reports its number of injections by
// `context.diagnostic('20 injections: …')`; the default is 1. Arguments select files by a part of their name.
import { globSync } from 'node:fs'
import { basename } from 'node:path'
import { run } from 'node:test'

interface Row {
  readonly fault: string
  readonly failed: string | undefined
  readonly observations: string[]
}

const wanted = process.argv.slice(2)
const files = globSync('test/faults/*.faults.ts')
  .filter((file) => wanted.length === 0 || wanted.some((part) => basename(file).includes(part)))
  .sort()
const rows: Row[] = []

const events = run({ files, concurrency: 1 })
events.on('test:start', ({ name, nesting }) => {
  if (nesting > 0 || !name.endsWith('.ts')) process.stderr.write(`${'  '.repeat(nesting)}${name} …\n`)
})
events.on('test:pass', ({ name, details }) => {
  if (details.type !== 'suite') rows.push({ fault: name, failed: undefined, observations: [] })
})
events.on('test:fail', ({ name, details }) => {
  const { cause } = details.error
  const reason = cause instanceof Error ? cause.message : details.error.message
  if (details.type !== 'suite') rows.push({ fault: name, failed: reason, observations: [] })
})
events.on('test:diagnostic', ({ message, nesting, level }) => {
  // The totals of the whole run are not of a test.
  if (
    level === 'info' &&
    !(nesting === 0 && /^(?:tests|suites|pass|fail|cancelled|skipped|todo|duration_ms) /.test(message))
  ) {
    rows.at(-1)?.observations.push(message)
  }
})
events.on('test:stderr', ({ message }) => process.stderr.write(message))
await new Promise<void>((resolve) => {
  events.on('end', () => resolve())
  events.resume()
})

process.stdout.write('| fault | injections | failures | observations |\n| --- | --- | --- | --- |\n')
for (const { fault, failed, observations } of rows) {
  const text = observations.join('; ')
  const injections = /(\d[\d,]*) injections?\b/.exec(text)?.[1] ?? '1'
  const cells = [
    fault,
    injections,
    failed === undefined ? '0' : '1',
    failed ?? text.replace(/^[\d,]+ injections?: /, ''),
  ]
  process.stdout.write(`| ${cells.map((cell) => cell.replaceAll('|', '\\|').replaceAll('\n', ' ')).join(' | ')} |\n`)
}
const failures = rows.filter(({ failed }) => failed !== undefined).length
process.stdout.write(`${rows.length} faults, ${failures} failures\n`)
process.exitCode = failures === 0 && rows.length > 0 ? 0 : 1

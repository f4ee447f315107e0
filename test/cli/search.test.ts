// The command `search`: its formats, its filters, its exit statuses, and its messages.
import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { constants } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { after, before, test } from 'node:test'
import Papa from 'papaparse'
import { type CommandResult, entry, runCommand } from '../command.ts'
import { publishRecords, startService, type TestService } from '../service.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

/**
 * A service with three records. `startService` adds the fields that they do not have: the municipality Ávila and, for
 * the code `05019-1`, the id `E-05019-1`, the registration number `1` and the document `1.pdf`.
 */
let service: TestService
before(async () => {
  service = await startService([
    {
      code: '05019-1',
      title: 'Plan Parcial "El Soto", fase 2',
      checkinDate: '2015-03-02',
      area: 'S/1',
      agreementLink: 'https://documents.example/acuerdo.pdf',
    },
    {
      code: '05019-2',
      title: 'Estudio de Detalle',
      checkinDate: '2016-03-02',
      content: 'edificabilidad, plan parcial',
    },
    { code: '03082-3', title: 'Plan General', checkinDate: '2004-03-02', municipality: 'Alcoy/Alcoi' },
  ])
})
after(() => service[Symbol.asyncDispose]())

test('search prints the same for a database and for a service', async () => {
  for (const flags of [[], ['--json'], ['--ndjson'], ['--csv']]) {
    const args = ['search', 'plan', 'parcial', ...flags]
    const local = await runCommand([...args, '--database', service.database])
    const remote = await runCommand([...args, '--url', service.base])
    assert.deepEqual(local, remote)
    assert.equal(local.status, 0)
    assert.equal(local.stderr, '')
  }
})

test('--json prints the JSON of the service', async () => {
  const { stdout } = await runCommand(['search', 'plan parcial', '--json', '--database', service.database])
  const response = await fetch(`${service.base}/record?search=plan%20parcial&include=cod_archivo`)
  assert.deepEqual(JSON.parse(stdout), await response.json())
})

test('--ndjson prints one record per line', async () => {
  const { stdout } = await runCommand(['search', '--ndjson', '--database', service.database])
  const lines = stdout.trim().split('\n')
  assert.deepEqual(
    lines.map((line) => JSON.parse(line).checkin_date),
    ['2016-03-02', '2015-03-02', '2004-03-02'],
  )
})

test('--csv prints the nine fields and the code, quoted as RFC 4180 requires', async () => {
  const { stdout } = await runCommand(['search', '--csv', '--checkin-date', '2015', '--url', service.base])
  assert.deepEqual(Papa.parse(stdout, { header: true, skipEmptyLines: true }).data, [
    {
      id: 'E-05019-1',
      registration_number: '1',
      title: 'Plan Parcial "El Soto", fase 2',
      area: 'S/1',
      checkin_date: '2015-03-02',
      inscription_date: '',
      municipality: 'Ávila',
      links: 'https://documents.example/1.pdf',
      agreement_link: 'https://documents.example/acuerdo.pdf',
      cod_archivo: '05019-1',
    },
  ])
})

test('--csv puts an apostrophe before cells that start like a formula', async () => {
  await using hostile = await startService([{ code: '05019-1', title: '=HYPERLINK("x")' }])
  const { stdout } = await runCommand(['search', '--csv', '--database', hostile.database])
  assert.ok(stdout.includes(`,"'=HYPERLINK(""x"")",`), stdout)
})

test('in a pipe the table is not truncated and has no escape sequences', async () => {
  const { stdout } = await runCommand(['search', 'soto', '--database', service.database])
  const documents = 'https://documents.example/1.pdf https://documents.example/acuerdo.pdf'
  assert.equal(
    stdout,
    'ENTERED\tMUNICIPALITY\tTITLE\tAREA\tDOCUMENT\tCODE\n' +
      `2015-03-02\tÁvila\tPlan Parcial "El Soto", fase 2\tS/1\t${documents}\t05019-1\n`,
  )
})

test('each filter works, and a record must match all filters', async () => {
  const search = (...args: string[]): ReturnType<typeof runCommand> =>
    runCommand(['search', '--ndjson', '--database', service.database, ...args])
  assert.equal(JSON.parse((await search('--municipality', 'ávila', '--checkin-date', '2016')).stdout).id, 'E-05019-2')
  assert.equal(JSON.parse((await search('--code', '05019-2')).stdout).id, 'E-05019-2')
  assert.equal((await search('--code', '05019-2', '--checkin-date', '2004')).status, 1)
  const idsOf = async (...args: string[]): Promise<string[]> =>
    (await search(...args)).stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line).id)
  assert.deepEqual(await idsOf('--since', '2015-03', '--until', '2015'), ['E-05019-1'])
  assert.deepEqual(await idsOf('--province', 'alicante'), ['E-03082-3'])
  assert.deepEqual(await idsOf('--community', 'Castilla y León'), ['E-05019-2', 'E-05019-1'])
  assert.deepEqual(await idsOf('--registration-number', '3'), ['E-03082-3'])
  assert.deepEqual(await idsOf('--id', 'e-05019-2'), ['E-05019-2'])
  assert.deepEqual(await idsOf('--municipality', '05019', '--until', '2015'), ['E-05019-1'])
  assert.equal((await search('--limit', '2')).stdout.trim().split('\n').length, 2)
})

test('nothing found is exit status 1, an empty result and one line with the reason', async () => {
  const json = await runCommand(['search', 'inexistente', '--json', '--url', service.base])
  assert.equal(json.status, 1)
  assert.deepEqual(JSON.parse(json.stdout), { resultadoBusqueda: [] })
  assert.match(json.stderr, /^planning-registry: [^\n]+\n$/)
  // The command replaces the parameter `checkin_to` in a message by its flag, `--until` (see the next test). Here
  // `checkin_to` is typed as the name of a municipality, so it must be quoted as typed.
  const table = await runCommand(['search', '--municipality', 'checkin_to', '--database', service.database])
  assert.equal(table.status, 1)
  assert.equal(table.stdout, '')
  assert.match(table.stderr, /"checkin_to"/)
  const byNumber = ['search', '--registration-number', 'checkin_to', '--database', service.database]
  assert.match((await runCommand(byNumber)).stderr, /registration number "checkin_to"/)
})

test('an error is exit status 2 and one line with the cause', async () => {
  const errors: [args: string[], message: RegExp][] = [
    [
      ['--checkin-date', '20x4', '--database', service.database],
      /Cannot read --checkin-date: expected a year .* got "20x4"/,
    ],
    [['--until', 'x', '--database', service.database], /Cannot read --until: expected a year, .* got "x"/],
    [
      ['--since', '2005', '--until', '2001', '--url', service.base],
      /Cannot read --until: it ends on 2001-12-31, before --since begins on 2005-01-01/,
    ],
    [['--code', 'nonsense', '--url', service.base], /Cannot read --code: expected <prefix>-<number>/],
    [['--json', '--csv'], /Cannot combine --json and --csv: choose one/],
    [['--limit', '0'], /--limit: expected a whole number from 1/],
    [['--url', 'ftp://x'], /Cannot read --url/],
    [['--url', `${service.base}/nowhere`], /nothing at this address/],
    [['--database', 'sqlite:/nowhere/registry.db'], /Cannot open \/nowhere\/registry\.db/],
    [['--municipalty', 'x'], /did you mean --municipality\?/],
  ]
  for (const [args, message] of errors) {
    const { status, stdout, stderr } = await runCommand(['search', ...args])
    assert.equal(status, 2, args.join(' '))
    assert.equal(stdout, '')
    assert.match(stderr, /^planning-registry: [^\n]+\n$/)
    assert.match(stderr, message)
  }
})

test('search ends with status 0 when the reader closes the pipe', async (t) => {
  const title = 'Plan Parcial '.repeat(8).trim()
  // Half a megabyte, more than the 64 KB that a pipe can hold, so that the command is still writing when the reader
  // closes it.
  const records = Array.from({ length: 3_000 }, (_, index) => ({ code: `05019-${index + 1}`, title }))
  const database = `sqlite:${join(await makeTemporaryFolder(t), 'registry.db')}`
  await publishRecords(database, records)
  const args = [entry, 'search', '--database', database]
  const child = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'pipe'] })
  t.after(() => child.kill('SIGKILL'))
  const errors: Buffer[] = []
  child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
  const exited = new Promise((resolve) => child.once('exit', resolve))
  for await (const line of createInterface({ input: child.stdout })) {
    assert.match(line, /^ENTERED/)
    break
  }
  child.stdout.destroy()
  assert.equal(await exited, 0)
  assert.equal(Buffer.concat(errors).toString(), '')
})

test('search ends with status 2 and one line if its output cannot be written', async () => {
  // Every write to /dev/full fails as on a full disk.
  for (const [language, message] of [
    ['en', /^planning-registry: Cannot write the result: [^\n]*ENOSPC[^\n]*\n$/],
    ['es', /^planning-registry: No se puede escribir el resultado: el disco está lleno \(ENOSPC\)\n$/],
  ] as const) {
    const flags = `--json --database "${service.database}" --lang ${language}`
    const command = `"${process.execPath}" "${entry}" search ${flags} > /dev/full`
    const child = spawn('sh', ['-c', command], { stdio: ['ignore', 'ignore', 'pipe'] })
    const errors: Buffer[] = []
    child.stderr.on('data', (chunk: Buffer) => errors.push(chunk))
    const [status] = await once(child, 'close')
    assert.match(Buffer.concat(errors).toString(), message)
    assert.equal(status, 2)
  }
})

test('search warns that a sample is fictional, and prints no warning for other registries', async () => {
  await using fictional = await startService([{ code: '05019-1' }], { fictional: true })
  for (const source of [
    ['--database', fictional.database],
    ['--url', fictional.base],
    // A slash at the end makes no difference.
    ['--url', `${fictional.base}/`],
  ]) {
    const { stdout, stderr } = await runCommand(['search', '--ndjson', ...source])
    assert.equal(stdout.trim().split('\n').length, 1)
    assert.match(stderr, /every record in it is fictional/, source.join(' '))
  }
  await using real = await startService([{ code: '05019-1' }])
  const { stderr } = await runCommand(['search', '--ndjson', '--url', real.base])
  assert.equal(stderr, '')
})

test('a crash ends with status 2 and a stack, not with the status of an empty result', async () => {
  for (const crash of [
    // `write` throws.
    'process.stdout.write = () => { throw new Error("crash") }',
    // `write` succeeds, and an error is thrown later, where nothing can catch it.
    'process.stdout.write = () => { setImmediate(() => { throw new Error("crash") }); return true }',
  ]) {
    const { status, stderr } = await runWithPreload(crash, ['search', 'plan', '--database', service.database])
    assert.equal(status, 2)
    assert.match(stderr, /^Error: crash\n +at /)
  }
})

test('with an older Node, a signal ends the command with status 128 plus the number of the signal', async () => {
  // The service never responds, so the command still runs when the signal arrives.
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  // bin/planning-registry.js reads this version, and runs the command in a child process with a newer Node.
  const olderNode = 'Object.defineProperty(process, "versions", { value: { ...process.versions, node: "20.0.0" } })'
  const { status } = await runWithPreload(olderNode, ['search', 'plan', '--url', `http://127.0.0.1:${port}`], (child) =>
    server.once('request', () => child.kill('SIGTERM')),
  )
  server.closeAllConnections()
  server.close()
  assert.equal(status, 128 + constants.signals.SIGTERM)
})

/** Runs the command after the JavaScript `preload`. `onStart` gets the process. */
async function runWithPreload(
  preload: string,
  args: readonly string[],
  onStart: (child: ChildProcess) => void = () => {},
): Promise<CommandResult> {
  const NODE_OPTIONS = `--import=data:text/javascript,${encodeURIComponent(preload)}`
  return runCommand(args, { env: { NODE_OPTIONS }, onStart })
}

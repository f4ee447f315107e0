// `serve` as a process: its output, its signals, and its error messages.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { Agent, get, type IncomingMessage } from 'node:http'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { after, before, test } from 'node:test'
import { connect } from 'node:tls'
import { fileURLToPath } from 'node:url'
import { parseInvocation, UsageFault } from '../../src/cli/config.ts'
import { parseServeSettings } from '../../src/server/settings.ts'
import { runCommand } from '../command.ts'
import { until } from '../server/serve.ts'
import { publishRecords } from '../service.ts'
import { serve } from './process.ts'

const certificatesFolder = fileURLToPath(new URL('certificates/', import.meta.url))
let folder: string
let database: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  database = `sqlite:${join(folder, 'registry.db')}`
  /** An export of all records has almost a megabyte, so it is still being sent when a signal arrives. */
  const records = Array.from({ length: 2000 }, (_, index) => ({ code: `A-${index + 1}`, title: 'Plan '.repeat(60) }))
  await publishRecords(database, records)
})
after(() => rm(folder, { recursive: true }))

test('serve prints one line with its URL, responds there, and ends on SIGTERM with status 0', async () => {
  await using served = await serve(['--database', database])
  assert.match(served.base, /^http:\/\/127\.0\.0\.1:\d+\/registry$/)
  assert.equal((await fetch(`${served.base}/record/A-1`)).status, 200)
  served.child.kill('SIGTERM')
  assert.equal(await served.exit, 0)
  assert.equal(served.output.stdout, `listening on ${served.base}\n`)
  const messages = served.output.stderr
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line).msg)
  assert.deepEqual(messages, ['snapshot in service', 'shutting down, requests in progress finish', 'ended'])
})

test('settings come from environment variables too, and flags take precedence', async () => {
  // `serve` is started with the flag `--port 0`, so the port 1 is not used.
  const env = { DATABASE_URL: database, BASE_PATH: '/plans/v1', PORT: '1' }
  await using served = await serve([], { env })
  assert.match(served.base, /\/plans\/v1$/)
  const response = await fetch(`${served.base}/record?limit=1`)
  assert.match(response.headers.get('link') ?? '', /\/plans\/v1\/record\?limit=1&cursor=/)
})

test('a variable turns a switch on or off, and any other value is a usage error', (t) => {
  t.after(() => {
    delete process.env.MCP
  })
  const isMcpOn = (value: string): boolean => {
    process.env.MCP = value
    return parseInvocation('serve', []).isEnabled('mcp')
  }
  assert.deepEqual(['1', 'True', 'yes'].map(isMcpOn), [true, true, true])
  assert.deepEqual(['0', 'false', 'NO', ''].map(isMcpOn), [false, false, false, false])
  const message = 'Cannot read MCP: expected one of 1, true, yes, 0, false, no, got "on"'
  assert.throws(() => isMcpOn('on'), { name: UsageFault.name, message })
})

test('with the base path / everything is at the root', async () => {
  await using served = await serve(['--database', database, '--base-path', '/'])
  assert.match(served.base, /^http:\/\/127\.0\.0\.1:\d+$/)
  for (const path of ['/', '/record/A-1', '/municipality', '/docs', '/openapi.json', '/problems/no-match']) {
    assert.equal((await fetch(served.base + path)).status, 200, path)
  }
  // The inscription code is empty.
  assert.equal((await fetch(`${served.base}/record/`)).status, 400)
})

test('two SIGINTs of one Ctrl-C do not cut a response in progress', async () => {
  // If the Node that runs bin/planning-registry.js is too old, it starts `serve` in a child process with a newer Node.
  // Ctrl-C in the terminal sends SIGINT to both processes, and the parent passes its own on, so `serve` gets two.
  await using served = await serve(['--database', database])
  const response = await new Promise<IncomingMessage>((resolve) => get(`${served.base}/record`, resolve))
  served.child.kill('SIGINT')
  // The second SIGINT is sent after the first one was handled: from then on the process accepts no new connections.
  await until(
    async () =>
      await fetch(`${served.base}/record/A-1`).then(
        () => false,
        () => true,
      ),
  )
  served.child.kill('SIGINT')
  let text = ''
  for await (const chunk of response) text += chunk
  assert.equal(JSON.parse(text).resultadoBusqueda.length, 2000)
  assert.equal(await served.exit, 0)
})

test('after SIGTERM an open connection gets one more response, with Connection: close, and no reset', async () => {
  await using served = await serve(['--database', database])
  const agent = new Agent({ keepAlive: true, maxSockets: 1 })
  /** Returns the Connection header of a complete response. */
  const requestRecord = (): Promise<string | undefined> =>
    new Promise((resolve, reject) => {
      const outgoing = get(`${served.base}/record/A-1`, { agent }, (response) => {
        assert.equal(response.statusCode, 200)
        response.resume().on('end', () => resolve(response.headers.connection))
      })
      outgoing.on('error', reject)
    })
  assert.equal(await requestRecord(), 'keep-alive')
  served.child.kill('SIGTERM')
  // The process handles the signal a moment later.
  while ((await requestRecord()) !== 'close') assert.equal(served.child.exitCode, null)
  assert.equal(await served.exit, 0)
  agent.destroy()
})

test('with a certificate serve uses HTTPS, and SIGHUP rereads the certificate', async () => {
  const cert = join(folder, 'cert.pem')
  const key = join(folder, 'key.pem')
  /** Puts the certificate where the service reads it. */
  const install = async (name: string): Promise<void> => {
    await copyFile(join(certificatesFolder, `${name}.cert.pem`), cert)
    await copyFile(join(certificatesFolder, `${name}.key.pem`), key)
  }
  await install('first')
  await using served = await serve(['--database', database, '--tls-cert', cert, '--tls-key', key])
  assert.match(served.base, /^https:/)
  /** The name of the certificate that a new connection gets. */
  const readCertificateName = async (): Promise<unknown> => {
    const socket = connect({ port: Number(new URL(served.base).port), rejectUnauthorized: false })
    await once(socket, 'secureConnect')
    const { subject } = socket.getPeerCertificate()
    socket.destroy()
    return subject.CN
  }
  assert.equal(await readCertificateName(), 'first.test')
  await install('second')
  served.child.kill('SIGHUP')
  while ((await readCertificateName()) !== 'second.test') assert.equal(served.child.exitCode, null)
  await writeFile(cert, 'broken')
  served.child.kill('SIGHUP')
  while (!served.output.stderr.includes('certificate not reread'))
    assert.equal(await readCertificateName(), 'second.test')
  assert.equal(await readCertificateName(), 'second.test', 'the old certificate stays in use')
  served.child.kill('SIGTERM')
  assert.equal(await served.exit, 0)
})

/**
 * Arguments with which `serve` does not start, and its message on standard error. A function makes the arguments,
 * because `folder` is set later.
 */
const cannotStart: readonly [what: string, makeArgs: () => Promise<readonly string[]>, message: RegExp][] = [
  ['a missing database', async () => ['--database', `sqlite:${join(folder, 'none.db')}`], /none\.db/],
  ['a missing folder', async () => ['--database', `sqlite:${join(folder, 'none', 'registry.db')}`], /registry\.db/],
  ['a folder instead of a database file', async () => ['--database', `sqlite:${folder}`], /folder/],
  ['an unknown database engine', async () => ['--database', 'mysql://localhost/x'], /mysql:\/\/localhost\/x/],
  [
    'an empty file',
    async () => {
      await writeFile(join(folder, 'empty.db'), '')
      return ['--database', `sqlite:${join(folder, 'empty.db')}`]
    },
    /empty\.db/,
  ],
  [
    'a foreign SQLite file',
    async () => {
      const foreign = new DatabaseSync(join(folder, 'foreign.db'))
      foreign.exec('create table record (id text)')
      foreign.close()
      return ['--database', `sqlite:${join(folder, 'foreign.db')}`]
    },
    /foreign\.db/,
  ],
  [
    'a file that is not a database',
    async () => {
      await writeFile(join(folder, 'text.db'), 'id;title\n'.repeat(10_000))
      return ['--database', `sqlite:${join(folder, 'text.db')}`]
    },
    /text\.db/,
  ],
  [
    'a truncated database',
    async () => {
      const whole = await readFile(join(folder, 'registry.db'))
      await writeFile(join(folder, 'cut.db'), whole.subarray(0, whole.byteLength / 2))
      return ['--database', `sqlite:${join(folder, 'cut.db')}`]
    },
    /cut\.db/,
  ],
  ['an unknown flag', async () => ['--prot', '8080'], /Cannot read --prot: .* did you mean --port\?/],
  [
    'an unreadable certificate',
    async () => ['--database', database, '--tls-cert', join(folder, 'no.pem'), '--tls-key', join(folder, 'no.pem')],
    /Cannot read .*no\.pem: there is no such file/,
  ],
  [
    'a key of another certificate',
    async () => [
      '--database',
      database,
      '--tls-cert',
      join(certificatesFolder, 'first.cert.pem'),
      '--tls-key',
      join(certificatesFolder, 'second.key.pem'),
    ],
    /Cannot use .*first\.cert\.pem with .*second\.key\.pem: expected a certificate chain/,
  ],
  [
    'an address that this machine does not have',
    async () => ['--database', database, '--host', '192.0.2.1'],
    /192\.0\.2\.1.*--host/,
  ],
]

for (const [what, makeArgs, message] of cannotStart) {
  test(`serve does not start on ${what}: one line, exit 2`, async () => {
    const { status, stdout, stderr } = await runCommand(['serve', ...(await makeArgs())], { cwd: folder })
    assert.equal(status, 2, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, /^planning-registry: [^\n]+\n$/)
    assert.match(stderr, message)
    assert.doesNotMatch(stderr, /\bat .*:\d+:\d+|Error:/, 'no stack trace')
  })
}

/** Wrong flags and their message. */
const wrongFlags: readonly [what: string, args: readonly string[], message: RegExp][] = [
  ['a flag of another command', ['--seed', '1'], /^Cannot read --seed/],
  ['a flag without its value', ['--port'], /^Cannot read --port: it needs a value, as in --port NUMBER/],
  ['a flag with an empty value', ['--database', ''], /^Cannot read --database: it needs a value/],
  ['an unknown flag that resembles no flag', ['--zzz', '1'], /no such flag; see planning-registry serve --help/],
  ['a flag instead of a value', ['--host', '--port', '1'], /^Cannot read --host: it needs a value/],
  ['an unexpected argument', ['registry.db'], /^Cannot read "registry\.db"/],
  ['a port that is not a number', ['--port', 'http'], /^Cannot read --port: .* from 0 to 65535, got "http"/],
  ['a port out of range', ['--port', '70000'], /^Cannot read --port/],
  ['a base path without a slash', ['--base-path', 'registry'], /^Cannot read --base-path/],
  ['a base path with spaces', ['--base-path', '/a b'], /^Cannot read --base-path/],
  ['a public address without a scheme', ['--public-url', 'example.org'], /^Cannot read --public-url/],
  ['a public address with a query', ['--public-url', 'https://a.example/?x'], /^Cannot read --public-url/],
  ['an unknown log level', ['--log-level', 'loud'], /^Cannot read --log-level: expected one of fatal,/],
  ['a licence that is not a URL', ['--dataset-licence', 'CC BY'], /^Cannot read --dataset-licence/],
  ['a certificate without a key', ['--tls-cert', 'a.pem'], /without --tls-key/],
  ['a key without a certificate', ['--tls-key', 'a.pem'], /without --tls-cert/],
]

for (const [what, args, message] of wrongFlags) {
  test(`serve rejects ${what}`, () => {
    assert.throws(() => parseServeSettings(parseInvocation('serve', args)), { name: UsageFault.name, message })
  })
}

test('two services with the same registry and dataset settings describe the same dataset, on any port', () => {
  const parse = (port: string) => parseServeSettings(parseInvocation('serve', ['--port', port, '--title', 'Registro']))
  assert.deepEqual(parse('8081').dataset, parse('8082').dataset)
})

test('--dataset-title is another name of --title', () => {
  const parseTitle = (...args: string[]): string => parseServeSettings(parseInvocation('serve', args)).dataset.title
  assert.equal(parseTitle('--title', 'Planes'), 'Planes')
  assert.equal(parseTitle('--dataset-title', 'Planes'), 'Planes')
  assert.equal(parseTitle('--title=Uno', '--dataset-title=Dos'), 'Dos')
})

test('a setting that has no effect any more is accepted with a warning, as flag and as variable', async () => {
  for (const [flags, env, name] of [
    [['--cache-mb', '64'], {}, '--cache-mb'],
    [[], { CACHE_MB: '64' }, 'CACHE_MB'],
  ] as const) {
    await using served = await serve(['--database', database, ...flags], { env })
    const [line = ''] = served.output.stderr.split('\n')
    // Level 40 is `warn` of pino.
    assert.partialDeepStrictEqual(JSON.parse(line), { level: 40, setting: name })
  }
})

test('the message about a wrong value names its variable or its flag', async () => {
  const byVariable = await runCommand(['serve'], { cwd: folder, env: { PORT: 'abc' } })
  assert.match(byVariable.stderr, /Cannot read PORT: expected a whole number from 0 to 65535, got "abc"/)
  const byFlag = await runCommand(['serve', '--port', 'xyz'], { cwd: folder, env: { PORT: 'abc' } })
  assert.match(byFlag.stderr, /Cannot read --port: .*got "xyz"/)
  const faults: readonly [env: Record<string, string>, flags: string[], message: RegExp][] = [
    [{ TRUSTED_PROXY: 'nginx' }, [], /Cannot read TRUSTED_PROXY: expected an address or a network .*, got "nginx"/],
    [{ TLS_CERT: 'a.pem' }, [], /Cannot use TLS_CERT without --tls-key: give both/],
    [{ TLS_CERT: 'a.pem' }, ['--tls-cert', 'b.pem'], /Cannot use --tls-cert without --tls-key: give both/],
  ]
  for (const [env, flags, message] of faults) {
    const { status, stderr } = await runCommand(['serve', ...flags], { cwd: folder, env })
    assert.equal(status, 2)
    assert.match(stderr, message)
  }
})

test('serve does not start if its port and the admin port are the same', async () => {
  const { status, stderr } = await runCommand(['serve'], { cwd: folder, env: { PORT: '8081', ADMIN_PORT: '8081' } })
  assert.equal(status, 2)
  assert.equal(stderr, 'planning-registry: Cannot use port 8081 for both PORT and ADMIN_PORT: choose two ports\n')
  const parse = (...args: string[]) => parseServeSettings(parseInvocation('serve', args))
  const adminOn8080 = ['--admin-port', '8080']
  // The default of --port is 8080. A host of all addresses includes 127.0.0.1, the default of --admin-host.
  for (const flags of [[], ['--host', '0.0.0.0'], ['--host', '192.0.2.1', '--admin-host', '::']]) {
    assert.throws(() => parse(...adminOn8080, ...flags), /Cannot use port 8080 for both --port and --admin-port/)
  }
  assert.equal(parse(...adminOn8080, '--host', '192.0.2.1').port, 8080)
  assert.equal(parse('--port', '0', '--admin-port', '0').adminPort, 0)
})

test('serve does not start on a port in use', async () => {
  const taken = createServer()
  await once(taken.listen(0, '127.0.0.1'), 'listening')
  const address = taken.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const { status, stderr } = await runCommand(['serve', '--database', database, '--port', String(port)])
  taken.close()
  assert.equal(status, 2)
  assert.equal(
    stderr,
    `planning-registry: Cannot listen on 127.0.0.1:${port}: the port is taken; choose another with --port\n`,
  )
})

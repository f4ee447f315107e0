// Uses an unpacked download as an office would: the desk, sample, import, serve, and import again while serving. It takes the
// folder of the download, and imports nothing of the project, so that it runs anywhere in the download's own Node:
// `node archive-run.ts FOLDER`. The jobs of .github/workflows/release.yml run it, and archive.ts in a bare Debian.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

const archive = process.argv[2] ?? assert.fail('give the folder of the download')
const isWindows = process.platform === 'win32'

const work = mkdtempSync(join(tmpdir(), 'planning-registry-'))
const starter = join(archive, isWindows ? 'planning-registry.cmd' : 'planning-registry')
const database = `sqlite:${join(work, 'registry.db')}`
const records = join(work, 'sample', 'records.csv')

run('sample', join(work, 'sample'), '--records', '60', '--documents', '4')
const importFlags = ['--documents', join(work, 'sample', 'documents'), '--database', database]
run('import', records, ...importFlags)
run('check', '--database', database)

const service = spawn(quote(starter), ['serve', '--port', '0', '--database', quote(database)], {
  shell: isWindows,
  stdio: ['ignore', 'pipe', 'inherit'],
})
const [line] = await once(createInterface(service.stdout), 'line')
const base = /http:\S+/.exec(line)?.[0] ?? assert.fail(line)
assert.equal((await fetch(`${base}/record?limit=1`)).status, 200)
const page = await fetch(base, { headers: { accept: 'text/html', 'accept-language': 'es' } })
assert.match(await page.text(), /<main/)

// A copy of the last row with another code and id.
const rows = readFileSync(records, 'utf8').trimEnd().split(/\r?\n/)
const [headings = '', last = ''] = [rows[0], rows.at(-1)]
const columns = headings.replace('\uFEFF', '').split(/[,;]/)
const cells = last.match(/("(?:[^"]|"")*"|[^,;]*)(?:[,;]|$)/g) ?? []
const code = '05019-PU-20260101-999999'
const replacements = new Map([
  ['code', code],
  ['id', '999999'],
  ['registration_number', '999999'],
])
const added = columns.map((column, index) => {
  const separator = cells[index]?.slice(-1) ?? ''
  const value = replacements.get(column)
  return value === undefined ? (cells[index] ?? '') : `${value}${/[,;]/.test(separator) ? separator : ''}`
})
appendFileSync(records, `${added.join('')}\n`)
assert.equal((await fetch(`${base}/record/${code}`)).status, 404)
run('import', records, ...importFlags)
const deadline = performance.now() + 30_000
while ((await fetch(`${base}/record/${code}`)).status !== 200) {
  assert.ok(performance.now() < deadline, 'the service does not answer from the new registry')
}

if (isWindows) execFileSync('taskkill', ['/pid', String(service.pid), '/t', '/f'])
else service.kill('SIGTERM')
const [status] = await once(service, 'exit')
if (!isWindows) assert.equal(status, 0)
await tryDesk()
process.stdout.write('the download works: sample, import, check, serve, import while serving, desk\n')

/** Starts the desk as a double click does, enters it, and ends it with its button. */
async function tryDesk(): Promise<void> {
  const deskStarter = join(archive, isWindows ? 'Asistente.cmd' : 'asistente.sh')
  const desk = spawn(quote(deskStarter), ['--no-browser', quote(work)], {
    shell: isWindows,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  let address = ''
  for await (const line of createInterface(desk.stdout)) {
    address = /http:\S+/.exec(line)?.[0] ?? ''
    if (address !== '') break
  }
  const { origin } = new URL(address)
  assert.equal((await fetch(`${origin}/hoja`)).status, 403)
  const entered = await fetch(address, { redirect: 'manual' })
  const headers = { cookie: entered.headers.get('set-cookie')?.split(';')[0] ?? '', origin }
  assert.match(await (await fetch(`${origin}/hoja`, { headers })).text(), /Elija la hoja de cálculo/)
  await fetch(`${origin}/terminar`, { method: 'POST', headers })
  const [deskStatus] = await once(desk, 'exit')
  assert.equal(deskStatus, 0)
}

/** Runs a command of the download to its end; throws if it fails. */
function run(...args: string[]): void {
  execFileSync(quote(starter), args.map(quote), { shell: isWindows, stdio: 'inherit', cwd: work })
}

/** In a shell of Windows, a path may need quotes. */
function quote(text: string): string {
  return isWindows && text.includes(' ') ? `"${text}"` : text
}

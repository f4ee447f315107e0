// The office's own documents from the folder to the reader: `import --publish-documents` keeps the files, and the service
// hands them out at `documento/{sha256}`, whole and in ranges, until an import withdraws them.
import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { existsSync } from 'node:fs'
import { chmod, mkdir, readdir, readFile, rename, rm, stat, symlink, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import type { ClientRecord } from '../../src/client/client.ts'
import { openStore } from '../../src/registry/open.ts'
import { startWebStore } from '../registry/stores/web-store.ts'
import { startService } from '../service.ts'
import { makePdf } from './documents/pdf.ts'
import { assertUsageError, makeRegistry } from './registry.ts'

const plan = makePdf([{ lines: ['Portada'] }, { lines: ['Normas del mirador'] }])
const notes = Buffer.from('<!doctype html><title>Notas</title><script>alert(1)</script><p>Apuntes del molino</p>')
const own = makePdf([{ lines: ['Con enlace propio'] }])
const secret = makePdf([{ lines: ['Borrador'] }])
const sha = (content: Uint8Array): string => hash('sha256', content)
const planName = 'Memoria "ñ" (1).pdf'

/** A record with two files that have no address, one whose file has an address, and one without its file. */
const source = `code,id,title,municipality,checkin_date,links,document
A-1,1,Plan del mirador,Ávila,2004-05-18,,"Memoria ""ñ"" (1).pdf;notas.html"
A-2,2,Plan,Ávila,2004-05-17,https://example.org/own.pdf,own.pdf
A-3,3,Plan,Ávila,2004-05-16,,otro.pdf
`

test('the files that records name are handed out, and no other file', async (t) => {
  const office = await makeOffice(t)
  await chmod(join(office.path, 'documents', planName), 0o400)
  const { status, stderr } = await office.runImport('--publish-documents')
  assert.equal(status, 0, stderr)
  assert.deepEqual(await office.kept(), [plan, notes, own].map(sha).sort())
  assert.equal((await stat(join(office.path, 'data/documents/registry', sha(plan)))).mode & 0o777, 0o644)
  await using service = await office.serve()

  const [first, second, third] = await service.records()
  assert.deepEqual(
    [first, second, third].map((record) => record?.documents?.map(({ href }) => href)),
    [[`documento/${sha(plan)}`, `documento/${sha(notes)}`], ['https://example.org/own.pdf'], [null]],
  )
  const passages = await Promise.all(['mirador', 'molino'].map((term) => service.records(`&search=${term}`)))
  assert.deepEqual(
    passages.map(([record]) => record?.passages?.map(({ href }) => href).at(-1)),
    [`documento/${sha(plan)}#page=2`, `documento/${sha(notes)}`],
  )

  const pdf = await service.get(sha(plan))
  assert.deepEqual(await pdf.bytes(), new Uint8Array(plan))
  assert.deepEqual(
    pick(pdf, 'content-type', 'content-disposition', 'x-content-type-options', 'cache-control', 'etag'),
    [
      'application/pdf',
      `inline; filename="Memoria _n_ (1).pdf"; filename*=UTF-8''Memoria%20%22%C3%B1%22%20%281%29.pdf`,
      'nosniff',
      'no-cache',
      `"${sha(plan)}"`,
    ],
  )
  // What else ranges and conditions do is tested in offer-file.test.ts.
  const etag = `"${sha(plan)}"`
  const part = await service.get(sha(plan), { headers: { range: 'bytes=5-9', 'if-range': etag } })
  assert.deepEqual([part.status, Buffer.from(await part.bytes())], [206, plan.subarray(5, 10)])
  const head = await service.get(sha(plan), { method: 'HEAD' })
  assert.deepEqual([head.status, ...pick(head, 'content-length', 'accept-ranges')], [200, String(plan.length), 'bytes'])
  assert.equal((await service.get(sha(plan), { headers: { 'if-none-match': etag } })).status, 304)
  const download = await service.get(sha(notes))
  assert.deepEqual(pick(download, 'content-type', 'content-disposition', 'content-security-policy'), [
    'application/octet-stream',
    `attachment; filename="notas.html"; filename*=UTF-8''notas.html`,
    "default-src 'none'; sandbox",
  ])

  const page = await (await fetch(`${service.base}/?search=mirador`, { headers: { accept: 'text/html' } })).text()
  assert.ok(page.includes(`href="documento/${sha(plan)}#page=2"`), 'the passage links to its page')
  const list = await (await fetch(`${service.base}/`, { headers: { accept: 'text/html' } })).text()
  assert.ok(list.includes(`href="documento/${sha(plan)}"`), 'a record without links has its document')
})

test('nothing else can be read: other names, other files, and a file that is cut or replaced by a link', async (t) => {
  const office = await makeOffice(t)
  await office.runImport('--publish-documents')
  await office.write(`data/documents/registry/${sha(secret)}`, secret)
  await using service = await office.serve()
  await truncate(join(office.path, 'data/documents/registry', sha(own)), 10)
  const replaced = join(office.path, 'data/documents/registry', sha(notes))
  await rm(replaced)
  await symlink(join(office.path, 'documents/notas.html'), replaced)
  const names = [
    sha(secret),
    sha(own),
    sha(notes),
    sha(plan).toUpperCase(),
    `${sha(plan)}/`,
    `%2e%2e%2fdocuments%2f${sha(plan)}`,
    '..%2f..%2fregistry.db',
    '%2e%2e/%2e%2e/registry.db',
    `${sha(plan)}%00`,
    '',
  ]
  for (const name of names) {
    const response = await service.get(name)
    assert.equal(response.status, 404, name)
    assert.equal(response.headers.get('content-type'), 'application/problem+json', name)
    await response.body?.cancel()
  }
  assert.equal((await office.runImport('--publish-documents')).status, 0)
  for (const sha256 of [sha(own), sha(notes)]) assert.equal((await service.get(sha256)).status, 200)
})

test('what an import withdraws is gone at once, and deleted by the import after it', async (t) => {
  const office = await makeOffice(t)
  await office.runImport('--publish-documents')
  await using service = await office.serve()
  const [, etag] = await service.recordsWithTag()
  const expectStates = async (states: Readonly<Record<string, [status: number, isThere: boolean]>>): Promise<void> => {
    await service.refresh()
    const found = await Promise.all(
      Object.keys(states).map(async (sha256) => {
        const response = await service.get(sha256)
        await response.body?.cancel()
        return [sha256, [response.status, existsSync(join(office.path, 'data/documents/registry', sha256))]]
      }),
    )
    assert.deepEqual(Object.fromEntries(found), states)
  }

  // The file is renamed, and the record does not name the other one any more.
  await rename(join(office.path, 'documents', planName), join(office.path, 'documents/memoria.pdf'))
  await office.write('records.csv', source.replace(/"Memoria.*"/, 'memoria.pdf'))
  await office.runImport('--publish-documents')
  await expectStates({ [sha(plan)]: [200, true], [sha(notes)]: [404, true], [sha(own)]: [200, true] })
  assert.match(
    (await service.get(sha(plan), { method: 'HEAD' })).headers.get('content-disposition') ?? '',
    /"memoria\.pdf"/,
  )

  const withdrawing = await office.runImport()
  assert.match(withdrawing.stdout, /readers cannot open documents of 1 record; publish them with --publish-documents/)
  await expectStates({ [sha(plan)]: [404, true], [sha(notes)]: [404, false], [sha(own)]: [404, true] })
  const [records, laterTag] = await service.recordsWithTag()
  assert.equal(records[0]?.documents?.[0]?.href, null)
  assert.notEqual(laterTag, etag)

  assert.equal((await office.runImport()).status, 0)
  await expectStates({ [sha(plan)]: [404, false], [sha(notes)]: [404, false], [sha(own)]: [404, false] })
})

test('the address of a document is that of --documents-url, or absolute with a public address', async (t) => {
  const office = await makeOffice(t)
  await office.runImport('--publish-documents')
  const addresses = async (publicUrl?: string): Promise<unknown> => {
    await using service = await office.serve(publicUrl)
    return (await service.records())[0]?.documents?.[0]?.href
  }
  assert.equal(await addresses('https://example.org/registro'), `https://example.org/registro/documento/${sha(plan)}`)
  await office.runImport('--publish-documents', '--documents-url', 'https://files.example.org/planes')
  assert.equal(await addresses('https://example.org/registro'), `https://files.example.org/planes/${sha(plan)}`)
})

test('a service that follows another one has no address for documents that only the other one has', async (t) => {
  const office = await makeOffice(t)
  await office.runImport('--publish-documents')
  await using web = await startWebStore(await readFile(office.file))
  const follower = await openStore(web.address, { dataDir: join(office.path, 'copies') })
  t.after(() => follower.close())
  const page = await follower.current().page({ limit: 10, include: ['documents'] })
  const records = JSON.parse(`[${page?.text}]`) as ClientRecord[]
  assert.deepEqual(
    records.flatMap(({ documents = [] }) => documents.map(({ href }) => href)),
    [null, null, 'https://example.org/own.pdf', null],
  )
})

test('registries that share a --data-dir do not withdraw the files of each other', async (t) => {
  const office = await makeOffice(t)
  const other = (name: string): string[] => ['--publish-documents', '--database', `sqlite:${join(office.path, name)}`]
  assert.equal((await office.runImport('--publish-documents')).status, 0)
  assert.equal((await office.runImport(...other('licencias.db'))).status, 0)
  for (const flags of [[], []]) assert.equal((await office.runImport(...flags)).status, 0)
  assert.deepEqual(await office.kept(), [])
  const kept = await readdir(join(office.path, 'data/documents/licencias'))
  assert.deepEqual(kept.sort(), [plan, notes, own].map(sha).sort())

  await mkdir(join(office.path, 'otra'))
  const refused = await office.runImport(...other('otra/registry.db'))
  assert.equal(refused.status, 2)
  assert.match(
    refused.stderr,
    /has those of the registry registry\.db; give this one a folder of its own with --data-dir/,
  )
  await rename(office.file, join(office.path, 'old.db'))
  assert.equal((await office.runImport(...other('otra/registry.db'))).status, 0, 'its owner does not exist any more')
})

test('an import that publishes nothing keeps no files', async (t) => {
  const office = await makeOffice(t)
  assert.equal((await office.runImport('--publish-documents', '--dry-run')).status, 0)
  assert.deepEqual(await office.kept(), [])
  await office.runImport()
  await office.write('records.csv', source.split('\n').slice(0, 2).join('\n'))
  assert.equal((await office.runImport('--publish-documents')).status, 1, 'too many records are gone')
  assert.deepEqual(await office.kept(), [])
})

test('--publish-documents says what it needs', async () => {
  const rows: readonly [flags: string[], message: RegExp][] = [
    [['--publish-documents'], /without --documents DIR$/],
    [['--documents-url', 'https://example.org'], /without --publish-documents$/],
    [
      ['--documents', '.', '--publish-documents', '--documents-url', 'ftp://x'],
      /expected https:\/\/HOST\/PATH, got "ftp:\/\/x"$/,
    ],
    [['--documents', '.', '--publish-documents', '--database', 'postgres://host/registry'], followersMessage],
    [['--documents', '.', '--publish-documents', '--export', 'out'], followersMessage],
  ]
  for (const [flags, message] of rows) await assertUsageError(['records.csv', ...flags], message)
})

const followersMessage = /services that follow this registry would not have the files; .* --documents-url$/

/** The values of these headers. */
function pick({ headers }: Response, ...names: readonly string[]): (string | null)[] {
  return names.map((name) => headers.get(name))
}

/** A folder with the source, its files, and a draft that no record names. */
async function makeOffice(t: TestContext) {
  const registry = await makeRegistry(t)
  await registry.write('records.csv', source)
  await mkdir(join(registry.path, 'documents'))
  const files = { [planName]: plan, 'notas.html': notes, 'own.pdf': own, 'borrador.pdf': secret }
  for (const [name, content] of Object.entries(files)) await registry.write(`documents/${name}`, content)
  return {
    ...registry,
    runImport: (...flags: string[]) => registry.runImport('records.csv', '--documents', 'documents', ...flags),
    /** The names of the files that the import has kept. */
    kept: async (): Promise<string[]> =>
      (await readdir(join(registry.path, 'data/documents/registry')).catch(() => [])).sort(),
    serve: (publicUrl?: string) => serve(registry.file, join(registry.path, 'data/documents/registry'), publicUrl),
  }
}

async function serve(file: string, documentsFolder: string, publicUrl: string | undefined) {
  const store = await openStore(`sqlite:${file}`, { publicUrl })
  const service = await startService([], { wrapStore: () => store, documentsFolder })
  const recordsWithTag = async (query = ''): Promise<[ClientRecord[], string | null]> => {
    const include = query === '' ? 'documents' : 'documents,passages'
    const response = await fetch(`${service.base}/record?limit=10&include=${include}${query}`)
    const { resultadoBusqueda } = (await response.json()) as { resultadoBusqueda: ClientRecord[] }
    return [resultadoBusqueda, response.headers.get('etag')]
  }
  return {
    base: service.base,
    get: (name: string, request?: RequestInit) => fetch(`${service.base}/documento/${name}`, request),
    recordsWithTag,
    records: async (query?: string) => (await recordsWithTag(query))[0],
    refresh: () => store.refresh(),
    [Symbol.asyncDispose]: async () => {
      await service[Symbol.asyncDispose]()
      await store.close()
    },
  }
}

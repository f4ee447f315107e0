// The desk over HTTP, without a script: who is let in, and the way from a spreadsheet to a published registry.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readFile, stat, symlink } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { makeTemporaryFolder } from '../cli/temporary-folder.ts'
import { runCommand } from '../command.ts'
import { createDatabase } from '../postgres-database.ts'
import { type Desk, DeskClient, openDesk, readForm, send, startDesk } from './desk.ts'

test('the token opens the desk once, for a cookie that no script and no other site can use', async (t) => {
  const desk = await startDesk(t)
  for (const path of ['/', '/hoja', '/registry/', '/desk.css', '/nada', '/entrar', '/entrar?token=x']) {
    const refused = await send(desk.origin + path)
    assert.equal(refused.status, 403, path)
    assert.match(refused.text, /^Este navegador no tiene acceso al asistente\./)
  }
  const entered = await send(desk.address)
  assert.equal(entered.status, 303)
  // Without the token.
  assert.equal(entered.headers.location, '/')
  const [cookie = ''] = entered.headers['set-cookie'] ?? []
  assert.match(cookie, /^desk-\d+=[\w-]{43}; Path=\/; HttpOnly; SameSite=Strict$/)
  assert.equal((await send(desk.address)).status, 403)
  const { status, headers, text } = await send(`${desk.origin}/hoja`, {
    headers: { Cookie: cookie.split(';')[0] ?? '' },
  })
  assert.equal(status, 200)
  assert.match(text, /expedientes\.xlsx/)
  assert.match(String(headers['content-security-policy']), /^default-src 'none'; .*frame-ancestors 'none'$/)
  assert.doesNotMatch(text, /<script>|style=/)
  const wrong = await send(`${desk.origin}/hoja`, { headers: { Cookie: `${cookie.slice(0, 20)}${'A'.repeat(30)}` } })
  assert.equal(wrong.status, 403)
})

test('another host, page or port is refused, with the cookie too', async (t) => {
  const desk = await startDesk(t)
  const { cookie: Cookie } = await DeskClient.enter(desk)
  const port = new URL(desk.origin).port
  const body = `archivo=${encodeURIComponent(join(desk.folder.path, 'expedientes.xlsx'))}`
  const attacks: readonly Parameters<typeof send>[1][] = [
    { headers: { Cookie, Host: `evil.example:${port}` } },
    { headers: { Cookie, Host: `localhost:${port}` } },
    { headers: { Cookie, Host: '127.0.0.1' } },
    { headers: { Cookie, Origin: 'http://evil.example' } },
    { headers: { Cookie, 'Sec-Fetch-Site': 'cross-site' } },
    { headers: { Cookie, 'Sec-Fetch-Site': 'same-site' } },
    { method: 'POST', headers: { Cookie }, body },
    { method: 'POST', headers: { Cookie, Origin: 'null' }, body },
    { method: 'POST', headers: { Cookie, Origin: 'http://127.0.0.1:1' }, body },
    { method: 'POST', headers: { Cookie, Origin: `https://127.0.0.1:${port}` }, body },
    { method: 'POST', headers: { Origin: desk.origin }, body },
  ]
  for (const attack of attacks)
    assert.equal((await send(`${desk.origin}/hoja`, attack)).status, 403, JSON.stringify(attack))
  // Nothing was chosen.
  await assert.rejects(stat(join(desk.folder.path, 'registro.json')))
})

test('only the folders of the user are shown, and no link leads out of them', async (t) => {
  const desk = await startDesk(t)
  const outside = await makeTemporaryFolder(t)
  await symlink(outside, join(desk.folder.path, 'enlace'))
  await symlink('/etc/passwd', join(desk.folder.path, 'enlace.csv'))
  const client = await DeskClient.enter(desk)
  const { text } = await client.get('/hoja')
  assert.match(text, /carpeta=[^"]*pdf"/)
  assert.doesNotMatch(text, /enlace/)
  for (const path of [outside, '/etc', join(desk.folder.path, 'enlace'), `${desk.folder.path}/../..`, '/nada']) {
    const refused = await client.get(`/hoja?carpeta=${encodeURIComponent(path)}`)
    assert.equal(refused.status, 422, path)
    assert.match(refused.text, /No se puede abrir/)
  }
  for (const path of ['/etc/passwd', join(desk.folder.path, 'enlace.csv'), join(desk.folder.path, 'pdf'), '']) {
    assert.equal((await client.post('/hoja', [['archivo', path]])).status, 422, path)
  }
})

/** Chooses the sheet and the PDFs, and answers the questions about columns and rows. */
async function answerUpToDocuments(desk: Desk, client: DeskClient): Promise<void> {
  const { path } = desk.folder
  const folders = await client.post('/hoja', [['archivo', join(path, 'expedientes.xlsx')]])
  assert.match(folders.text, /<h1>Elija la carpeta de los PDF<\/h1>/)
  const columns = await client.post('/carpeta', [['carpeta', join(path, 'pdf')]])
  // The municipality is in no column, and the form of the codes was proposed.
  assert.match(columns.text, /<select id="columna-municipality" name="columna-municipality" aria-invalid="true">/)
  assert.match(
    columns.text,
    /<details><summary>Columnas que parecen contener datos personales \(1\)<\/summary>.*Promotor/,
  )
  const rows = await client.post(
    '/columnas',
    readForm(columns.text, '/columnas', { municipio: 'Almansa', campo: 'hTipo' }),
  )
  assert.match(rows.text, /<strong>3 expedientes<\/strong> se pueden publicar;\s*<strong>2 filas<\/strong> no\./)
  assert.match(rows.text, /<td>6<\/td>.*no existe el 31 de febrero.*<td class="wrong"><mark>31-2-07<\/mark><\/td>/)
  assert.match(rows.text, /<td>5<\/td>.*código repetido.*<td class="wrong"><mark>2\/1992<\/mark><\/td>/)
  const form = readForm(rows.text, '/filas')
  const insisted = await client.post('/filas', [...form, ['accion', 'seguir']])
  assert.match(insisted.text, /role="alert">Corrija las filas, o marque que se publique sin ellas\./)
  const merged = readForm(rows.text, '/filas', { duplicados: 'merge', 'sin-filas': '20%', accion: 'seguir' })
  assert.match((await client.post('/filas', merged)).text, /<h1>Documentos<\/h1>/)
}

test('a clerk comes from a spreadsheet to a published registry, and every night repeats it', async (t) => {
  const desk = await startDesk(t)
  const client = await DeskClient.enter(desk)
  await answerUpToDocuments(desk, client)
  await client.post('/documentos', [['publicar', 'si']])
  const preview = await client.getEnded('/vista')
  assert.match(preview, /Así verá el público el registro/, preview)
  // The registry is behind the guard too.
  assert.equal((await send(`${desk.origin}/registry/record`)).status, 403)
  const found = JSON.parse((await client.get('/registry/record?search=tapias&include=fields,documents')).text)
  const [record] = found.resultadoBusqueda
  assert.deepEqual(
    [record.title, record.municipality, record.fields],
    ['Estudio de Detalle, calle Mayor', 'Almansa', { Tipo: 'Estudio de Detalle' }],
  )
  assert.match((await client.get('/registry/')).text, /<title>/)
  assert.match((await client.get(`/registry/${record.documents[0].href}`)).text, /^%PDF/)
  // Nothing is published yet.
  await assert.rejects(stat(join(desk.folder.path, 'registro/registro.db')))

  // A second press of the button starts no second import.
  await Promise.all([1, 2].map(() => client.post('/publicar', [['destino', 'aqui']])))
  assert.match(await client.getEnded('/publicar'), /El registro está publicado/)
  const path = join(desk.folder.path, 'registro.json')
  assert.deepEqual(JSON.parse(await readFile(path, 'utf8')), {
    database: 'sqlite:registro/registro.db',
    'data-dir': 'registro',
    sources: ['expedientes.xlsx'],
    documents: 'pdf',
    mapping: {
      code: 'Nº Expte',
      title: 'Asunto',
      checkin_date: 'F. entrada',
      document: 'PDF',
      municipality: { value: 'Almansa' },
    },
    fields: { Tipo: 'Tipo' },
    'code-pattern': '\\d+/\\d{4}',
    duplicates: 'merge',
    'max-rejects': '20%',
    'publish-documents': true,
  })
  const night = await runCommand(['import', '--plan', path], { cwd: '/' })
  assert.match(night.stdout, /^nothing to publish: .* has the same 3 records already/, night.stderr)

  await client.post('/terminar', [])
  const [status] = await once(desk.running.child, 'close')
  assert.equal(status, 0, desk.running.output.stderr)
  // Opened again, the desk has the answers.
  const again = await DeskClient.enter(await openDesk(t, desk.folder))
  const columns = await again.post('/hoja', [['archivo', path]])
  assert.match(columns.text, /value="hAsunto" selected/)
  assert.match(columns.text, /name="municipio" value="Almansa"/)
  assert.match(columns.text, /value="hTipo" checked/)
})

test('the registry can be published in a folder to upload, and lost records are published only when confirmed', async (t) => {
  const desk = await startDesk(t)
  const client = await DeskClient.enter(desk)
  await answerUpToDocuments(desk, client)
  await client.post('/documentos', [['publicar', 'no']])
  await client.getEnded('/vista')
  const refused = await client.post('/publicar', [
    ['destino', 'postgres'],
    ['direccion', 'mysql://a'],
  ])
  assert.match(refused.text, /La dirección de PostgreSQL empieza por postgres:/)
  await client.post('/publicar', [['destino', 'carpeta']])
  assert.match(await client.getEnded('/publicar'), /Suba el contenido de esta carpeta.*registro-web/)
  assert.ok((await stat(join(desk.folder.path, 'registro-web/current.json'))).isFile())
  // Without the folder of documents their texts would be gone.
  await client.post('/carpeta', [['carpeta', '']])
  await client.post('/publicar', [['destino', 'aqui']])
  const lost = await client.getEnded('/publicar')
  assert.match(lost, /No se ha publicado:/)
  assert.match(lost, /name="aunque-falten"/)
  await client.post('/publicar', [
    ['destino', 'aqui'],
    ['aunque-falten', '1'],
  ])
  assert.match(await client.getEnded('/publicar'), /El registro está publicado/)
})

test('the registry can be published in PostgreSQL, where every night finds it again', async (t) => {
  await using database = await createDatabase()
  const desk = await startDesk(t)
  const client = await DeskClient.enter(desk)
  await answerUpToDocuments(desk, client)
  await client.post('/documentos', [['publicar', 'no']])
  await client.getEnded('/vista')
  await client.post('/publicar', [
    ['destino', 'postgres'],
    ['direccion', database.url],
  ])
  assert.match(await client.getEnded('/publicar'), /El registro está publicado/)
  const { stdout } = await runCommand(['search', 'tapias', '--database', database.url, '--data-dir', desk.folder.path])
  assert.match(stdout, /Estudio de Detalle, calle Mayor/)
  const night = await runCommand(['import', '--plan', join(desk.folder.path, 'registro.json')], { cwd: '/' })
  assert.match(night.stdout, /^nothing to publish: .* has the same 3 records already/, night.stderr)
})

test('a sheet without a column that is needed stays at the columns, and a wrong plan is named', async (t) => {
  const desk = await startDesk(t)
  const client = await DeskClient.enter(desk)
  const source = join(desk.folder.path, 'expedientes.xlsx')
  const columns = await client.post('/hoja', [['archivo', source]]).then(() => client.get('/columnas'))
  const missing = await client.post('/columnas', readForm(columns.text, '/columnas', { 'columna-title': '' }))
  assert.match(
    missing.text,
    /<h1>Compruebe las columnas<\/h1>\s*<p class="failure" role="alert">Falta: Municipio\. Elija/,
  )
  await desk.folder.write('registro.json', '{"sources": ["expedientes.xlsx"], "documentos": "pdf"}')
  const wrong = await client.post('/hoja', [['archivo', source]])
  assert.match(wrong.text, /no existe la opción (?:&quot;|&#34;)documentos/)
  // The file stays as it is.
  assert.match(await readFile(join(desk.folder.path, 'registro.json'), 'utf8'), /documentos/)
})

test('a plan whose folder and own column are gone can be put right', async (t) => {
  const desk = await startDesk(t)
  const client = await DeskClient.enter(desk)
  const mapping = {
    code: 'Nº Expte',
    title: { join: ['Tipo', 'Asunto'], with: ': ' },
    checkin_date: 'F. entrada',
    municipality: { value: 'Almansa' },
  }
  const plan = {
    sources: ['expedientes.xlsx'],
    documents: 'antes',
    'publish-documents': true,
    mapping,
    fields: { Acta: 'ACTA', Figura: 'Tipo' },
  }
  const path = await desk.folder.write('registro.json', JSON.stringify(plan))
  assert.match((await client.post('/hoja', [['archivo', path]])).text, /<h1>Elija la carpeta de los PDF<\/h1>/)
  const columns = await client.post('/carpeta', [['carpeta', '']])
  const rows = await client.post('/columnas', readForm(columns.text, '/columnas'))
  assert.match(rows.text, /<h1>Compruebe las filas<\/h1>/)
  const { mapping: saved, ...others } = JSON.parse(await readFile(path, 'utf8'))
  // A form that the lists cannot show is kept.
  assert.deepEqual(saved.title, mapping.title)
  assert.deepEqual(Object.keys(others).sort(), ['code-pattern', 'data-dir', 'database', 'sources'])
})

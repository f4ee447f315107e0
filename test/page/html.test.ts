// Tests of the pages as the server renders them, without a browser.
// Four records of the registry match `zumacal`: N-1 of 2004 in Alicante, and N-2, N-3 and N-4 of 2005, 2006 and 2003 in
// Ávila. N-2 has the word only in a document, the others have it in the title.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { writeLastImport } from '../../src/registry/stores/last-import.ts'
import { startService, type TestRecord, type TestService } from '../service.ts'

const records: readonly TestRecord[] = [
  {
    code: '03014-1',
    id: 'N-1',
    title: 'Plan Parcial "Zumacal Norte"',
    municipality: 'Alicante',
    checkinDate: '2004-03-15',
  },
  {
    code: '05019-2',
    id: 'N-2',
    title: 'Estudio de Detalle calle Mayor',
    municipality: 'Ávila',
    checkinDate: '2005-06-01',
    links: 'https://documents.example.net/2.pdf',
    documents: [
      {
        href: 'https://documents.example.net/2.pdf',
        pages: 3,
        read: 2,
        recognised: 1,
        unread: 0,
        reason: null,
        sha256: 'ab'.repeat(32),
        texts: [{ page: 2, recognised: false, text: 'junto al camino del zumacal, y otra vez el zumacal' }],
      },
    ],
  },
  {
    code: '05019-3',
    id: 'N-3',
    title: 'Plan zumacales',
    area: 'Sector 7',
    municipality: 'Ávila',
    checkinDate: '2006-02-03',
  },
  { code: '05019-4', id: 'N-4', title: 'zumacal tercera', municipality: 'Ávila', checkinDate: '2003-02-03' },
  {
    code: '05019-5',
    id: 'N-5',
    title: 'Plan Especial',
    area: 'Zaguanes',
    municipality: 'Ávila',
    checkinDate: '2002-02-03',
  },
]

/** The page as text: its elements without their tags, each on a line of its own. */
function toText(html: string): string {
  return html
    .replace(/<(style|script|template)[^>]*>[\s\S]*?<\/\1>/g, '')
    .replace(/<\/?(?:span|mark|strong|a|code)\b[^>]*>/g, '')
    .replace(/<[^>]+>/g, '\n')
    .replace(/&quot;/g, '"')
    .replace(/\s*\n\s*/g, '\n')
}

suite('the HTML of a page', () => {
  let service: TestService
  before(async () => {
    service = await startService(records)
  })
  after(() => service[Symbol.asyncDispose]())

  const get = async (path: string, headers: Record<string, string> = {}): Promise<string> =>
    await (await fetch(`${service.base}/${path}`, { headers })).text()

  test('an English reader gets English, and caches keep the languages apart', async () => {
    for (const [accepted, heading] of [
      ['en-GB,en;q=0.9,es;q=0.8', '4 records with “zumacal”'],
      ['es-ES,es;q=0.9,en;q=0.8', '4 expedientes con «zumacal»'],
      ['ca,en;q=0.5', '4 expedientes con «zumacal»'],
      ['ja', '4 expedientes con «zumacal»'],
    ] as const) {
      const response = await fetch(`${service.base}/?search=zumacal`, { headers: { 'accept-language': accepted } })
      assert.match(response.headers.get('vary') ?? '', /Accept-Language/)
      assert.ok(toText(await response.text()).includes(heading), accepted)
    }
    const named = await get('?search=zumacal&lang=es', { 'accept-language': 'en' })
    assert.ok(toText(named).includes('4 expedientes con «zumacal»'), 'the address decides')
  })

  test('the part with the results is what the page shows in `main`, and is not indexed', async () => {
    const response = await fetch(`${service.base}/resultados?search=zumacal`)
    const part = await response.text()
    assert.equal(response.headers.get('x-robots-tag'), 'noindex')
    assert.ok((await get('?search=zumacal')).includes(part))
    assert.match(part, /data-title="«zumacal» · [^"]+" data-address="\.\/\?search=zumacal"/)
  })

  test('a client that has a page gets 304 without it, in its language only', async () => {
    const spanish = await fetch(`${service.base}/?search=zumacal`, { headers: { 'accept-language': 'es' } })
    const conditions = { 'if-none-match': spanish.headers.get('etag') ?? '' }
    const again = await fetch(`${service.base}/?search=zumacal`, {
      headers: { ...conditions, 'accept-language': 'es' },
    })
    assert.equal(again.status, 304)
    const english = await fetch(`${service.base}/?search=zumacal`, {
      headers: { ...conditions, 'accept-language': 'en' },
    })
    assert.equal(english.status, 200)
  })

  test('records found outside their titles say where: in documents only if documents have the words', async () => {
    const inDocuments = toText(await get('?search=zumacal'))
    assert.match(inDocuments, /En el título\n[\s\S]*zumacales[\s\S]*En los documentos\nEstudio de Detalle/)
    assert.match(inDocuments, /página 2 de 3/)
    const inArea = toText(await get('?search=zaguanes'))
    assert.match(inArea, /En otros datos del expediente\nPlan Especial/)
    assert.doesNotMatch(inArea, /En los documentos/)
  })

  test('empty fields are left out, and a record is identified by its code', async () => {
    const text = toText(await get('?search=tercera'))
    assert.match(text, /N\.º 05019-4/)
    assert.doesNotMatch(text, /Sin fecha|Sin documentos/)
    assert.doesNotMatch(toText(await get('expediente/05019-4')), /No consta/)
  })

  test('on the page of a record, a passage comes before the fields, has an address and can be cited', async () => {
    const html = await get('expediente/05019-2?search=zumacal')
    assert.ok(html.indexOf('id="passage-1-2"') < html.indexOf('class="fields"'))
    assert.match(html, /href="expediente\/05019-2\?search=zumacal#passage-1-2"/)
    const [, citation = ''] = /data-copy="([^"]*passage-1-2)"/.exec(html) ?? []
    assert.match(citation, /^Estudio de Detalle calle Mayor \(expediente 05019-2\), Ávila, con entrada el 1 de junio/)
    assert.match(citation, new RegExp(`Página 2 de 3\\. SHA-256: ${'ab'.repeat(32)}\\. ${service.base}/expediente/`))
  })

  test('every page names the feed to follow, which browsers can read and feed readers get as Atom', async () => {
    for (const [page, label, feed] of [
      ['?search=zumacal', 'Seguir esta búsqueda', 'feed?search=zumacal'],
      ['municipio/05019', 'Seguir este municipio', 'feed?municipality=05019'],
      ['expediente/05019-2', 'Seguir este expediente', 'feed/05019-2'],
    ] as const) {
      const html = await get(page)
      assert.ok(toText(html).includes(label), page)
      assert.ok(html.includes(`data-copy="${service.base}/${feed}"`), page)
      const forReaders = await fetch(`${service.base}/${feed}`, { headers: { accept: '*/*' } })
      assert.match(forReaders.headers.get('content-type') ?? '', /^application\/atom\+xml/)
      assert.match(forReaders.headers.get('vary') ?? '', /\bAccept\b/)
      const forPeople = await fetch(`${service.base}/${feed}`, { headers: { accept: 'text/html,*/*;q=0.8' } })
      assert.match(forPeople.headers.get('content-type') ?? '', /^text\/html/)
      assert.match(toText(await forPeople.text()), /Últimas novedades[\s\S]*Estudio de Detalle|Últimas novedades/)
    }
    assert.equal((await fetch(`${service.base}/feed/05019-99`)).status, 404)
  })

  test('a part of a name is completed, with or without accents, and the rest is counted', async () => {
    const options = await get('municipios?text=avil')
    assert.match(options, /role="option" aria-selected="false" data-name="Ávila"/)
    assert.match(options, /data-status="1 municipio encontrado"/)
    assert.match(await get('municipios?text=zzz'), /data-status="Ningún municipio coincide con ese nombre"/)
  })

  test('the date is that of the last import that found the data right, and of no import that was refused', async () => {
    for (const [outcome, isNewDate] of [
      ['unchanged', true],
      ['refused', false],
    ] as const) {
      await using single = await startService([{ code: '05019-1' }])
      const path = single.database.replace('sqlite:', '')
      await writeLastImport(path, { at: '2199-01-02T03:04:05.000Z', outcome, records: 1, rejected: 0 })
      const html = await (await fetch(`${single.base}/`)).text()
      assert.equal(/Actualizado el 2 de enero de 2199/.test(html), isNewDate, outcome)
      assert.match(html, /Actualizado el/)
    }
  })

  test('a registry of one municipality has neither its field nor its map', async () => {
    await using single = await startService([{ code: '05019-1', title: 'Plan', municipality: 'Ávila' }])
    const html = await (await fetch(`${single.base}/?search=plan`)).text()
    assert.doesNotMatch(html, /id="municipality"|class="map"|Ávila<\/a>/)
  })

  test('a registry whose municipalities are all unknown has the map of all provinces', async () => {
    await using unknown = await startService([
      { code: 'A-1', municipality: 'Villainventada' },
      { code: 'A-2', municipality: 'Otra inventada' },
    ])
    const html = await (await fetch(`${unknown.base}/`)).text()
    // The numbers in `viewBox` show that the map has a size.
    assert.match(html, /viewBox="(?:-?\d+ ){2}\d+ \d+"><g class="places"><use class="shade-0"/)
  })

  test('a map of all provinces counts records without a province, a map of one province omits them', async () => {
    // Villainventada does not exist, so the province of its two records is unknown.
    const municipalities = ['Madrid', 'Getafe', 'Ávila', 'Villainventada', 'Villainventada']
    await using mixed = await startService(
      municipalities.map((municipality, index) => ({ code: `A-${index}`, municipality, title: 'Plan' })),
    )
    const provinces = await (await fetch(`${mixed.base}/?search=plan`)).text()
    assert.match(provinces, /<p class="small">Sin provincia conocida: 2 expedientes\.<\/p>/)
    // The map of the province of Madrid, to which Getafe also belongs.
    const madrid = await (await fetch(`${mixed.base}/?municipality=Madrid`)).text()
    const [table = ''] = /<caption[^>]*>Expedientes por municipio: Madrid<.*?<\/table>/s.exec(madrid) ?? []
    assert.deepEqual(
      [...table.matchAll(/>([^<]+)<\/a>/g)].map(([, name]) => name),
      ['Getafe', 'Madrid'],
    )
    // Villainventada may be in any province, so this page does not mention it.
    assert.doesNotMatch(madrid, /no figura en el mapa|Sin provincia conocida/)
  })

  test('values of the own columns are counted, chosen by links, named in both languages and removed', async () => {
    const toRecord = (code: string, type: string, state: string, year: number): TestRecord => ({
      code,
      title: 'Licencia',
      checkinDate: `${year}-02-03`,
      fields: { 'Tipo de acto': type, Estado: state, Expediente: code },
    })
    const streets = Array.from({ length: 201 }, (_, index) =>
      toRecord(`A-${index + 10}`, 'Obra menor', 'Concedida', 2001),
    )
    await using office = await startService([
      toRecord('A-1', 'Obra mayor', 'Concedida', 2004),
      toRecord('A-2', 'Obra mayor', 'Denegada', 2005),
      ...streets,
    ])
    const read = async (path: string): Promise<string> => await (await fetch(`${office.base}/${path}`)).text()
    /** The links of a list: value, count and address. */
    const readValues = (html: string, name: string): string[][] => {
      const [panel = ''] = new RegExp(`<details[^>]* id="field-${name}".*?</table>`, 's').exec(html) ?? []
      return [...panel.matchAll(/<a href="([^"]+)"[^>]*>([^<]+)<\/a><\/th><td>(\d+)/g)].map((match) => match.slice(1))
    }
    const all = await read('?search=licencia')
    assert.deepEqual(readValues(all, 'tipo_de_acto'), [
      ['./?search=licencia&amp;field.tipo_de_acto=Obra%20menor', 'Obra menor', '201'],
      ['./?search=licencia&amp;field.tipo_de_acto=Obra%20mayor', 'Obra mayor', '2'],
    ])
    assert.deepEqual(readValues(all, 'expediente'), [], 'a column with more than 200 values has no list')
    // The other values of the chosen column can still be chosen; the other columns count what is found.
    const chosen = await read('?search=licencia&field.tipo_de_acto=obra+MAYOR&lang=en')
    assert.deepEqual(
      readValues(chosen, 'tipo_de_acto').map(([href = '', ...rest]) => [href.replace(/^.*?field/, 'field'), ...rest]),
      [
        ['field.tipo_de_acto=Obra%20menor&amp;lang=en', 'Obra menor', '201'],
        ['./?search=licencia&amp;lang=en', 'Obra mayor', '2'],
      ],
    )
    assert.deepEqual(
      readValues(chosen, 'estado').map(([, value, records]) => `${value} ${records}`),
      ['Concedida 1', 'Denegada 1'],
    )
    const text = toText(chosen)
    assert.match(text, /2 records with “licencia” with Tipo de acto “obra MAYOR”/)
    assert.match(chosen, /aria-label="Remove the filter: Tipo de acto: obra MAYOR"/)
    assert.match(chosen, /<input type="hidden" name="field\.tipo_de_acto" value="obra MAYOR"\/>/, 'the form keeps it')
    assert.ok(chosen.includes(`data-copy="${office.base}/feed?search=licencia&amp;field.tipo_de_acto=obra%20MAYOR"`))
    const [byYear = ''] = /<a id="year-2004"[^>]*>/.exec(chosen) ?? []
    assert.match(byYear, /field\.tipo_de_acto=obra%20MAYOR/)
    const missing = toText(await read('?field.tipo_de_acto=Obra+mayo'))
    assert.match(missing, /No hay expedientes con Tipo de acto «Obra mayo»\.[\s\S]*Quizá quiso decir\nObra mayor/)
    const none = toText(await read('?search=licencia&field.tipo_de_acto=obra+mayor&checkin_date=2001'))
    assert.match(none, /Buscar sin el criterio «Tipo de acto: obra mayor» \(201 expedientes\)/)
    const unknown = await fetch(`${office.base}/?field.zona=1`)
    assert.equal(unknown.status, 400)
    assert.match(toText(await unknown.text()), /El registro no tiene ningún campo con ese nombre\./)
  })

  test('a mistyped year is in the table, and a note says that the chart lacks it', async () => {
    // 2004 has the most records. The chart leaves out years that are more than 150 years before or after that year.
    const dates = ['1006-05-02', '1999-03-01', '2004-03-01', '2004-05-02', '9999-12-31']
    await using mistyped = await startService(
      dates.map((checkinDate, index) => ({ code: `A-${index}`, checkinDate, title: `Plan ${checkinDate}` })),
    )
    const html = await (await fetch(`${mistyped.base}/`)).text()
    assert.deepEqual(
      [...html.matchAll(/id="year-(\d+)"/g)].map(([, year]) => year),
      ['1999', '2000', '2001', '2002', '2003', '2004'],
    )
    assert.match(html, /5 expedientes de 1 municipio, 1006–9999/)
    assert.match(html, /El gráfico abarca de 1999 a 2004; la tabla contiene también los demás años\./)
    for (const year of ['1006', '9999']) assert.match(html, new RegExp(`<a [^>]*checkin_date=${year}[^>]*>${year}</a>`))
    // This search finds only a record whose year is in the chart, so there is no note.
    const found = await (await fetch(`${mistyped.base}/?search=%222004-03-01%22`)).text()
    assert.ok(found.includes('id="year-2004"') && !found.includes('El gráfico abarca'))
  })
})

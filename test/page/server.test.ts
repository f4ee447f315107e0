// Tests of the pages as the server renders them: complete without JavaScript, described for search engines and link
// previews, safe against hostile text, and cached.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { startPageFixture, usePageFixture, waitForHeading } from './page-fixture.ts'

const registry = usePageFixture()

suite('the pages without JavaScript', () => {
  const open = (path: string): ReturnType<typeof registry.read> => registry.read(path)

  test('the form, the filters and further pages of a result work', async () => {
    const session = await open('')
    const { page } = session
    await page.getByText('todos los expedientes que aparecen aquí son ficticios').waitFor()
    await page.getByRole('textbox', { name: 'Palabras' }).fill('zumacal')
    await page.getByRole('button', { name: 'Buscar' }).click()
    await waitForHeading(page, '4 expedientes con «zumacal»')
    await page.locator('.years').getByLabel('Desde').fill('2004')
    await page.locator('.years').getByLabel('Hasta').fill('2005')
    await page.getByRole('button', { name: 'Aplicar' }).click()
    await waitForHeading(page, '2 expedientes con «zumacal» de 2004 a 2005')
    await page.getByRole('link', { name: 'Quitar todos los filtros' }).click()
    await waitForHeading(page, 'Últimas entradas')
    const firstPage = await page.locator('.record').allTextContents()
    await page.getByRole('link', { name: 'Ver más resultados' }).click()
    await page.getByText('Esta lista es continuación de la página anterior').waitFor()
    const secondPage = await page.locator('.record').allTextContents()
    // Two pages of 20 records.
    assert.equal(new Set([...firstPage, ...secondPage]).size, 40)
    await page.getByRole('link', { name: 'Ir al principio' }).click()
    assert.deepEqual(await page.locator('.record').allTextContents(), firstPage)
  })

  test('the chart, the map and the counts are in the first response', async () => {
    const session = await open('?search=zumacal')
    // No year has more than one match, so every bar that is not empty has the full height.
    assert.equal(await session.page.locator('#year-2004 .bar').getAttribute('height'), '100%')
    await session.page.locator('.places a[aria-label^="Ávila"]').click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en la provincia de Ávila')
    assert.match((await session.page.locator('.places use').first().getAttribute('href')) ?? '', /map-05-.*#all$/)
  })

  test('the form keeps a range of dates until another year is chosen', async () => {
    const session = await open('')
    const { page } = session
    // The heading writes days and months in words.
    for (const [dates, headingWithDates] of [
      ['checkin_from=2004&checkin_to=2005', '2 expedientes con «zumacal» de 2004 a 2005'],
      [
        'checkin_from=2004-03-15&checkin_to=2005-06',
        '2 expedientes con «zumacal» del 15 de marzo de 2004 a junio de 2005',
      ],
      ['checkin_to=2003-06-30', '1 expediente con «zumacal» hasta el 30 de junio de 2003'],
      ['checkin_from=2005', '2 expedientes con «zumacal» desde 2005'],
      ['checkin_to=2003-06', '1 expediente con «zumacal» hasta junio de 2003'],
    ] as const) {
      await page.goto(`${registry.service.base}/?${dates}`)
      await page.getByRole('textbox', { name: 'Palabras' }).fill('zumacal')
      await page.getByRole('button', { name: 'Buscar' }).click()
      await waitForHeading(page, headingWithDates)
      await page.getByLabel('Año de entrada', { exact: true }).selectOption('2006')
      await page.getByRole('button', { name: 'Buscar' }).click()
      await waitForHeading(page, '1 expediente con «zumacal» de 2006')
      await page.getByLabel('Año de entrada', { exact: true }).selectOption('')
      await page.getByRole('button', { name: 'Buscar' }).click()
      await waitForHeading(page, '4 expedientes con «zumacal»')
    }
  })

  test('the form keeps the province until another municipality is typed', async () => {
    // 15030 is A Coruña, 15 its province.
    const inCoruna = await open('')
    for (const path of ['municipio/15030', '?municipality=A%20Coru%C3%B1a&province=15', '?province=15']) {
      await inCoruna.page.goto(`${registry.service.base}/${path}`)
      await inCoruna.page.getByRole('combobox', { name: 'Municipio' }).fill('Ávila')
      await inCoruna.page.getByRole('textbox', { name: 'Palabras' }).fill('zumacal')
      await inCoruna.page.getByRole('button', { name: 'Buscar' }).click()
      await waitForHeading(inCoruna.page, '3 expedientes con «zumacal» en Ávila')
    }
    // The name Sada alone would find both records, so the form has kept the province if the search finds one.
    await using namesakes = await startPageFixture({
      records: [
        { code: '15075-1', title: 'Plan Uno', municipality: 'Sada' },
        { code: '31212-2', title: 'Plan Dos', municipality: 'Sada (Navarra)' },
      ],
    })
    const session = await namesakes.read('municipio/31212')
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('plan')
    await session.page.getByRole('button', { name: 'Buscar' }).click()
    await waitForHeading(session.page, '1 expediente con «plan» en Sada')
    assert.deepEqual(await session.page.locator('.record h3').allTextContents(), ['Plan Dos'])
    await session.page.getByRole('combobox', { name: 'Municipio' }).fill('')
    await session.page.getByRole('button', { name: 'Buscar' }).click()
    await waitForHeading(session.page, '2 expedientes con «plan»')
  })

  test('each filter is removed by a link of its own', async () => {
    const path = '?search=zumacal&municipality=%C3%81vila&province=05&checkin_from=2004&checkin_to=2010'
    const session = await open(path)
    for (const [label, removed] of [
      ['«zumacal»', ['search']],
      ['Ávila', ['municipality']],
      ['Provincia: Ávila', ['province']],
      ['2004–2010', ['checkin_from', 'checkin_to']],
    ] as const) {
      const link = session.page.getByRole('link', { name: `Quitar el filtro: ${label}`, exact: true })
      const href = (await link.getAttribute('href')) ?? ''
      const expected = [...new URLSearchParams(path)].filter(([name]) => !removed.some((each) => each === name))
      assert.deepEqual([...new URL(href, session.page.url()).searchParams], expected)
    }
  })

  test('provinces and years are links', async () => {
    const session = await open('?search=zumacal')
    const { page } = session
    await page.locator('.map-panel .count-table').getByRole('link', { name: 'Ávila', exact: true }).click()
    await waitForHeading(page, '3 expedientes con «zumacal» en la provincia de Ávila')
    await page.getByText('Ver como tabla').first().click()
    const year = page.locator('.years .count-table').getByRole('link').first()
    const name = await year.textContent()
    await year.click()
    await waitForHeading(page, `con «zumacal» en la provincia de Ávila de ${name}`)
  })

  test('a search without results leads to results', async () => {
    const session = await open('?search=zumacal&municipality=Ávila&checkin_date=2004')
    await session.page.getByRole('heading', { name: 'No se han encontrado expedientes' }).waitFor()
    await session.page.getByRole('link', { name: 'Buscar en todos los años (3 expedientes)' }).click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  test('a year and a first or last date in one address both limit the search', async () => {
    const session = await open('')
    for (const [dates, heading] of [
      // From June 2005 to the end of 2005.
      ['checkin_date=2005&checkin_from=2005-06', '1 expediente con «zumacal» de junio de 2005 a 2005'],
      ['checkin_date=2005&checkin_to=2005-05', 'No se han encontrado expedientes'],
      ['checkin_date=2005&checkin_from=2003&checkin_to=2006', '1 expediente con «zumacal» de 2005'],
      ['checkin_date=2003-2005&checkin_from=2004', '2 expedientes con «zumacal» de 2004 a 2005'],
    ] as const) {
      await session.page.goto(`${registry.service.base}/?search=zumacal&${dates}`)
      await waitForHeading(session.page, heading)
    }
  })

  test('a result leads to its record, and the record back to the result with all its filters', async () => {
    const session = await open('?search=zumacal&checkin_from=2004')
    await session.page.locator('.record h3 a', { hasText: 'Zumacal Norte' }).click()
    await session.page.getByRole('heading', { level: 1, name: 'Plan Parcial "Zumacal Norte"' }).waitFor()
    assert.equal(new URL(session.page.url()).pathname, '/registry/expediente/03014-9001')
    await session.page.getByRole('link', { name: 'Resultados de «zumacal» desde 2004' }).click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» desde 2004')
  })

  test('the page of a municipality links to its records without a search', async () => {
    const session = await open('municipio/15030')
    assert.equal(await session.page.locator('.record h3 a').getAttribute('href'), 'expediente/15030-9005')
    await session.page.locator('.record h3 a').click()
    await session.page.getByRole('navigation', { name: 'Ruta' }).getByRole('link', { name: 'Inicio' }).waitFor()
  })
})

suite('the HTML of the pages', () => {
  const read = async (path: string): Promise<{ response: Response; html: string }> => {
    const response = await fetch(`${registry.service.base}/${path}`)
    return { response, html: await response.text() }
  }

  test('each page has a title and a canonical address of its own, also in its Open Graph tags', async () => {
    const { base } = registry.service
    for (const [path, title, canonical] of [
      ['', 'Registro de planeamiento urbanístico', '/'],
      // `x` is no parameter of the page, so the canonical address omits it.
      ['?municipality=%C3%81vila&x=1', 'Expedientes en Ávila · Registro', '/?municipality=%C3%81vila'],
      ['expediente/03014-9001?search=norte', 'Zumacal Norte&quot; · ', '/expediente/03014-9001'],
      ['municipio/05019', 'Expedientes de planeamiento de Ávila (Ávila, Castilla y León) · ', '/municipio/05019'],
    ] as const) {
      const { html } = await read(path)
      assert.ok((/<title>([^<]*)/.exec(html)?.[1] ?? '').includes(title), path)
      assert.ok(html.includes(`<link rel="canonical" href="${base}${canonical}"/>`), path)
      assert.match(html, /<meta property="og:title" content="[^"]+"\/>/)
      assert.ok(html.includes(`<meta property="og:url" content="${base}${canonical}"/>`), path)
    }
  })

  test('searches with words, and pages that do not exist, are not indexed', async () => {
    for (const [path, status] of [
      ['?search=zumacal', 200],
      ['?search=zzzzz', 200],
      ['expediente/05019-1', 404],
      ['expediente/nothing', 404],
      ['municipio/00000', 404],
      ['municipio/%3Cb%3E', 404],
    ] as const) {
      const { response, html } = await read(path)
      assert.equal(response.status, status, path)
      assert.ok(html.includes('<meta name="robots" content="noindex"/>'), path)
      assert.match(html, /<form class="form" id="search-form" action="\.\/"/, 'the page has a form to search again')
    }
  })

  test('every page of results announces its feed, which exists', async () => {
    for (const [path, feed] of [
      ['', 'feed'],
      ['?search=zumacal&municipality=%C3%81vila', 'feed?search=zumacal&amp;municipality=%C3%81vila'],
      ['municipio/05019', 'feed?municipality=05019'],
    ] as const) {
      const { html } = await read(path)
      assert.ok(html.includes(`<link rel="alternate" type="application/atom+xml" href="${feed}"`), path)
      const response = await fetch(`${registry.service.base}/${feed.replace('&amp;', '&')}`)
      assert.equal(response.status, 200, feed)
    }
  })

  test('the data for search engines is valid JSON', async () => {
    for (const path of ['', 'expediente/05019-9003', 'municipio/05019']) {
      const { html } = await read(path)
      const blocks = [...html.matchAll(/<script type="application\/ld\+json">([^<]*)<\/script>/g)]
      // One block describes the dataset and is on every page; the other describes the page itself.
      assert.equal(blocks.length, 2, path)
      for (const [, text = ''] of blocks) assert.equal(JSON.parse(text)['@context'], 'https://schema.org')
    }
  })

  test('hostile titles and links are text in every page and tag', async () => {
    for (const path of ['?search=SUMA', 'expediente/05019-9003', 'expediente/05019-9004?search=%22%3E%3Cscript%3E']) {
      const { html } = await read(path)
      assert.doesNotMatch(html, /<img|<script>|href="(?:javascript|data):|"><script/i)
    }
    const session = await registry.read('expediente/05019-9003')
    assert.equal(
      await session.page.getByRole('heading', { level: 1 }).textContent(),
      '"><img src=x onerror=alert(1)> =SUMA(zumacales)',
    )
    await session.page.getByText('javascript:alert(1)').waitFor()
    assert.equal(await session.page.locator('.document-list a').count(), 0)
  })

  test('a page can be revalidated, and its addresses have the host of the request', async () => {
    const first = await read('?search=zumacal')
    const etag = first.response.headers.get('etag') ?? ''
    const again = await fetch(`${registry.service.base}/?search=zumacal`, { headers: { 'if-none-match': etag } })
    assert.equal(again.status, 304)
    const { port } = registry.service
    const otherHost = await fetch(`http://localhost:${port}/registry/?search=zumacal`)
    assert.match(await otherHost.text(), new RegExp(`og:url" content="http://localhost:${port}/`))
  })

  test('a page after the end of the list, or with a wrong cursor, says so and leads to the first page', async () => {
    for (const [cursor, text] of [
      // A cursor names the last record of a page: which of the three parts of the list it is in (`t3` is the last
      // part), its date and its code. Each part begins with the newest record, so none follows one of the year 1000.
      ['t3.1000-01-01.A-1', 'En esta página ya no quedan expedientes.'],
      ['nonsense', 'La dirección de esta página de la lista no es válida: vuelva al principio de la lista.'],
    ] as const) {
      const { html } = await read(`?search=zumacal&cursor=${cursor}`)
      assert.ok(html.includes(text), text)
      assert.match(html, /<a href="\.\/\?search=zumacal">Ir al principio<\/a>/)
      assert.match(
        html,
        new RegExp(`<a class="language" href="\\./\\?search=zumacal&amp;cursor=${cursor}&amp;lang=en"`),
      )
    }
  })

  test('the heading and the status of a page after the end of the list say that the list has ended', async () => {
    // `data-announcement` is what the script announces to screen readers.
    for (const [language, text] of [
      ['es', 'Fin de la lista'],
      ['en', 'End of the list'],
    ] as const) {
      const { html } = await read(`?search=zumacal&cursor=t3.1000-01-01.A-1&lang=${language}`)
      assert.ok(html.includes(`<h2 id="results-heading">${text}</h2>`))
      assert.ok(html.includes(`data-announcement="${text}"`))
    }
  })

  test('a wrong cursor, a term that is too long and a wrong date get a 400 with a page that says so', async () => {
    // The service accepts terms of at most 500 characters.
    for (const path of ['?cursor=nonsense', `?search=${'x'.repeat(600)}`, '?province=05&checkin_to=x']) {
      const { response, html } = await read(path)
      assert.equal(response.status, 400, path)
      assert.match(html, /Búsqueda no válida/)
    }
  })
})

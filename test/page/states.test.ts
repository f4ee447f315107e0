// Tests of the states of the page: first visit, no results, failures and slow responses.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title. The HTML contains the first result,
// so `page.route` for `record?` intercepts only the searches that follow.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { type RegistryStore, StoreUnavailable } from '../../src/registry/contract.ts'
import { withChangedSnapshots } from '../with-current.ts'
import { startPageFixture, typeWords, usePageFixture, waitForHeading } from './page-fixture.ts'

suite('the states of the page', () => {
  const registry = usePageFixture()

  test('a first visit shows the size and date of the registry and that the sample is fictional', async () => {
    const session = await registry.read()
    const { total, by_municipality: municipalities } = await (await fetch(`${registry.service.base}/summary`)).json()
    await session.page.getByText(`${total} expedientes de ${municipalities.length} municipios`).waitFor()
    const today = new Intl.DateTimeFormat('es-ES', { dateStyle: 'long', timeZone: 'Europe/Madrid' }).format(new Date())
    await session.page.getByText(`Actualizado el ${today}`).waitFor()
    await session.page.getByText('todos los expedientes que aparecen aquí son ficticios').waitFor()
    await session.page.getByText('Planes generales, planes parciales').waitFor()
  })

  test('each of the three example searches has results', async () => {
    for (const index of [0, 1, 2]) {
      const session = await registry.read()
      await session.page.locator('.example').nth(index).click()
      await session.page.locator('#results-heading strong', { hasText: /expediente/i }).waitFor()
    }
  })

  test('an example search without results is not offered', async () => {
    await using small = await startPageFixture({
      records: [
        { code: 'A-1', title: 'Plan parcial', municipality: 'Coruña, A', checkinDate: '2004-02-03' },
        // The three examples are `plan parcial`, the municipality with the most records, and the phrase `estudio de
        // detalle` in the year with the most records, 2005. The phrase is only in a record of 2006.
        { code: 'A-2', title: 'Normas', municipality: 'Coruña, A', checkinDate: '2005-02-03' },
        { code: 'A-3', title: 'Normas', municipality: 'Ávila', checkinDate: '2005-02-03' },
        { code: 'A-4', title: 'Estudio de detalle', municipality: 'Ávila', checkinDate: '2006-02-03' },
        { code: 'A-5', title: 'Catálogo', municipality: 'Coruña, A', checkinDate: '2007-02-03' },
      ],
    })
    const session = await small.read()
    assert.deepEqual(await session.page.locator('.example').allTextContents(), ['plan parcial', 'A Coruña'])
  })

  test('a real registry is not called fictional and has the name that its operator gave it', async () => {
    await using real = await startPageFixture({
      fictional: false,
      dataset: {
        title: 'Registro de Planeamiento de Castilla',
        publisher: 'Consejería de Ordenación',
        licence: undefined,
        spatial: undefined,
        contact: undefined,
      },
    })
    const session = await real.read()
    await waitForHeading(session.page, 'Últimas entradas')
    assert.equal(await session.page.locator('.fictional').count(), 0)
    await session.page.getByRole('link', { name: 'Registro de Planeamiento de Castilla' }).waitFor()
    await session.page.getByText('Consejería de Ordenación').waitFor()
    assert.equal(await session.page.title(), 'Registro de Planeamiento de Castilla')
  })

  test('for an unknown municipality the page offers similar names, and a click searches one', async () => {
    const session = await registry.read('?search=zumacal&municipality=Avilla')
    await session.page.getByRole('heading', { name: 'No se han encontrado expedientes' }).waitFor()
    await session.page.getByText('Ningún municipio con expedientes tiene ese nombre o código INE.').waitFor()
    await session.page.locator('.suggestions').getByRole('link', { name: 'Ávila', exact: true }).click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  test('for an empty result the page offers searches with one filter less, and their counts', async () => {
    const session = await registry.read('?search=zumacal&municipality=Ávila&checkin_date=2004')
    await session.page.getByRole('heading', { name: 'No se han encontrado expedientes' }).waitFor()
    await session.page.getByRole('link', { name: 'Buscar en todos los municipios (1 expediente)' }).waitFor()
    await session.page.getByRole('link', { name: 'Buscar en todos los años (3 expedientes)' }).click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  test('for an empty result the page names the registration number or the identifier only if it is set', async () => {
    for (const [query, label] of [
      ['registration_number=0', 'Buscar sin el número de registro (4 expedientes)'],
      ['id=none', 'Buscar sin el identificador (4 expedientes)'],
      ['registration_number=0&id=none', 'Buscar sin el número de registro ni el identificador (4 expedientes)'],
    ] as const) {
      const session = await registry.read(`?search=zumacal&${query}`)
      await session.page.getByRole('link', { name: label }).waitFor()
    }
  })

  test('for an empty result the page says why nothing was found', async () => {
    for (const [query, reason] of [
      ['registration_number=none', 'No hay expedientes con el número de registro none.'],
      ['search=zumacal&id=none', 'No hay expedientes con el identificador none.'],
      ['community=08', 'No hay expedientes en Castilla-La Mancha.'],
      ['community=13', 'No hay expedientes en la Comunidad de Madrid.'],
      ['community=16', 'No hay expedientes en el País Vasco.'],
      ['community=13&lang=en', 'There are no records in the Comunidad de Madrid.'],
      ['province=28&checkin_date=2004', 'No hay expedientes en la provincia de Madrid de 2004.'],
      ['municipality=coruna&checkin_date=1990', 'El municipio tiene expedientes, pero ninguno coincide'],
      ['search=%22', 'Escriba al menos una letra o una cifra'],
      ['search=*&municipality=coruna', 'Escriba al menos una letra o una cifra'],
      ['search=inexistente', 'Ningún expediente coincide con todos los criterios: cada palabra debe aparecer'],
      ['community=08&lang=en', 'There are no records in Castilla-La Mancha.'],
    ] as const) {
      const session = await registry.read(`?${query}`)
      const text = (await session.page.locator('.no-results > p').textContent()) ?? ''
      assert.ok(text.startsWith(reason), `${query}: ${text}`)
    }
  })

  test('for an empty result the link that removes the community names communities', async () => {
    for (const [query, label] of [
      ['community=08', 'Buscar en todas las comunidades autónomas (4 expedientes)'],
      ['province=28', 'Buscar en todas las provincias (4 expedientes)'],
    ] as const) {
      const session = await registry.read(`?search=zumacal&${query}`)
      await session.page.getByRole('link', { name: label }).waitFor()
    }
  })

  test('for an empty result the page offers the search without the word that does not match', async () => {
    const session = await registry.read('?search=plan%20zumacal%20sur')
    await session.page.getByRole('heading', { name: 'No se han encontrado expedientes' }).waitFor()
    await session.page.locator('.suggestions').getByRole('link', { name: 'plan zumacal', exact: true }).click()
    await waitForHeading(session.page, '1 expediente con «plan zumacal»')
  })

  test('the page explains that a search has too many words', async () => {
    // The service accepts 40.
    const session = await registry.read(`?search=${Array.from({ length: 45 }, (_, i) => `w${i}`).join('%20')}`)
    await session.page.getByRole('heading', { name: 'Búsqueda no válida' }).waitFor()
    await session.page.getByText('Demasiadas palabras').waitFor()
  })

  test('a wrong year or date in the address gets 400, an explanation and a link that removes the filters', async () => {
    for (const [query, text] of [
      ['checkin_date=20x4', 'Escriba el año con cuatro cifras'],
      ['checkin_from=2004-13', 'La fecha no es válida'],
      ['checkin_from=2008&checkin_to=2004', 'La fecha inicial no puede ser posterior a la final'],
      ['checkin_date=20x4&checkin_from=2004', 'Escriba el año con cuatro cifras'],
      ['checkin_date=2004&checkin_from=2004-13', 'La fecha no es válida'],
      ['checkin_date=2004&checkin_from=2005', 'La fecha inicial no puede ser posterior a la final'],
    ] as const) {
      const response = await fetch(`${registry.service.base}/?${query}`)
      assert.equal(response.status, 400)
      assert.equal(response.headers.get('cache-control'), 'no-store')
      assert.ok((await response.text()).includes(text), query)
    }
    const session = await registry.read('?checkin_date=2004&checkin_from=2005')
    await session.page.getByText('La fecha inicial no puede ser posterior a la final').waitFor()
    await session.page.getByRole('link', { name: 'Quitar todos los filtros' }).click()
    await waitForHeading(session.page, 'Últimas entradas')
  })

  test('the old result stays while the next one loads, and the page says when that is slow', async () => {
    const mayRespond = Promise.withResolvers<void>()
    await using session = await registry.open('', {
      before: async (page) => {
        await page.clock.install()
        await page.route(/resultados/, async (route) => {
          await mayRespond.promise
          await route.continue()
        })
      },
    })
    await typeWords(session.page, 'zumacal')
    // The page waits four seconds before it says that a response is slow.
    await session.page.clock.runFor(4500)
    await session.page.getByText('está tardando más de lo habitual').waitFor()
    // The first 20 records of the old result.
    assert.equal(await session.page.locator('main[aria-busy=true] .record').count(), 20)
    mayRespond.resolve()
    await session.page.clock.resume()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    assert.equal(await session.page.getByText('está tardando').count(), 0)
  })

  test('the page reports a lost connection and repeats the search when it is back', async () => {
    await using session = await registry.open()
    await waitForHeading(session.page, 'Últimas entradas')
    await session.context.setOffline(true)
    await typeWords(session.page, 'zumacal')
    await session.page.getByRole('heading', { name: 'Sin conexión' }).waitFor()
    await session.context.setOffline(false)
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('a server error is shown with its request identifier and a link that repeats the search', async () => {
    let isBroken = true
    await using session = await registry.open('', {
      before: async (page) => {
        await page.route(/resultados/, (route) =>
          isBroken
            ? route.fulfill({ status: 500, headers: { 'x-request-id': 'abc-123' }, body: '{}' })
            : route.continue(),
        )
      },
    })
    await typeWords(session.page, 'zumacal')
    const alert = session.page.getByRole('alert')
    await alert.getByRole('heading', { name: 'Se ha producido un error en el servicio' }).waitFor()
    await alert.getByText('abc-123').waitFor()
    isBroken = false
    await alert.getByRole('link', { name: 'Intentarlo de nuevo' }).click()
    await waitForHeading(session.page, '4 expedientes')
  })

  test('a server error without a request identifier, as of a proxy, is shown without a mention of one', async () => {
    await using session = await registry.open('', {
      before: (page) => page.route(/resultados/, (route) => route.fulfill({ status: 502, body: 'Bad Gateway' })),
    })
    await typeWords(session.page, 'zumacal')
    const alert = session.page.getByRole('alert')
    await alert.getByText('comunique al responsable del registro qué estaba buscando.').waitFor()
    assert.doesNotMatch((await alert.textContent()) ?? '', /identificador/i)
  })

  for (const { status, heading } of [
    { status: 503, heading: 'El servicio está saturado' },
    { status: 429, heading: 'Ha alcanzado el límite de peticiones' },
  ]) {
    test(`after status ${status} the page counts down the seconds of Retry-After and repeats the search`, async () => {
      let isRefused = true
      await using session = await registry.open('', {
        before: async (page) => {
          await page.clock.install()
          await page.route(/resultados/, (route) => {
            if (!isRefused) return route.continue()
            isRefused = false
            return route.fulfill({ status, headers: { 'retry-after': '3' }, body: '{}' })
          })
        },
      })
      await typeWords(session.page, 'zumacal')
      // The page waits 200 ms after the last key before it searches.
      await session.page.clock.runFor(500)
      await session.page.getByRole('heading', { name: heading }).waitFor()
      await session.page.getByText('dentro de 3 s').waitFor()
      await session.page.clock.runFor(1000)
      await session.page.getByText('dentro de 2 s').waitFor()
      await session.page.clock.resume()
      await waitForHeading(session.page, '4 expedientes con «zumacal»')
    })
  }

  test('if a record or a later page of a result fails to load, the link loads the same address again', async () => {
    let isBroken = false
    await using plans = await startPageFixture({
      // More than one page of 20 records.
      records: Array.from({ length: 21 }, (_, index) => ({ code: `05019-${index + 1}`, title: `Plan ${index + 1}` })),
      wrapStore: (store) => withFailingPages(store, () => isBroken),
    })
    const list = await (await fetch(`${plans.service.base}/?search=plan`)).text()
    const [, nextPage = ''] = /href="(\.\/\?search=plan&amp;cursor=[^"]+)"/.exec(list) ?? []
    for (const [path, text] of [
      ['expediente/05019-3?search=plan', 'Cómo citar este expediente'],
      [nextPage.replace('&amp;', '&'), 'Esta lista es continuación de la página anterior'],
    ] as const) {
      isBroken = true
      const session = await plans.read(path)
      await waitForHeading(session.page, 'El servicio está saturado')
      const link = session.page.getByRole('link', { name: 'Intentarlo de nuevo' })
      assert.equal(await link.getAttribute('href'), path)
      isBroken = false
      await link.click()
      await session.page.getByText(text).waitFor()
      assert.equal(session.page.url(), new URL(path, `${plans.service.base}/`).href)
    }
  })

  test('Back to the address of a record that failed to load loads it again', async () => {
    let isBroken = true
    await using plans = await startPageFixture({
      records: [{ code: '05019-1', title: 'Plan Parcial' }],
      wrapStore: (store) => withFailingPages(store, () => isBroken),
    })
    await using session = await plans.open('expediente/05019-1')
    await waitForHeading(session.page, 'El servicio está saturado')
    isBroken = false
    await typeWords(session.page, 'plan')
    await session.page.getByRole('textbox', { name: 'Palabras' }).press('Enter')
    await waitForHeading(session.page, '1 expediente con «plan»')
    await session.page.goBack()
    await session.page.getByRole('heading', { level: 1, name: 'Plan Parcial' }).waitFor()
  })

  test('when the next page of results fails, the records stay and that page can be requested again', async () => {
    let isBroken = true
    await using session = await registry.open('', {
      before: async (page) => {
        await page.route(/cursor=/, (route) => (isBroken ? route.abort() : route.continue()))
      },
    })
    await waitForHeading(session.page, 'Últimas entradas')
    await session.page.locator('.more').scrollIntoViewIfNeeded()
    await session.page.getByRole('alert').getByText('Sin conexión').waitFor()
    assert.equal(await session.page.locator('.record').count(), 20)
    isBroken = false
    await session.page.getByRole('link', { name: 'Intentarlo de nuevo' }).click()
    // Two pages of 20 records.
    await session.page.locator('.record:nth-child(40)').waitFor()
  })
})

/** The store, which cannot read records while `isBroken` returns true. */
function withFailingPages(store: RegistryStore, isBroken: () => boolean): RegistryStore {
  return withChangedSnapshots(store, (snapshot) => ({
    page: (...args) => {
      if (isBroken()) throw new StoreUnavailable('the database is away')
      return snapshot.page(...args)
    },
  }))
}

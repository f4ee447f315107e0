// Tests of how the server renders a page: in parts, between which other requests are served, and only as long as
// somebody waits for it. Also: the list of municipalities after a failed read, the map of a registry without a known
// municipality, and the chart of a registry with mistyped dates.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { loadRenderer } from '../../src/api/page.ts'
import type { RenderedPage } from '../../src/api/page-renderer.ts'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import { startService, type TestService } from '../service.ts'

suite('the rendering of a page', () => {
  const titles = Array.from({ length: 20 }, (_, index) => `Plan Parcial ${index + 1}`)
  let service: TestService
  before(async () => {
    service = await startService(
      titles.map((title, index) => ({ code: `05019-${index + 1}`, title, municipality: 'Ávila' })),
    )
  })
  after(() => service[Symbol.asyncDispose]())

  /**
   * Renders the search page with the query. The renderer awaits `letOthersRun` before each part of its work, so that
   * the service can run other requests meanwhile. `dataVersion` stands for the snapshot of the registry.
   */
  const render = async (
    letOthersRun: () => Promise<void>,
    { query = 'search=plan', fetch = toLocalFetch(service.store), dataVersion = {} } = {},
  ): Promise<RenderedPage> => {
    const renderer = await loadRenderer()
    assert.ok(renderer, 'the page has not been built')
    return await renderer.renderPage({
      address: { kind: 'search' },
      query,
      fetch,
      apiUrl: localAddress,
      site: {
        baseUrl: 'https://example.org/',
        name: null,
        publisher: null,
        licence: null,
        contact: null,
        refreshedAt: '2026-11-16T00:00:00Z',
        isFictional: true,
        codePattern: null,
      },
      letOthersRun,
      // The links to documents have never been checked.
      readLinkCheck: async () => null,
      dataVersion,
    })
  }

  test('other requests are served between any two records', async () => {
    let pauses = 0
    const { body } = await render(async () => {
      await setImmediate()
      pauses++
    })
    assert.ok(pauses >= titles.length, `${pauses} pauses`)
    const recordTags = [...body.matchAll(/<li class="record">/g)]
    assert.equal(recordTags.length, titles.length)
    // Each part is in its place: the records inside the list, the chart and the map inside their panels.
    assert.match(body, /<ol class="records"><li class="record">.*<\/li><\/ol><p class="more all">/s)
    assert.match(body, /<div class="panels"><section .*id="year-.*<svg role="group".*<\/div><\/details><\/aside>/s)
  })

  test('the municipalities are read again for the next page if they could not be read', async () => {
    const localFetch = toLocalFetch(service.store)
    const failing: typeof fetch = async (input, init) =>
      String(input).includes('/municipality') ? new Response(null, { status: 503 }) : await localFetch(input, init)
    const letOthersRun = async (): Promise<void> => undefined
    // `dataVersion` is the same object for both pages: the same snapshot.
    const options = { query: 'search=plan+avila', dataVersion: {} }
    const first = await render(letOthersRun, { ...options, fetch: failing })
    const second = await render(letOthersRun, options)
    // The page offers a search in Ávila only if it has the list of municipalities.
    const offer = /plan en Ávila/
    assert.doesNotMatch(first.body, offer)
    assert.match(second.body, offer)
  })

  test('a page that nobody waits for any more is not rendered further', async () => {
    let pauses = 0
    const rendering = render(async () => {
      pauses++
      // The fourth pause is far from the end: the whole rendering has at least one for each of the 20 records.
      if (pauses === 4) throw new SearchCancelled('the client is gone')
    })
    await assert.rejects(rendering, SearchCancelled)
    assert.equal(pauses, 4, 'no pause follows, because nothing more is rendered')
  })

  test('a search without a result asks for each count once', async () => {
    const localFetch = toLocalFetch(service.store)
    for (const query of [
      'search=inexistente',
      'search=inexistente&checkin_from=2004',
      'search=inexistente&municipality=Ávila',
      'search=inexistente&municipality=Ávila&checkin_date=2004-05',
    ]) {
      const counted: string[] = []
      const fetch: typeof globalThis.fetch = async (input, init) => {
        const { pathname, searchParams } = new URL(String(input))
        if (pathname.endsWith('/summary') && searchParams.has('search')) counted.push(searchParams.toString())
        return await localFetch(input, init)
      }
      await render(async () => undefined, { query, fetch })
      // The chart needs the search without its years, and the map the search without its municipality. If the search
      // has neither, both are the search itself.
      const expected = query === 'search=inexistente' ? 1 : 2
      assert.equal(counted.length, expected, `${query}: ${counted.join(' and ')}`)
    }
  })

  test('a registry whose municipalities are all unknown has the map of all provinces', async () => {
    await using unknown = await startService([{ code: 'A-1', municipality: 'Villainventada' }])
    const { body } = await render(async () => undefined, { query: '', fetch: toLocalFetch(unknown.store) })
    // No province has records, so the map shows all of them, in `shade-0`, the shade of a place without records. The
    // numbers in `viewBox` show that the map has a size.
    assert.match(body, /viewBox="(?:-?\d+ ){2}\d+ \d+"><g class="places"><path class="shade-0"/)
  })

  test('a map of all provinces counts records without a province, a map of one province omits them', async () => {
    // Villainventada does not exist, so the province of its two records is unknown.
    const municipalities = ['Madrid', 'Getafe', 'Ávila', 'Villainventada', 'Villainventada']
    await using mixed = await startService(
      municipalities.map((municipality, index) => ({ code: `A-${index}`, municipality, title: 'Plan' })),
    )
    const fetch = toLocalFetch(mixed.store)
    const { body: provinces } = await render(async () => undefined, { query: 'search=plan', fetch })
    assert.match(provinces, /<p class="small">Sin provincia conocida: 2 expedientes\.<\/p>/)
    // The map of the province of Madrid, to which Getafe also belongs.
    const { body: madrid } = await render(async () => undefined, { query: 'municipality=Madrid', fetch })
    const [table = ''] = /<caption[^>]*>Expedientes por municipio: Madrid<.*?<\/table>/s.exec(madrid) ?? []
    assert.deepEqual(
      [...table.matchAll(/>([^<]+)<\/a>/g)].map(([, name]) => name),
      ['Getafe', 'Madrid'],
    )
    // Villainventada may be in any province, so this page does not mention it: neither as a municipality of Madrid that
    // is missing on the map, nor as records without a province.
    assert.doesNotMatch(madrid, /no figura en el mapa|Sin provincia conocida/)
  })

  test('a mistyped year is in the table and the fields of years, and a note says that the chart lacks it', async () => {
    // 2004 has the most records. The chart leaves out years with records that are more than 150 years before or after
    // that year: 1006 and 9999.
    const dates = ['1006-05-02', '1999-03-01', '2004-03-01', '2004-05-02', '9999-12-31']
    await using mistyped = await startService(
      dates.map((checkinDate, index) => ({ code: `A-${index}`, checkinDate, title: `Plan ${checkinDate}` })),
    )
    const { body } = await render(async () => undefined, { query: '', fetch: toLocalFetch(mistyped.store) })
    const barYears = [...body.matchAll(/id="year-(\d+)"/g)].map(([, year]) => year)
    assert.deepEqual(barYears, ['1999', '2000', '2001', '2002', '2003', '2004'])
    assert.match(body, /5 expedientes de 1 municipio, 1006–9999/)
    assert.match(body, /El gráfico abarca de 1999 a 2004; la tabla contiene también los demás años\./)
    for (const year of ['1006', '9999']) {
      assert.match(body, new RegExp(`<a [^>]*checkin_date=${year}[^>]*>${year}</a>`))
      assert.equal(body.split(`>${year}</option>`).length - 1, 2, `the fields "Desde" and "Hasta" have ${year}`)
    }
    // This search finds only the record with this date in its title. Its year is in the chart, so there is no note.
    const { body: found } = await render(async () => undefined, {
      query: 'search=%222004-03-01%22',
      fetch: toLocalFetch(mistyped.store),
    })
    assert.ok(found.includes('id="year-2004"') && !found.includes('El gráfico abarca'))
  })
})

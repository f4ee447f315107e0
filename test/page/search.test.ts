// Tests of the search: words, municipality, year and the list of records.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { TestRecord } from '../service.ts'
import { neverRespond, startPageFixture, typeWords, usePageFixture, waitForHeading } from './page-fixture.ts'

const registry = usePageFixture()

suite('search on the page', () => {
  test('the page searches while the user types and lists records with the words in the title first', async () => {
    await using session = await registry.open()
    await session.page.getByRole('textbox', { name: 'Palabras' }).pressSequentially('zumacal')
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    const titles = await session.page.locator('.record h3').allTextContents()
    assert.equal(titles.length, 4)
    assert.equal(titles.at(-1), 'Estudio de Detalle calle Mayor', 'the word occurs only in its text')
    assert.equal(new URL(session.page.url()).search, '?search=zumacal')
  })

  test('an unfinished word is searched as a prefix, and the page says so', async () => {
    const session = await registry.read('?search=zumac')
    await waitForHeading(session.page, '4 expedientes con «zumac…»')
    await session.page.getByText('estos contienen palabras que empiezan por «zumac»').waitFor()
  })

  // If no record contains a word, the word is searched as a prefix.
  test('a word is not searched as a prefix if records of other years contain it', async () => {
    await using years = await startPageFixture({
      records: [
        { code: '05019-1', title: 'Plan Parcial', checkinDate: '2004-02-03' },
        { code: '05019-2', title: 'Planimetría del casco', checkinDate: '2005-02-03' },
      ],
    })
    const session = await years.read('?search=plan&checkin_date=2005')
    await waitForHeading(session.page, 'No se han encontrado expedientes')
    assert.equal(await session.page.locator('.prefix-note').count(), 0)
    await session.page.getByRole('link', { name: 'Buscar en todos los años (1 expediente)' }).click()
    await waitForHeading(session.page, '1 expediente con «plan»')
    // No record of any year has the word `planim`, so it is searched as a prefix.
    await session.page.goto(`${years.service.base}/?search=planim&checkin_date=2005`)
    await waitForHeading(session.page, '1 expediente con «planim…» de 2005')
  })

  test('a word without matches after a cursor is not searched as a prefix', async () => {
    const cursor = await readCursor(registry.service.base, 'search=zumacal&limit=1')
    // Without the cursor, the search finds four records by the prefix `zumac`. After a cursor, a word without matches
    // may have some on earlier pages.
    const session = await registry.read(`?search=zumac&cursor=${cursor}`)
    await waitForHeading(session.page, 'Fin de la lista')
  })

  test('matching words are highlighted in the titles in every form', async () => {
    const session = await registry.read('?search=ZUMACAL')
    await waitForHeading(session.page, '4 expedientes')
    const marks = await session.page.locator('.record h3 mark').allTextContents()
    // One title of the four does not have the word.
    assert.deepEqual(marks.toSorted(), ['Zumacal', 'zumacal', 'zumacales'].toSorted())
  })

  test('matching words in the area of a record are highlighted, in the list and on its page', async () => {
    const session = await registry.read('?search=manzana%20mayor')
    const record = session.page.locator('.record', { hasText: 'Estudio de Detalle calle Mayor' })
    assert.deepEqual(await record.locator('.about mark').allTextContents(), ['Manzana'])
    await record.locator('h3 a').click()
    await session.page.locator('.fields mark', { hasText: 'Manzana' }).waitFor()
  })

  test('a record shows its municipality, area and dates', async () => {
    const session = await registry.read('?search=zumacal%20norte')
    const record = session.page.locator('.record').first()
    await record.waitFor()
    const text = await record.textContent()
    for (const part of [
      'Alacant/Alicante',
      'Sector ZN-1',
      '15 de marzo de 2004',
      '20 de enero de 2005',
      'N.º 03014-9001',
    ]) {
      assert.ok(text?.includes(part), `${part} in ${text}`)
    }
    // Only links to documents have the attribute `rel`. The registry is fictional, so its hosts do not exist.
    assert.equal(await record.locator('a[rel]').count(), 0)
  })

  test('the links of a real registry are exactly those of its records', async () => {
    // `%F3` is ó in Latin-1. The service must not decode the link, because it is not valid UTF-8.
    const links = 'https://documents.example/03014/Ordenaci%F3n.pdf'
    const agreementLink = 'https://documents.example/03014/acuerdo.pdf'
    await using real = await startPageFixture({
      fictional: false,
      records: [{ code: '03014-1', links, agreementLink }],
    })
    const session = await real.read('')
    const shown = session.page
      .locator('.record a[rel]')
      .elements.map((link) => [link.getAttribute('href'), link.getAttribute('rel')])
    assert.deepEqual(shown, [
      [links, 'external noopener noreferrer'],
      [agreementLink, 'external noopener noreferrer'],
    ])
  })

  test('markup in a title is shown as text, and only http URLs are links', async () => {
    const session = await registry.read('?search=SUMA')
    const record = session.page.locator('.record').first()
    await record.waitFor()
    assert.equal(await record.locator('h3').textContent(), '"><img src=x onerror=alert(1)> =SUMA(zumacales)')
    assert.equal(await record.locator('img').count(), 0)
    assert.equal(await record.locator('a[rel]').count(), 0)
  })

  test('an inscription code finds its record', async () => {
    const session = await registry.read('?search=05019-9002')
    await session.page.getByRole('heading', { name: 'Expediente con ese código de inscripción' }).waitFor()
    assert.match((await session.page.locator('.record').first().textContent()) ?? '', /Estudio de Detalle calle Mayor/)
    await waitForHeading(session.page, '1 expediente con «05019-9002»')
    await session.page.getByText('Fin de la lista: 1 expediente.').waitFor()
  })

  test('the record with an inscription code is counted with the records that only mention the code', async () => {
    await using codes = await startPageFixture({
      records: [
        { code: 'A-14', title: 'Plan parcial' },
        { code: 'A-15', title: 'Modificación del expediente A-14' },
        { code: 'A-16', title: 'Estudio de detalle A-16' },
      ],
    })
    const session = await codes.read('?search=A-14')
    await waitForHeading(session.page, '2 expedientes con «A-14»')
    await session.page.getByText('Fin de la lista: 2 expedientes.').waitFor()
    // This record is found by its code and by its title.
    await session.page.goto('?search=A-16')
    await waitForHeading(session.page, '1 expediente con «A-16»')
  })

  test('if the words of a code cannot be searched, that is shown and not the record with the code alone', async () => {
    await using session = await registry.open('', {
      before: (page) => page.route(/resultados/, (route) => route.fulfill({ status: 503, body: '{}' })),
    })
    await typeWords(session.page, '03014-9001')
    await session.page.getByRole('alert').getByRole('link', { name: 'Intentarlo de nuevo' }).waitFor()
    assert.equal(await session.page.locator('.records li').count(), 0)
  })

  test('every page of a result counts the record with the searched inscription code once', async () => {
    const mentions = ['A-16', 'A-17'].flatMap((code) =>
      Array.from({ length: 25 }, (_, index) => ({
        code: `B-${code}-${index}`,
        title: `Modificación del expediente ${code}`,
        checkinDate: '2010-01-01',
      })),
    )
    await using codes = await startPageFixture({
      records: [
        ...mentions,
        // Found by its code and by its title, as the last record of the second page.
        { code: 'A-16', title: 'Estudio de detalle A-16', checkinDate: '1990-01-01' },
        // Found only by its code.
        { code: 'A-17', title: 'Plan parcial', checkinDate: '1990-01-01' },
      ],
    })
    for (const code of ['A-16', 'A-17']) {
      const session = await codes.read(`?search=${code}`)
      await waitForHeading(session.page, `26 expedientes con «${code}»`)
      await session.page.getByRole('link', { name: 'Ver más resultados' }).click()
      await session.page.getByText('Fin de la lista: 26 expedientes.').waitFor()
      await waitForHeading(session.page, `26 expedientes con «${code}»`)
    }
  })

  test('the municipality is completed without accents and by keyboard', async () => {
    await using session = await registry.open()
    const field = session.page.getByRole('combobox', { name: 'Municipio' })
    await field.pressSequentially('avi')
    const option = session.page.getByRole('option', { name: /Ávila/ })
    await option.waitFor()
    assert.equal(await field.getAttribute('aria-expanded'), 'true')
    assert.equal(await field.getAttribute('aria-activedescendant'), null)
    await field.press('ArrowDown')
    assert.equal(await field.getAttribute('aria-activedescendant'), await option.getAttribute('id'))
    assert.equal(await option.getAttribute('aria-selected'), 'true')
    await field.press('Enter')
    await waitForHeading(session.page, 'en Ávila')
    assert.equal(await field.inputValue(), 'Ávila')
    assert.equal(await field.getAttribute('aria-expanded'), 'false')
    assert.equal(new URL(session.page.url()).searchParams.get('municipality'), 'Ávila')
  })

  test('Escape closes the list of municipalities, and a second Escape clears the field', async () => {
    await using session = await registry.open()
    const field = session.page.getByRole('combobox', { name: 'Municipio' })
    await field.pressSequentially('avi')
    await session.page.getByRole('option').first().waitFor()
    await field.press('Escape')
    assert.equal(await field.getAttribute('aria-expanded'), 'false')
    assert.equal(await field.inputValue(), 'avi')
    await field.press('Escape')
    assert.equal(await field.inputValue(), '')
  })

  test('a new search aborts the current one', async () => {
    await using session = await registry.open('', {
      before: async (page) => {
        await page.route(/resultados\?search=plan$/, neverRespond)
      },
    })
    await waitForHeading(session.page, 'Últimas entradas')
    const cancelled = session.page.waitForEvent('requestfailed', (request) => request.url().endsWith('search=plan'))
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('plan')
    await session.page.waitForRequest(/search=plan$/)
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('zumacal')
    assert.match((await cancelled).failure()?.errorText ?? '', /ABORTED/)
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('a new search also aborts the request for the next page of the previous result', async () => {
    await using session = await registry.open('', {
      before: async (page) => {
        await page.route(/resultados\?.*cursor=/, neverRespond)
      },
    })
    const cancelled = session.page.waitForEvent('requestfailed', (request) => request.url().includes('cursor='))
    const requested = session.page.waitForRequest(/cursor=/)
    await session.page.getByRole('link', { name: 'Ver más resultados' }).scrollIntoViewIfNeeded()
    await requested
    await typeWords(session.page, 'zumacal')
    assert.match((await cancelled).failure()?.errorText ?? '', /ABORTED/)
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('while a new search runs, no further page of the old result is loaded', async () => {
    const mayRespond = Promise.withResolvers<void>()
    const nextPages: string[] = []
    await using session = await registry.open('', {
      before: async (page) => {
        page.on('request', (request) => {
          if (request.url().includes('cursor=')) nextPages.push(request.url())
        })
        await page.route(/resultados\?search=zumacal/, async (route) => {
          await mayRespond.promise
          await route.continue()
        })
      },
    })
    await waitForHeading(session.page, 'Últimas entradas')
    const requested = session.page.waitForRequest(/resultados\?search=zumacal/)
    await typeWords(session.page, 'zumacal')
    await requested
    const more = session.page.getByRole('link', { name: 'Ver más resultados' })
    await more.scrollIntoViewIfNeeded()
    // The link is disabled now, so Playwright would wait before a click.
    await more.dispatchEvent('click')
    mayRespond.resolve()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    assert.deepEqual(nextPages, [])
    assert.equal(await session.page.locator('.record').count(), 4)
  })

  test('control characters in the words are treated as spaces', async () => {
    const session = await registry.read('?search=zumacal%09norte%00')
    await waitForHeading(session.page, '1 expediente')
  })

  test('Back restores the previous search and its words', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await session.page.locator('.record .about a', { hasText: 'Alacant/Alicante' }).click()
    // The heading has the name as most records of the municipality have it.
    await waitForHeading(session.page, 'en Alicante/Alacant')
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('plan parcial')
    await waitForHeading(session.page, '«plan parcial» en Alicante/Alacant')
    await session.page.goBack()
    await waitForHeading(session.page, '«zumacal» en Alicante/Alacant')
    assert.equal(await session.page.getByRole('textbox', { name: 'Palabras' }).inputValue(), 'zumacal')
    await session.page.goBack()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    assert.equal(await session.page.getByRole('combobox', { name: 'Municipio' }).inputValue(), '')
  })

  test('Back to an address with a cursor shows its page of the result again', async () => {
    const cursor = await readCursor(registry.service.base, 'search=plan&limit=20')
    await using session = await registry.open(`?search=plan&cursor=${cursor}`)
    const { page } = session
    await page.getByText('Esta lista es continuación de la página anterior').waitFor()
    const titles = await page.locator('.record h3').allTextContents()
    await page.getByLabel('Año de entrada', { exact: true }).selectOption('2004')
    await waitForHeading(page, 'con «plan» de 2004')
    await page.goBack()
    await page.getByText('Esta lista es continuación de la página anterior').waitFor()
    // By now the page may have loaded further records after these.
    assert.deepEqual((await page.locator('.record h3').allTextContents()).slice(0, titles.length), titles)
    assert.equal(await page.getByLabel('Año de entrada', { exact: true }).inputValue(), '')
    assert.equal(new URL(page.url()).searchParams.get('cursor'), decodeURIComponent(cursor))
  })

  test('at an address with a cursor, the link to the start page leads to the beginning of the list', async () => {
    const cursor = await readCursor(registry.service.base, 'limit=20')
    const session = await registry.read(`?cursor=${cursor}`)
    const { page } = session
    await page.getByText('Esta lista es continuación de la página anterior').waitFor()
    await page.locator('a.brand').click()
    assert.equal(await page.getByText('Esta lista es continuación de la página anterior').count(), 0)
    assert.equal(new URL(page.url()).search, '')
  })

  test('Back to an address with the INE code of a municipality shows its name again', async () => {
    await using session = await registry.open('?municipality=05019')
    const { page } = session
    await waitForHeading(page, 'en Ávila')
    await typeWords(page, 'zumacal')
    await waitForHeading(page, '3 expedientes con «zumacal» en Ávila')
    await page.goBack()
    // The page shows the name of the municipality, and the address keeps its code.
    await page.locator('[aria-busy=false] #results-heading', { hasText: /^\d+ expedientes en Ávila$/ }).waitFor()
    assert.equal(await page.getByRole('combobox', { name: 'Municipio' }).inputValue(), 'Ávila')
    assert.equal(new URL(page.url()).search, '?municipality=05019')
  })

  test('scrolling loads three more pages of the result, then the link loads one, without duplicates', async () => {
    await using session = await registry.open()
    await waitForHeading(session.page, 'Últimas entradas')
    assert.equal(await session.page.locator('.record').count(), 20)
    // A page of the result has 20 records.
    for (const count of [40, 60, 80]) {
      await session.page.getByRole('link', { name: 'Ver más resultados' }).scrollIntoViewIfNeeded()
      await session.page.locator(`.record:nth-child(${count})`).waitFor()
    }
    await session.page.getByRole('link', { name: 'Ver más resultados' }).scrollIntoViewIfNeeded()
    assert.equal(
      await session.page.locator('.record').count(),
      80,
      'scrolling loads no fourth page, so that the footer can be reached',
    )
    await session.page.getByRole('link', { name: 'Ver más resultados' }).click()
    await session.page.locator('.record:nth-child(100)').waitFor()
    const texts = await session.page.locator('.record').allTextContents()
    assert.equal(new Set(texts).size, texts.length)
  })

  test('the page says that the list has ended', async () => {
    const session = await registry.read('?search=zumacal')
    await session.page.getByText('Fin de la lista: 4 expedientes.').waitFor()
  })

  test('an article stands before the name of its municipality in running text', async () => {
    await using session = await registry.open('?municipality=Coruña, A')
    await waitForHeading(session.page, '1 expediente en A Coruña')
    assert.match(await session.page.title(), /^Expedientes en A Coruña · /)
    assert.doesNotMatch(
      (await session.page.locator('.record .about').textContent()) ?? '',
      /Coruña/,
      'the record does not repeat the municipality of the heading',
    )
    const field = session.page.getByRole('combobox', { name: 'Municipio' })
    assert.equal(await field.inputValue(), 'A Coruña')
    await field.fill('cor')
    await session.page.getByRole('option', { name: 'A Coruña' }).click()
    assert.equal(await field.inputValue(), 'A Coruña')
  })

  test('the heading and the title of the window name the municipality as the registry does', async () => {
    for (const [query, place] of [
      ['municipality=coruna', 'A Coruña'],
      ['municipality=alacant', 'Alicante/Alacant'],
      // The province is called A Coruña too. The heading does not repeat the name.
      ['municipality=15030', 'A Coruña'],
      ['municipality=coruna&province=15', 'A Coruña'],
    ] as const) {
      const { page } = await registry.read(`?${query}`)
      await page.locator('#results-heading', { hasText: new RegExp(`^\\d+ expedientes? en ${place}$`) }).waitFor()
      assert.ok((await page.title()).startsWith(`Expedientes en ${place} · `), await page.title())
      assert.match(
        (await page.locator('.download a').first().getAttribute('aria-label')) ?? '',
        new RegExp(` en ${place} `),
      )
    }
    // If nothing is found, only the title of the window names the municipality.
    const empty = await registry.read('?search=inexistente&municipality=coruna')
    assert.match(await empty.page.title(), /^«inexistente» en A Coruña · /)
    // A typed name is searched when the focus leaves its field.
    await using typed = await registry.open('')
    await typed.page.getByRole('combobox', { name: 'Municipio' }).fill('coruna')
    await typed.page.getByRole('textbox', { name: 'Palabras' }).focus()
    await waitForHeading(typed.page, '1 expediente en A Coruña')
    await typed.page.waitForFunction(() => document.title.startsWith('Expedientes en A Coruña · '))
  })

  test('without JavaScript, the form keeps the province of a municipality that it shows in running text', async () => {
    const session = await registry.read('?municipality=Coru%C3%B1a,%20A&province=15')
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('puerto')
    await session.page.getByRole('button', { name: 'Buscar' }).click()
    await waitForHeading(session.page, '1 expediente con «puerto» en A Coruña')
    await session.page.getByRole('link', { name: 'Quitar el filtro: Provincia: A Coruña' }).waitFor()
  })

  test('months are written out', async () => {
    for (const [query, period] of [
      ['checkin_from=2004-03-12&checkin_to=2005-06', 'del 12 de marzo de 2004 a junio de 2005'],
      ['checkin_to=2004-06', 'hasta junio de 2004'],
      ['checkin_from=2004-03&checkin_to=2004-03', 'de marzo de 2004'],
      ['checkin_from=2004-03&checkin_to=2004-03&lang=en', 'from March 2004'],
    ] as const) {
      const session = await registry.read(`?search=plan&${query}`)
      assert.ok((await session.page.title()).includes(` ${period} · `), await session.page.title())
    }
    const session = await registry.read('?checkin_from=2004-05&checkin_to=2008')
    await session.page.getByRole('link', { name: 'Quitar el filtro: mayo de 2004 – 2008' }).waitFor()
  })
})

/** The cursor after the first page of a result, percent-encoded. `query` is the query of the API request. */
async function readCursor(base: string, query: string): Promise<string> {
  const response = await fetch(`${base}/record?${query}`)
  const [, cursor] = /[?&]cursor=([^&>]+)/.exec(response.headers.get('link') ?? '') ?? []
  assert.ok(cursor, 'the result has a second page')
  return cursor
}

suite('passages on the page', () => {
  test('records found by title and records found in documents have headings of their own', async () => {
    await using plans = await startPageFixture({ fictional: false, records: passageRecords })
    const session = await plans.read('?search=mirador')
    const { page } = session
    assert.deepEqual(await page.locator('.group-heading').allTextContents(), ['En el título', 'En los documentos'])
    assert.deepEqual(await page.locator('.record h3').allTextContents(), ['Plan del Mirador', 'Plan Especial'])
    const record = page.locator('.record').last()
    assert.deepEqual(await record.locator('.passage mark').allTextContents(), ['miradores'])
    const link = record.getByRole('link', { name: 'página 2 de 4' })
    assert.equal(await link.getAttribute('href'), 'https://documents.example/memoria.pdf#page=2')
    await record.getByText('Páginas sin leer, en las que no se busca: 1 de 4').waitFor()
    await record.locator('h3 a').click()
    await page.getByRole('heading', { name: 'Dónde aparece «mirador»' }).waitFor()
    assert.deepEqual(await page.locator('.passages mark').allTextContents(), ['miradores', 'mirador'])
    await page.getByText('sin leer: 1').waitFor()
    assert.equal(await page.locator('.passages b').count(), 0, 'markup in a document is text')
  })
})

/** One record with the word in the title, and one with it on two pages of a document, whose last page is unread. */
const passageRecords: readonly TestRecord[] = [
  { code: '05019-1', title: 'Plan del Mirador', municipality: 'Ávila' },
  {
    code: '05019-2',
    title: 'Plan Especial',
    municipality: 'Ávila',
    links: 'https://documents.example/memoria.pdf',
    documents: [
      {
        href: 'https://documents.example/memoria.pdf',
        sha256: 'a'.repeat(64),
        pages: 4,
        read: 3,
        recognised: 0,
        unread: 1,
        reason: 'scanned page',
        texts: [
          { page: 1, text: 'Índice de la memoria', recognised: false },
          { page: 2, text: 'Las unidades de paisaje y los miradores del río.', recognised: false },
          { page: 3, text: `${'Otra cosa distinta. '.repeat(30)} junto al <b>mirador</b> viejo`, recognised: false },
        ],
      },
    ],
  },
]

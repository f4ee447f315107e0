// Finding a record: words, municipality, year, and what the list shows of it.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { type PageTest, startPageTest, waitForHeading } from './page-fixture.ts'

suite('search on the page', () => {
  let registry: PageTest
  before(async () => {
    registry = await startPageTest()
  })
  after(() => registry[Symbol.asyncDispose]())

  test('words typed find records without a key more, those with the words in the title first', async () => {
    await using session = await registry.open()
    await session.page.getByRole('textbox', { name: 'Palabras' }).pressSequentially('zumacal')
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    const titles = await session.page.locator('.record h3').allTextContents()
    assert.equal(titles.length, 4)
    assert.equal(titles.at(-1), 'Estudio de Detalle calle Mayor', 'the word stands only in its text')
    assert.equal(new URL(session.page.url()).search, '?search=zumacal')
  })

  test('a word half typed finds the words that begin so, and says so', async () => {
    await using session = await registry.open('?search=zumac')
    await waitForHeading(session.page, '4 expedientes con «zumac…»')
    await session.page.getByText('estos contienen palabras que empiezan por «zumac»').waitFor()
  })

  test('the words found are marked in the titles, in whatever form they stand there', async () => {
    await using session = await registry.open('?search=ZUMACAL')
    await waitForHeading(session.page, '4 expedientes')
    const marks = await session.page.locator('.record h3 mark').allTextContents()
    assert.deepEqual(marks.toSorted(), ['Zumacal', 'zumacal', 'zumacales'].toSorted())
  })

  test('a record shows municipality, area, dates in words, document and agreement', async () => {
    await using session = await registry.open('?search=zumacal%20norte')
    const record = session.page.locator('.record').first()
    await record.waitFor()
    const text = await record.textContent()
    for (const part of ['Alacant/Alicante', 'Sector ZN-1', '15 de marzo de 2004', '20 de enero de 2005', 'N.º 9001']) {
      assert.ok(text?.includes(part), `${part} in ${text}`)
    }
    const links = record.locator('a[rel]')
    assert.deepEqual(await links.evaluateAll((all) => all.map((link) => link.getAttribute('href'))), [
      'https://documents.example/03014/Ordenaci%F3n.pdf',
      'https://documents.example/03014/Ordenaci%F3n.pdf',
      'https://documents.example/03014/acuerdo.pdf',
    ])
    for (const rel of await links.evaluateAll((all) => all.map((link) => link.getAttribute('rel')))) {
      assert.equal(rel, 'external noopener noreferrer')
    }
  })

  test('a missing inscription date and a missing document are said in words', async () => {
    await using session = await registry.open('?search=calle%20mayor%20zumacal')
    const record = session.page.locator('.record', { hasText: 'Estudio de Detalle calle Mayor' })
    await record.getByText('Sin fecha de inscripción').waitFor()
    await record.getByText('Sin documentos en línea').waitFor()
    assert.equal(await record.locator('h3 a').count(), 0)
  })

  test('a title with markup is text, and an address that is not http leads nowhere', async () => {
    await using session = await registry.open('?search=SUMA')
    const record = session.page.locator('.record').first()
    await record.waitFor()
    assert.equal(await record.locator('h3').textContent(), '"><img src=x onerror=alert(1)> =SUMA(zumacales)')
    assert.equal(await record.locator('img').count(), 0)
    assert.equal(await record.locator('a[rel]').count(), 0)
  })

  test('an inscription code finds its record', async () => {
    await using session = await registry.open('?search=05019-9002')
    await session.page.getByRole('heading', { name: 'Expediente con ese código de inscripción' }).waitFor()
    assert.match((await session.page.locator('.record').first().textContent()) ?? '', /Estudio de Detalle calle Mayor/)
  })

  test('the municipality completes without accents and by keyboard alone', async () => {
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

  test('the municipality list closes by Escape, and a second Escape empties the field', async () => {
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

  test('a year chosen narrows the result, and every filter can be taken back', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await session.page.getByLabel('Año de entrada', { exact: true }).selectOption('2004')
    await waitForHeading(session.page, '1 expediente con «zumacal» de 2004')
    await session.page.getByRole('button', { name: 'Quitar todos los filtros' }).click()
    await waitForHeading(session.page, 'Últimas entradas')
    assert.equal(new URL(session.page.url()).search, '')
  })

  test('a newer search cancels the one under way', async () => {
    await using session = await registry.open('', {
      before: async (page) => {
        await page.route(/record\?search=plan&/, () => new Promise(() => {}))
      },
    })
    await waitForHeading(session.page, 'Últimas entradas')
    const cancelled = session.page.waitForEvent('requestfailed', (request) => request.url().includes('search=plan&'))
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('plan')
    await session.page.waitForRequest(/search=plan&/)
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('zumacal')
    assert.match((await cancelled).failure()?.errorText ?? '', /ABORTED/)
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('records are shown before they are counted, where counting takes longer', async () => {
    const gate = Promise.withResolvers<void>()
    await using session = await registry.open('?search=zumacal', {
      before: (page) =>
        page.route(/summary\?search=zumacal/, async (route) => {
          await gate.promise
          await route.continue()
        }),
    })
    await session.page.locator('[aria-busy=false] .record').first().waitFor()
    assert.equal(await session.page.locator('#results-heading').textContent(), 'Expedientes con «zumacal»')
    gate.resolve()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('what is pasted with tabs and the like is searched as words', async () => {
    await using session = await registry.open('?search=zumacal%09norte%00')
    await waitForHeading(session.page, '1 expediente')
  })

  test('Back returns to the search before, with its words in the field', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await session.page.locator('.record .about a', { hasText: 'Alacant/Alicante' }).click()
    await waitForHeading(session.page, 'en Alacant/Alicante')
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('plan parcial')
    await waitForHeading(session.page, '«plan parcial» en Alacant/Alicante')
    await session.page.goBack()
    await waitForHeading(session.page, '«zumacal» en Alacant/Alicante')
    assert.equal(await session.page.getByRole('textbox', { name: 'Palabras' }).inputValue(), 'zumacal')
    await session.page.goBack()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
    assert.equal(await session.page.getByRole('combobox', { name: 'Municipio' }).inputValue(), '')
  })

  test('more results come while one scrolls and then by the button, each record once', async () => {
    await using session = await registry.open()
    await waitForHeading(session.page, 'Últimas entradas')
    assert.equal(await session.page.locator('.record').count(), 20)
    for (const count of [40, 60, 80]) {
      await session.page.getByRole('button', { name: 'Más resultados' }).scrollIntoViewIfNeeded()
      await session.page.locator(`.record:nth-child(${count})`).waitFor()
    }
    await session.page.getByRole('button', { name: 'Más resultados' }).scrollIntoViewIfNeeded()
    assert.equal(await session.page.locator('.record').count(), 80, 'the foot of the page can be reached')
    await session.page.getByRole('button', { name: 'Más resultados' }).click()
    await session.page.locator('.record:nth-child(100)').waitFor()
    const titles = await session.page.locator('.record').allTextContents()
    assert.equal(new Set(titles).size, titles.length)
  })

  test('the end of the result is said', async () => {
    await using session = await registry.open('?search=zumacal')
    await session.page.getByText('Fin de la lista: 4 expedientes.').waitFor()
  })
})

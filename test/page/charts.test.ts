// Tests of the chart and the map: they show the counts of the search, and a choice in them filters it.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Locator, Page } from 'playwright-core'
import { assertAccessible } from './axe.ts'
import { startPageFixture, usePageFixture, waitForHeading } from './page-fixture.ts'

/** How many provinces have records in the fixture: A Coruña, Alicante, Ávila and Valencia. */
const registryProvinceCount = 4
/** Each search takes one request, and a map of municipalities another. The limit allows a few more. */
const threeSearchesRequestsMax = 12
/** The smallest target for a pointer (WCAG 2.2, 2.5.8). */
const targetPixelsMin = 24

suite('chart and map', () => {
  const registry = usePageFixture()

  test('the chart has a bar for every year of the registry and follows the search', async () => {
    const session = await registry.read('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    const bars = session.page.locator('.bars a')
    const { by_year: years } = await (await fetch(`${registry.service.base}/summary`)).json()
    const firstYear = years.at(0).year
    const lastYear = years.at(-1).year
    assert.equal(await bars.count(), lastYear - firstYear + 1)
    for (const year of [2003, 2004, 2005, 2006]) {
      assert.equal(await bars.nth(year - firstYear).getAttribute('aria-label'), `${year}: 1 expediente`)
    }
    assert.equal(await bars.nth(2002 - firstYear).getAttribute('aria-label'), '2002: 0 expedientes')
  })

  test('a click on a bar chooses its year, and a second click clears it', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await session.page.locator('#year-2004').click()
    await waitForHeading(session.page, '1 expediente con «zumacal» de 2004')
    assert.equal(await session.page.getByLabel('Año de entrada', { exact: true }).inputValue(), '2004')
    await session.page.locator('#year-2004').click()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('a choice in the chart or on the map shows the heading of the new result, if it is above the screen', async () => {
    await using session = await registry.open('', { width: 1440, height: 900 })
    const { page } = session
    const heading = page.locator('#results-heading')
    const readTop = (): Promise<number> => heading.evaluate((element) => element.getBoundingClientRect().top)
    const scrollDown = async (): Promise<void> => {
      await page
        .locator('.record')
        .nth(12)
        .evaluate((record) => record.scrollIntoView())
      assert.ok((await readTop()) < 0)
    }
    for (const [choose, expected] of [
      [() => page.locator('#year-2005').click(), ' de 2005'],
      // A second click on the year removes it.
      [() => page.locator('#year-2005').click(), 'Últimas entradas'],
      // The click hits the middle of the bounding box, which in this province is inside the shape.
      [() => page.locator('.places a').first().click(), 'en la provincia de'],
    ] as const) {
      const canScroll = (await page.locator('.record').count()) > 12
      if (canScroll) await scrollDown()
      await choose()
      await waitForHeading(page, expected)
      const top = await readTop()
      assert.ok(top >= 0 && top < 900, `the heading is at ${top}`)
    }
    // The form stands above the heading, so a choice in it does not scroll the page.
    await page.evaluate(() => scrollTo(0, 40))
    await page.getByLabel('Año de entrada', { exact: true }).selectOption({ index: 1 })
    await waitForHeading(page, ' de 20')
    assert.equal(await page.evaluate(() => scrollY), 40)
  })

  test('a drag over bars chooses a range of years, and records with the word in the title come first', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await drag(session.page, session.page.locator('#year-2004'), session.page.locator('#year-2006'))
    await waitForHeading(session.page, '3 expedientes con «zumacal» de 2004 a 2006')
    const dates = await session.page
      .locator('.record time:first-of-type')
      .evaluateAll((all) => all.map((time) => time.getAttribute('datetime')).filter((date) => date !== null))
    // A record may show two dates; only the dates of entry are compared. The record of 2005 comes last, because its
    // title does not have the word.
    assert.deepEqual(
      dates.filter((date) => ['2006-02-03', '2005-06-01', '2004-03-15'].includes(date)),
      ['2006-02-03', '2004-03-15', '2005-06-01'],
    )
    assert.equal(new URL(session.page.url()).search, '?search=zumacal&checkin_from=2004&checkin_to=2006')
  })

  test('a range can be chosen without dragging, and a link clears it', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2005')
    await waitForHeading(session.page, '1 expediente')
    await session.page.getByLabel('Hasta').fill('2006')
    await session.page.getByLabel('Hasta').press('Enter')
    await waitForHeading(session.page, '2 expedientes con «zumacal» de 2005 a 2006')
    await session.page.getByRole('link', { name: 'Todos los años' }).click()
    await waitForHeading(session.page, '4 expedientes')
  })

  test('the fields of the range show the years that are searched, also if the first year chosen is the later one', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2005')
    await session.page.getByLabel('Desde').fill('2006')
    await session.page.getByLabel('Desde').press('Enter')
    await waitForHeading(session.page, '2 expedientes con «zumacal» de 2005 a 2006')
    assert.equal(await session.page.getByLabel('Desde').inputValue(), '2005')
    assert.equal(await session.page.getByLabel('Hasta').inputValue(), '2006')
  })

  test('the chart works by keyboard: arrows, Enter, Shift and Escape', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2003')
    await waitForHeading(session.page, '1 expediente')
    const { keyboard } = session.page
    await session.page.locator('#year-2003').focus()
    await keyboard.press('ArrowRight')
    assert.equal(await session.page.locator('#year-2004').evaluate((year) => year === document.activeElement), true)
    await keyboard.press('Enter')
    await waitForHeading(session.page, 'de 2004')
    await keyboard.press('Shift+ArrowRight')
    await waitForHeading(session.page, '2 expedientes con «zumacal» de 2004 a 2005')
    await keyboard.press('Shift+ArrowRight')
    await waitForHeading(session.page, '3 expedientes con «zumacal» de 2004 a 2006')
    await keyboard.press('Escape')
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('the chart leaves shortcuts of the browser alone, such as Alt with an arrow for Back', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2003')
    const year = session.page.locator('#year-2003')
    await year.focus()
    for (const modifier of ['altKey', 'ctrlKey', 'metaKey']) {
      const isPrevented = await year.evaluate(
        (element, name) =>
          !element.dispatchEvent(
            new KeyboardEvent('keydown', { key: 'ArrowLeft', bubbles: true, cancelable: true, [name]: true }),
          ),
        modifier,
      )
      assert.ok(!isPrevented, modifier)
    }
  })

  test('the table of the chart has the same counts and chooses a year', async () => {
    const session = await registry.read('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await session.page.locator('.years').getByText('Ver como tabla').click()
    const rows = session.page.getByRole('table', { name: 'Expedientes por año' }).locator('tbody tr')
    // Year and count stand in two cells: one record in 2006, and so on.
    assert.deepEqual(await rows.allTextContents(), ['20061', '20051', '20041', '20031'])
    await rows.getByRole('link', { name: '2005' }).click()
    await waitForHeading(session.page, 'de 2005')
  })

  test('a first year alone chooses this and all later years', async () => {
    const session = await registry.read('?search=zumacal')
    await session.page.getByLabel('Desde').fill('2005')
    await session.page.getByRole('button', { name: 'Aplicar' }).click()
    await waitForHeading(session.page, '2 expedientes con «zumacal» desde 2005')
  })

  test('a search without any match has no chart', async () => {
    const empty = await registry.read('?search=zzzzz')
    await empty.page.getByRole('heading', { name: 'No se han encontrado expedientes' }).waitFor()
    assert.equal(await empty.page.locator('.charts').count(), 0)
  })

  test('the count of the highest bar stands above it', async () => {
    await using session = await registry.open()
    const isAbove = await session.page.locator('.most').evaluate((label) => {
      const box = label.getBoundingClientRect()
      const bars = [...document.querySelectorAll('.bars .bar')].map((bar) => bar.getBoundingClientRect())
      const highest = bars.reduce((most, bar) => (bar.height > most.height ? bar : most))
      // One pixel of tolerance, because the coordinates are fractions.
      return box.bottom <= highest.top + 1 && box.left <= highest.right && box.right >= highest.left
    })
    assert.ok(isAbove)
  })

  test('a click on a province shows its municipalities, and a click on a municipality its records', async () => {
    let requests = 0
    await using session = await registry.open('?search=zumacal', {
      before: async (page) => {
        page.on('request', () => requests++)
      },
    })
    await waitForHeading(session.page, '4 expedientes')
    assert.deepEqual(
      await session.page.locator('.places a').evaluateAll((all) => all.map((link) => link.getAttribute('aria-label'))),
      ['Ávila: 3 expedientes', 'Alicante/Alacant: 1 expediente'],
    )
    // A click of Playwright hits the middle of the bounding box, which may be outside the shape, so the event is
    // dispatched.
    await session.page.locator('.places a[aria-label^="Ávila"]').dispatchEvent('click')
    await waitForHeading(session.page, '3 expedientes con «zumacal» en la provincia de Ávila')
    await session.page.getByRole('heading', { name: 'Expedientes por municipio: Ávila' }).waitFor()
    // The province and its capital have the same name and count: only the `href` of the link shows that it belongs to
    // the map of municipalities.
    await session.page
      .locator('.places a[aria-label="Ávila: 3 expedientes"][href*="municipality="]')
      .dispatchEvent('click')
    // The search keeps the province. The heading omits it, because the municipality has the same name.
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
    await session.page.locator('.places .chosen').waitFor()
    assert.ok(requests <= threeSearchesRequestsMax, `${requests} requests for a visit with three searches`)
    await session.page.locator('.map-panel').getByRole('link', { name: 'Todas las provincias' }).click()
    await waitForHeading(session.page, '4 expedientes con «zumacal»')
  })

  test('the places of the map are listed below it in rows that are easy to hit', async () => {
    await using session = await registry.open()
    const rows = session.page.locator('.map-panel tbody a')
    assert.equal(await rows.count(), registryProvinceCount)
    for (const height of await rows.evaluateAll((all) => all.map((link) => link.getBoundingClientRect().height))) {
      assert.ok(height >= targetPixelsMin, `${height} px`)
    }
    await rows.filter({ hasText: 'Ávila' }).click()
    await waitForHeading(session.page, 'en la provincia de Ávila')
  })

  test('the line below the map drops the count of the search before', async () => {
    await using session = await registry.open('?search=zumacal')
    await session.page.locator('.places a[aria-label^="Ávila"]').dispatchEvent('pointermove')
    const readout = session.page.locator('.map-panel .readout')
    assert.equal(await readout.textContent(), 'Ávila: 3 expedientes')
    await session.page.getByLabel('Año de entrada', { exact: true }).selectOption('2005')
    await waitForHeading(session.page, '1 expediente con «zumacal» de 2005')
    await readout.getByText('Haga clic en una provincia').waitFor()
  })

  test('no province with records is cut off at the edge of the map', async () => {
    await using session = await registry.open()
    const isInside = await session.page.locator('.map svg').evaluate((svg) => {
      const frame = svg.getBoundingClientRect()
      return [...svg.querySelectorAll('a use')].every((path) => {
        const box = path.getBoundingClientRect()
        return box.left >= frame.left && box.right <= frame.right && box.top >= frame.top && box.bottom <= frame.bottom
      })
    })
    assert.ok(isInside)
  })

  test('a value of an own column is chosen by a click, lists stay as they were folded, and Back undoes it', async () => {
    const types = ['Obra mayor', 'Obra menor', 'Obra menor']
    await using office = await startPageFixture({
      records: types.map((type, index) => ({ code: `A-${index + 1}`, fields: { Tipo: type, Estado: 'Concedida' } })),
    })
    await using session = await office.open()
    const { page } = session
    await page.locator('#field-estado > summary').click()
    await page.locator('#field-tipo').getByRole('link', { name: 'Obra menor' }).click()
    await waitForHeading(page, '2 expedientes con Tipo «Obra menor»')
    assert.equal(new URL(page.url()).searchParams.get('field.tipo'), 'Obra menor')
    assert.equal(await page.locator('#field-estado').getAttribute('open'), null)
    assert.deepEqual(await page.locator('#field-tipo tbody tr').allTextContents(), ['Obra menor2', 'Obra mayor1'])
    await assertAccessible(page)
    await page.goBack()
    await waitForHeading(page, 'Últimas entradas')
  })

  test('the list below the map counts only the records of the chosen years', async () => {
    const session = await registry.read('?search=zumacal&checkin_date=2004-2005')
    await waitForHeading(session.page, '2 expedientes')
    const rows = session.page.getByRole('table', { name: 'Expedientes por provincia' }).locator('tbody tr')
    // Name and count stand in two cells.
    assert.deepEqual((await rows.allTextContents()).toSorted(), ['Alicante/Alacant1', 'Ávila1'])
  })
})

/** Drags the mouse from the middle of one element to the middle of another. */
async function drag(page: Page, from: Locator, to: Locator): Promise<void> {
  const [start, end] = await Promise.all([from.boundingBox(), to.boundingBox()])
  assert.ok(start !== null && end !== null)
  await page.mouse.move(start.x + start.width / 2, start.y + start.height / 2)
  await page.mouse.down()
  await page.mouse.move(end.x + end.width / 2, end.y + end.height / 2, { steps: 5 })
  await page.mouse.up()
}

// Tests of what the user types or chooses while the page is visible but its scripts have not arrived yet.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { type BrowserSession, type SessionOptions, typeWords, usePageFixture, waitForHeading } from './page-fixture.ts'

suite('input before the scripts arrive', () => {
  const registry = usePageFixture()

  /** Opens the path, and lets the scripts arrive after `act`. */
  const open = async (
    path: string,
    act: (page: Page) => Promise<unknown>,
    options: SessionOptions = {},
  ): Promise<BrowserSession> => {
    const scriptsMayArrive = Promise.withResolvers<void>()
    const created = Promise.withResolvers<Page>()
    const opening = registry.open(path, {
      ...options,
      before: async (page) => {
        await page.route(/\/assets\/[^/]+\.js$/, async (route) => {
          await scriptsMayArrive.promise
          await route.continue()
        })
        created.resolve(page)
      },
    })
    try {
      await act(await created.promise)
    } finally {
      scriptsMayArrive.resolve()
    }
    return await opening
  }

  test('words and a year are searched', async () => {
    await using session = await open('', async (page) => {
      await typeWords(page, 'zumacal')
      await page.getByLabel('Año de entrada', { exact: true }).selectOption('2004')
    })
    await waitForHeading(session.page, '1 expediente con «zumacal» de 2004')
    assert.equal(await session.page.getByRole('textbox', { name: 'Palabras' }).inputValue(), 'zumacal')
    assert.equal(new URL(session.page.url()).search, '?search=zumacal&checkin_date=2004')
    await session.page.goBack()
    await waitForHeading(session.page, 'Últimas entradas')
  })

  test('a municipality is searched if the focus has left its field', async () => {
    await using session = await open('', async (page) => {
      await page.getByRole('combobox', { name: 'Municipio' }).fill('Ávila')
      await typeWords(page, 'zumacal')
    })
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  test('a municipality that is still being typed stays in its field and is not searched yet', async () => {
    const typeName = (page: Page): Promise<void> => page.getByRole('combobox', { name: 'Municipio' }).fill('avi')
    await using session = await open('', typeName)
    const field = session.page.getByRole('combobox', { name: 'Municipio' })
    assert.equal(await field.inputValue(), 'avi')
    assert.equal(new URL(session.page.url()).search, '')
  })

  test('on the page of a municipality, words and another municipality stay in the form until Enter', async () => {
    await using session = await open('municipio/05019', async (page) => {
      await page.getByRole('combobox', { name: 'Municipio' }).fill('alicante')
      await typeWords(page, 'zumacal')
    })
    await session.page.getByRole('textbox', { name: 'Palabras' }).press('Enter')
    await waitForHeading(session.page, '1 expediente con «zumacal» en Alicante/Alacant')
    await session.page.goBack()
    await session.page.getByRole('heading', { level: 1, name: 'Ávila' }).waitFor()
  })

  // A browser may fill in the fields again when the user goes back, and the scripts would take that for early input.
  test('after Back, the year that was chosen before is not searched again', async () => {
    await using session = await registry.open('municipio/05019')
    await session.page.getByLabel('Año de entrada', { exact: true }).selectOption('2005')
    await waitForHeading(session.page, 'de 2005')
    await session.page.goBack()
    await session.page.getByRole('heading', { level: 1, name: 'Ávila' }).waitFor()
    assert.equal(await session.page.getByLabel('Año de entrada', { exact: true }).inputValue(), '')
  })
})

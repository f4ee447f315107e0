// Spanish and English: by the browser's preference, by the switch, whole.
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { strings } from '../../web/strings.ts'
import { headed, type PageTest, startPageTest } from './page-fixture.ts'

suite('the languages of the page', () => {
  let registry: PageTest
  before(async () => {
    registry = await startPageTest()
  })
  after(() => registry[Symbol.asyncDispose]())

  test('a browser in English gets English, with its dates and numbers', async () => {
    await using reader = await registry.open('?search=zumacal%20norte', { locale: 'en-US' })
    await headed(reader.page, 'One record with “zumacal norte”')
    await reader.page.getByText('Entered: 15 March 2004').waitFor()
    assert.equal(await reader.page.locator('html').getAttribute('lang'), 'en')
    assert.match(await reader.page.title(), /^with “zumacal norte” · Urban planning registry$/)
  })

  test('a browser in Catalan gets Spanish, one in neither language too', async () => {
    for (const locale of ['ca-ES', 'ja-JP']) {
      await using reader = await registry.open('', { locale })
      await headed(reader.page, 'Últimas entradas')
    }
  })

  test('the switch changes the language in place and is remembered', async () => {
    await using reader = await registry.open('?search=zumacal')
    await headed(reader.page, '4 expedientes')
    await reader.page.getByRole('button', { name: 'English' }).click()
    await headed(reader.page, '4 records with “zumacal”')
    assert.equal(await reader.page.getByRole('textbox', { name: 'Words' }).inputValue(), 'zumacal')
    await reader.page.reload()
    await headed(reader.page, '4 records with “zumacal”')
    await reader.page.getByRole('button', { name: 'Español' }).click()
    await headed(reader.page, '4 expedientes con «zumacal»')
  })

  test('every string of one language stands in the other and is not left in the first', () => {
    // Names of things and symbols may be the same in both.
    const alike = new Set(['reference', 'csvSeparator', 'exampleWords', 'examplePhrase'])
    for (const key of Object.keys(strings.es)) {
      const [spanish, english] = [Reflect.get(strings.es, key), Reflect.get(strings.en, key)]
      assert.equal(typeof english, typeof spanish, key)
      if (typeof spanish === 'string' && !alike.has(key)) assert.notEqual(english, spanish, key)
    }
  })
})

// Tests of Spanish and English: the language that the browser prefers, the link that switches the language, and whether every
// text is translated.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { english } from '../../web/english.ts'
import { spanish } from '../../web/spanish.ts'
import { typeWords, usePageFixture, waitForHeading } from './page-fixture.ts'

suite('the languages of the page', () => {
  const registry = usePageFixture()

  test('for a first visit in English at most 6 files are loaded, and no data', async () => {
    const requested: string[] = []
    await using session = await registry.open('?search=zumacal', {
      locale: 'en-US',
      before: async (page) => {
        page.on('request', (request) => requested.push(new URL(request.url()).pathname))
      },
    })
    await session.page.locator('.places a[aria-label="Ávila: 3 records"]').waitFor()
    assert.ok(requested.length <= 6, requested.join(' '))
    assert.deepEqual(
      requested.filter((path) => /summary|record|municipality/.test(path)),
      [],
    )
  })

  test('without JavaScript an address with lang=en and its links are English, except the link to Spanish', async () => {
    const session = await registry.read('?search=zumacal&lang=en')
    await waitForHeading(session.page, '4 records with “zumacal”')
    assert.equal(await session.page.locator('html').getAttribute('lang'), 'en')
    await session.page.locator('.record .about a', { hasText: 'Ávila' }).first().click()
    await waitForHeading(session.page, '3 records with “zumacal” in Ávila')
    await session.page.getByRole('link', { name: 'Español' }).click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
    assert.equal(new URL(session.page.url()).searchParams.get('lang'), 'es')
  })

  test('an address with lang=en is English with JavaScript too, and can be switched', async () => {
    await using session = await registry.open('?search=zumacal&lang=en')
    await waitForHeading(session.page, '4 records with “zumacal”')
    await typeWords(session.page, 'zumacal norte')
    await waitForHeading(session.page, '1 record with “zumacal norte”')
    await session.page.getByRole('link', { name: 'Español' }).click()
    await waitForHeading(session.page, '1 expediente con «zumacal norte»')
  })

  test('links to Spanish lead to Spanish even in a browser that prefers English', async () => {
    await using session = await registry.open('?search=zumacal', { locale: 'en-US' })
    const { page } = session
    await waitForHeading(page, '4 records with “zumacal”')
    // As in a new tab: the address is opened, without a click that would save the choice.
    const address = await page.getByRole('link', { name: 'Español' }).evaluate((link: HTMLAnchorElement) => link.href)
    await page.goto(address)
    await typeWords(page, 'zumacal norte')
    await waitForHeading(page, '1 expediente con «zumacal norte»')
    // The API reference in Spanish links to the start page in Spanish.
    const reference = await (await fetch(`${registry.service.base}/docs?lang=es`)).text()
    assert.match(reference, /<a class="brand" href="\.\/\?lang=es">/)
    const html = await (await fetch(address)).text()
    assert.doesNotMatch(html, /<meta property="og:url" content="[^"]*lang=/, 'the canonical address has no language')
  })

  test('the window title of a record that does not exist is in the language of the page', async () => {
    const session = await registry.read('expediente/05019-1?lang=en')
    await session.page.getByRole('heading', { level: 1, name: 'Record not found' }).waitFor()
    assert.equal(await session.page.title(), 'Record not found · Urban planning registry')
  })

  test('every string is translated', () => {
    // The name `API` is the same in both languages.
    const sameInBoth = new Set(['reference'])
    for (const [key, text] of Object.entries(spanish)) {
      const translation: unknown = Reflect.get(english, key)
      assert.equal(typeof translation, typeof text, key)
      if (typeof text === 'string' && !sameInBoth.has(key)) assert.notEqual(translation, text, key)
    }
  })
})

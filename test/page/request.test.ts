// Tests of the API request that the page shows, and of downloads.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { usePageFixture, waitForHeading } from './page-fixture.ts'

suite('the API request and downloads', () => {
  const registry = usePageFixture()

  test('the URL on screen returns the records on screen', async () => {
    const session = await registry.read('?search=zumacal&municipality=Ávila')
    await waitForHeading(session.page, '3 expedientes')
    const line = (await session.page.locator('#request .line code').first().textContent()) ?? ''
    const address = line.replace('GET ', '')
    assert.equal(address, `${registry.service.base}/record?search=zumacal&municipality=%C3%81vila&limit=20`)
    const { resultadoBusqueda } = await (await fetch(address)).json()
    assert.deepEqual(
      resultadoBusqueda.map((record: { title: string }) => record.title),
      await session.page.locator('.record h3').allTextContents(),
    )
  })

  test('the button copies the URL and confirms it', async () => {
    await using session = await registry.open('?search=zumacal', { before: allowClipboard })
    await waitForHeading(session.page, '4 expedientes')
    await openRequest(session.page)
    await session.page.locator('#request').getByRole('button', { name: 'Copiar: Dirección' }).click()
    await session.page.locator('#request .line').first().getByText('Copiado').first().waitFor()
    const copied = await session.page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, `${registry.service.base}/record?search=zumacal&limit=20`)
  })

  // Browsers have `navigator.clipboard` only on secure pages (HTTPS or localhost). Without it, the page selects the
  // address in a text field to copy it, which takes the focus from the button.
  test('on a page that is not secure, the address is copied too and the button keeps the focus', async () => {
    await using session = await registry.open('?search=zumacal', {
      before: (page) => page.addInitScript(() => Object.defineProperty(navigator, 'clipboard', { value: undefined })),
    })
    await openRequest(session.page)
    await session.page.locator('#request').getByRole('button', { name: 'Copiar: Dirección' }).press('Enter')
    const copied = session.page.getByRole('button', { name: 'Copiado' })
    await copied.waitFor()
    assert.ok(await copied.evaluate((button) => button === document.activeElement))
  })

  test('without JavaScript there are no buttons to copy or to clear a field', async () => {
    // A page of results, and the page of a record.
    for (const path of ['?search=zumacal', 'expediente/03014-9001']) {
      await using session = await registry.open(path, { javaScriptEnabled: false })
      assert.equal(await session.page.getByRole('button', { name: /Copiar|Borrar|Quitar/ }).count(), 0, path)
    }
  })

  test('the examples for curl, JavaScript and Python percent-encode every special character of the search', async () => {
    const session = await registry.read(`?search=${encodeURIComponent(`zumacal "plan parcial" 'x' $HOME [1]`)}`)
    await session.page.locator('[aria-busy=false] #results-heading').waitFor()
    const [curl = '', javaScript = '', python = ''] = await session.page.locator('.snippet code').allTextContents()
    const address = /^curl '([^']+)'$/.exec(curl)?.[1]
    assert.ok(address?.includes('search=zumacal%20%22plan%20parcial%22%20%27x%27%20%24HOME%20%5B1%5D'), curl)
    assert.ok(javaScript.includes(`fetch('${address}')`), javaScript)
    assert.ok(python.includes(`urlopen('${address}')`), python)
  })

  test('the example for JavaScript returns the records', async () => {
    const session = await registry.read('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    const [, javaScript = ''] = await session.page.locator('.snippet code').allTextContents()
    const program = `${javaScript}; process.stdout.write(String(resultadoBusqueda.length))`
    assert.equal(await runNode(program), '4')
  })

  test('a range of years is one request', async () => {
    const session = await registry.read('?search=zumacal&checkin_date=2004-2006')
    await waitForHeading(session.page, '3 expedientes')
    const [curl = '', javaScript = ''] = await session.page.locator('.snippet code').allTextContents()
    assert.ok(curl.endsWith("/record?search=zumacal&checkin_from=2004&checkin_to=2006&limit=20'"), curl)
    assert.equal(await runNode(`${javaScript}; process.stdout.write(String(resultadoBusqueda.length))`), '3')
  })

  test('without JavaScript the download names what it downloads and has the whole result', async () => {
    const session = await registry.read('?search=zumacal&checkin_date=2004-2006')
    const link = session.page.getByRole('link', {
      name: 'Descargar 3 expedientes con «zumacal» de 2004 a 2006 en CSV',
    })
    assert.equal(await link.textContent(), 'Descargar 3 expedientes (CSV)')
    const file = await fetch(new URL((await link.getAttribute('href')) ?? '', `${registry.service.base}/`))
    const [header, ...rows] = (await file.text()).trim().split('\r\n')
    assert.match(header ?? '', /title/)
    assert.equal(rows.length, 3)
  })
})

async function openRequest(page: Page): Promise<void> {
  await page.getByText('Petición a la API (JSON)').click()
}

async function allowClipboard(_page: Page, context: BrowserContext): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
}

async function runNode(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return stdout
}

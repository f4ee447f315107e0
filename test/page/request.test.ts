// Tests of the API request that the page shows, and of downloads.
import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { suite, test } from 'node:test'
import { promisify } from 'node:util'
import type { BrowserContext, Page } from 'playwright-core'
import { type BrowserSession, usePageTest, waitForHeading } from './page-fixture.ts'

suite('the API request and downloads', () => {
  const registry = usePageTest()

  test('the URL on screen returns the records on screen', async () => {
    await using session = await registry.open('?search=zumacal&municipality=Ávila')
    await waitForHeading(session.page, '3 expedientes')
    const line = (await session.page.locator('.request .line code').first().textContent()) ?? ''
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
    await session.page.getByRole('button', { name: 'Copiar: Dirección' }).click()
    await session.page.locator('.request .line').first().getByText('Copiado').first().waitFor()
    const copied = await session.page.evaluate(() => navigator.clipboard.readText())
    assert.equal(copied, `${registry.service.base}/record?search=zumacal&limit=20`)
  })

  test('the lines of curl, JavaScript and Python quote every character of the search', async () => {
    await using session = await registry.open(`?search=${encodeURIComponent(`zumacal "plan parcial" 'x' $HOME [1]`)}`)
    await session.page.locator('[aria-busy=false] #results-heading').waitFor()
    await session.page.getByText('curl, JavaScript, Python').click()
    const [curl = '', javaScript = '', python = ''] = await session.page.locator('.snippet code').allTextContents()
    const address = /^curl '([^']+)'$/.exec(curl)?.[1]
    assert.ok(address?.includes('search=zumacal%20%22plan%20parcial%22%20%27x%27%20%24HOME%20%5B1%5D'), curl)
    assert.ok(javaScript.includes(`fetch('${address}')`), javaScript)
    assert.ok(python.includes(`urlopen('${address}')`), python)
  })

  test('the line of JavaScript returns the records', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    const [, javaScript = ''] = await openSnippets(session.page)
    const program = `${javaScript}; process.stdout.write(String(resultadoBusqueda.length))`
    assert.equal(await runNode(program), '4')
  })

  test('the lines for a range of years send one request per year', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2004-2006')
    await waitForHeading(session.page, '3 expedientes')
    const [curl = '', javaScript = '', python = ''] = await openSnippets(session.page)
    assert.ok(curl.endsWith("&checkin_date=[2004-2006]'"), curl)
    assert.equal(await runNode(`${javaScript}; process.stdout.write(String(records.length))`), '3')
    assert.ok(python.includes('range(2006, 2003, -1)'), python)
  })

  test('CSV has the whole result, a byte order mark and no formulas', async () => {
    await using session = await registry.open('?search=zumacal', { before: withoutPicker })
    await waitForHeading(session.page, '4 expedientes')
    const { name, bytes } = await download(session, 'CSV')
    assert.equal(name, 'expedientes-zumacal.csv')
    assert.deepEqual([...bytes.subarray(0, 3)], [0xef, 0xbb, 0xbf])
    const lines = bytes.toString().slice(1).split('\r\n')
    assert.equal(
      lines[0],
      'id;registration_number;title;area;checkin_date;inscription_date;municipality;links;agreement_link',
    )
    assert.equal(lines.length, 6)
    assert.ok(
      lines.includes(
        `N-4;9004;"'=HYPERLINK(""https://evil.example"";""zumacal, tercera"")";;2003-02-03;;Ávila;https://documents.example/4.pdf;`,
      ),
      lines.join('\n'),
    )
    await session.page.getByText('Descarga completada: expedientes-zumacal.csv').waitFor({ state: 'attached' })
  })

  test('CSV has commas in English', async () => {
    await using session = await registry.open('?search=zumacal', { locale: 'en-GB', before: withoutPicker })
    await waitForHeading(session.page, '4 records')
    const { bytes } = await download(session, 'CSV')
    assert.ok(bytes.toString().startsWith('\uFEFFid,registration_number,title,'))
  })

  test('JSON is the response of the service without a limit', async () => {
    await using session = await registry.open('?search=plan', { before: withoutPicker })
    await session.page.locator('.download').waitFor()
    const { name, bytes } = await download(session, 'JSON')
    assert.equal(name, 'expedientes-plan.json')
    const response = await fetch(`${registry.service.base}/record?search=plan`)
    assert.equal(bytes.toString(), await response.text())
  })

  test('a range of years is downloaded as one file', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2004-2006', { before: withoutPicker })
    await waitForHeading(session.page, '3 expedientes')
    const { bytes } = await download(session, 'JSON')
    const { resultadoBusqueda } = JSON.parse(bytes.toString())
    assert.deepEqual(
      resultadoBusqueda.map((record: { id: string }) => record.id),
      ['N-3', 'N-2', 'N-1'],
    )
  })

  test('the file is written while it arrives if the browser supports it', async () => {
    await using session = await registry.open('?search=zumacal', {
      before: async (page) => {
        // A test cannot use the browser's dialog; a file in the origin private file system has the same interface.
        await page.addInitScript(() => {
          window.showSaveFilePicker = async ({ suggestedName }) =>
            (await navigator.storage.getDirectory()).getFileHandle(suggestedName, { create: true })
        })
      },
    })
    await waitForHeading(session.page, '4 expedientes')
    await session.page.getByRole('button', { name: 'Descargar todos los resultados en JSON' }).click()
    await session.page.getByText('Descarga completada').waitFor({ state: 'attached' })
    const text = await session.page.evaluate(async () => {
      const folder = await navigator.storage.getDirectory()
      return await (await (await folder.getFileHandle('expedientes-zumacal.json')).getFile()).text()
    })
    assert.equal(text, await (await fetch(`${registry.service.base}/record?search=zumacal`)).text())
  })

  test('a download shows its progress and can be cancelled', async () => {
    await using session = await registry.open('?search=zumacal', {
      before: async (page) => {
        await withoutPicker(page)
        await page.route(/record\?search=zumacal$/, () => new Promise(() => {}))
      },
    })
    await waitForHeading(session.page, '4 expedientes')
    await session.page.getByRole('button', { name: 'Descargar todos los resultados en CSV' }).click()
    await session.page.getByText('0 de 4 expedientes').waitFor()
    assert.equal(await session.page.getByRole('progressbar').getAttribute('max'), '4')
    await session.page.getByRole('button', { name: 'Cancelar' }).click()
    await session.page.getByRole('button', { name: 'Descargar todos los resultados en CSV' }).waitFor()
  })

  test('an interrupted response leaves no file, and the page says so', async () => {
    await using session = await registry.open('?search=zumacal', {
      before: async (page) => {
        await withoutPicker(page)
        await page.route(/record\?search=zumacal$/, (route) =>
          route.fulfill({ contentType: 'application/json', body: '{"resultadoBusqueda":[{"id":"1"},{"id":' }),
        )
      },
    })
    await waitForHeading(session.page, '4 expedientes')
    let downloads = 0
    session.page.on('download', () => downloads++)
    await session.page.getByRole('button', { name: 'Descargar todos los resultados en JSON' }).click()
    await session.page.getByText('La descarga se ha interrumpido').waitFor()
    assert.equal(downloads, 0)
  })
})

async function download(session: BrowserSession, format: string): Promise<{ name: string; bytes: Buffer }> {
  const downloading = session.page.waitForEvent('download')
  await session.page.locator('.download .tag', { hasText: format }).click()
  const file = await downloading
  return { name: file.suggestedFilename(), bytes: await readFile(await file.path()) }
}

/** Opens the code examples and returns them: curl, JavaScript, Python. */
async function openSnippets(page: Page): Promise<string[]> {
  await page.getByText('curl, JavaScript, Python').click()
  return await page.locator('.snippet code').allTextContents()
}

/** A browser without the File System Access API: the download is an ordinary one. */
async function withoutPicker(page: Page): Promise<void> {
  await page.addInitScript(() => {
    delete window.showSaveFilePicker
  })
}

async function allowClipboard(_page: Page, context: BrowserContext): Promise<void> {
  await context.grantPermissions(['clipboard-read', 'clipboard-write'])
}

async function runNode(program: string): Promise<string> {
  const { stdout } = await promisify(execFile)(process.execPath, ['--input-type=module', '--eval', program])
  return stdout
}

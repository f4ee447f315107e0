// The desk in a browser, from its printed address to the published registry, with and without scripts.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertAccessible } from '../page/axe.ts'
import { openBrowser } from '../page/chromium.ts'
import { startDesk } from './desk.ts'

for (const javaScriptEnabled of [true, false]) {
  test(`the whole way in a browser ${javaScriptEnabled ? 'with' : 'without'} scripts`, async (t) => {
    const desk = await startDesk(t)
    await using browser = await openBrowser()
    const context = await browser.newContext({
      locale: 'es-ES',
      javaScriptEnabled,
      viewport: { width: 375, height: 800 },
    })
    context.setDefaultTimeout(60_000)
    const page = await context.newPage()
    const errors: string[] = []
    context.on('request', (request) => {
      if (new URL(request.url()).origin !== desk.origin) errors.push(`requested ${request.url()}`)
    })
    context.on('console', (message) => {
      if (message.type() === 'error') errors.push(message.text())
    })
    /** Presses a button, after axe has looked at the page, which needs scripts. */
    const press = async (name: string): Promise<void> => {
      if (javaScriptEnabled) await assertAccessible(page)
      await page.getByRole('button', { name }).click()
    }

    await page.goto(desk.address)
    assert.equal(page.url(), `${desk.origin}/hoja`)
    await press('expedientes.xlsx')
    await page.getByRole('link', { name: 'pdf', exact: true }).click()
    await press('Usar esta carpeta (2 PDF)')
    await page.getByLabel('O el mismo en todas las filas:').fill('Almansa')
    await page.getByRole('checkbox', { name: 'Tipo' }).check()
    await press('Guardar y comprobar las filas')
    await page.getByText('Unir en un expediente las filas del mismo código').click()
    await page.getByRole('checkbox', { name: /Publicar sin esas filas/ }).check()
    await press('Continuar')
    await page.getByRole('radio', { name: /^Sí/ }).check()
    await press('Preparar la vista previa')
    const [registry] = await Promise.all([
      context.waitForEvent('page'),
      page.getByRole('link', { name: 'Ver la página' }).click(),
    ])
    await registry.getByText('3 expedientes de 1 municipio').waitFor()
    await registry.close()
    await page.getByRole('link', { name: 'Continuar' }).click()
    await press('Publicar')
    await page.getByText('El registro está publicado.').waitFor()
    // No page is wider than the screen.
    const width = await page
      .locator('html')
      .evaluate((element) => element.scrollWidth)
      .catch(() => 0)
    assert.ok(width <= 375, String(width))
    await press('Terminar')
    await page.getByText('puede cerrar esta pestaña').waitFor()
    assert.deepEqual(errors, [])
    await context.close()
  })
}

// Tests of the pages of a record and of a municipality.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findPlanNames } from '../../web/plan-names.ts'
import { startPageFixture, usePageTest } from './page-fixture.ts'

suite('the page of a record', () => {
  const registry = usePageTest()

  test('it shows all fields, the documents with their host and the API request', async () => {
    await using session = await registry.open('expediente/03014-9001')
    const text = (await session.page.locator('.fields').textContent()) ?? ''
    for (const part of [
      '03014-9001',
      'Alacant/Alicante',
      'Comunitat Valenciana',
      'Sector ZN-1',
      '15 de marzo de 2004',
    ]) {
      assert.ok(text.includes(part), `${part} in ${text}`)
    }
    await session.page.getByText('en 127.0.0.1').first().waitFor()
    const request = (await session.page.locator('.request .line code').first().textContent()) ?? ''
    const { resultadoBusqueda } = await (await fetch(request.replace('GET ', ''))).json()
    assert.equal(resultadoBusqueda[0].id, 'N-1')
  })

  test('the citation is copied as text, with the date of access', async () => {
    await using session = await registry.open('expediente/03014-9001', {
      before: (_page, context) => context.grantPermissions(['clipboard-read', 'clipboard-write']),
    })
    await session.page.getByRole('button', { name: 'Copiar: Cómo citar' }).click()
    await session.page.locator('.cite').getByText('Copiado').first().waitFor()
    const copied = await session.page.evaluate(() => navigator.clipboard.readText())
    assert.ok(
      copied.startsWith('Plan Parcial "Zumacal Norte" (expediente 03014-9001), Alacant/Alicante, entrada de 15'),
    )
    assert.ok(copied.includes(`${registry.service.base}/expediente/03014-9001`))
    assert.match(copied, /\(consultado el \d+ de \p{L}+ de \d{4}\)$/u)
  })

  test('it lists the records of the municipality that name the same plan, with the reason', async () => {
    await using plans = await startPageFixture({}, [
      {
        code: '05019-1',
        title: 'Plan Parcial Sector S-9 "Sanlicín"',
        municipality: 'Ávila',
        checkinDate: '2001-02-03',
      },
      { code: '05019-2', title: 'Modificación del P.P. Sanlicín', municipality: 'Ávila', checkinDate: '2005-02-03' },
      { code: '05019-3', title: 'Urbanización del sector S 9', municipality: 'Ávila', checkinDate: '2004-02-03' },
      { code: '05019-4', title: 'Plan Parcial Sector S-10', municipality: 'Ávila', checkinDate: '2006-02-03' },
      { code: '40194-5', title: 'Plan Parcial "Sanlicín"', municipality: 'Segovia', checkinDate: '2007-02-03' },
      {
        code: '05019-6',
        title: 'Plan Especial',
        content: 'en Sanlicín',
        municipality: 'Ávila',
        checkinDate: '2008-02-03',
      },
    ])
    await using session = await plans.open('expediente/05019-1', { javaScriptEnabled: false })
    assert.deepEqual(await session.page.locator('.amendments li').allTextContents(), [
      'Modificación del P.P. Sanlicín3 de febrero de 2005 Su título también menciona «Sanlicín»',
      'Urbanización del sector S 93 de febrero de 2004 Su título también menciona «S-9»',
    ])
    await session.page.locator('.amendments a').first().click()
    await session.page.getByRole('heading', { level: 1, name: 'Modificación del P.P. Sanlicín' }).waitFor()
  })

  test('names of plans are quoted names, codes and the general plan, but not the number of an amendment', () => {
    assert.deepEqual(findPlanNames('M.P. 46 NN.SS.: ordenanza', 'UE Pendevel-29'), [
      'UE Pendevel-29',
      'Normas Subsidiarias',
    ])
    assert.deepEqual(findPlanNames('MODIFICACIÓN NÚM. 14 del PGOU en "Llalijo"', 'S/SUNC/52'), [
      'Llalijo',
      'S/SUNC/52',
      'Plan General',
    ])
    assert.deepEqual(findPlanNames('Modificación puntual nº 29/2026', ''), [])
  })
})

suite('the page of a municipality', () => {
  const registry = usePageTest()

  test('it shows the newest records, the years, the map and the place', async () => {
    await using session = await registry.open('municipio/15030', { javaScriptEnabled: false })
    await session.page.getByRole('heading', { level: 1, name: 'A Coruña' }).waitFor()
    await session.page.getByText('A Coruña, Galicia').waitFor()
    assert.deepEqual(await session.page.locator('.record h3').allTextContents(), ['Plan Especial del Puerto'])
    assert.equal(await session.page.locator('.places .chosen').count(), 1)
    await session.page.getByRole('textbox', { name: 'Palabras' }).fill('puerto')
    await session.page.getByRole('button', { name: 'Buscar' }).click()
    await session.page.locator('#results-heading', { hasText: '1 expediente con «puerto» en A Coruña' }).waitFor()
  })

  test('a choice in its chart opens the search', async () => {
    await using session = await registry.open('municipio/05019')
    await session.page.locator('#year-2005').click()
    await session.page.locator('#results-heading', { hasText: 'en Ávila en la provincia de Ávila de 2005' }).waitFor()
  })
})

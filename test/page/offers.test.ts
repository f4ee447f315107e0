// Tests of what the page offers if words or a name can mean several things: places and numbers inside the words, the
// start of a municipality's name, and municipalities of one name.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { findPlaces, toPlaceIndex } from '../../web/place-index.ts'
import { startPageFixture, typeWords, usePageFixture, waitForHeading } from './page-fixture.ts'

suite('offers for words and names', () => {
  const registry = usePageFixture()

  test('a municipality or province inside the words is offered with its count, without JavaScript too', async () => {
    const session = await registry.read('?search=zumacal%20en%20avila')
    const offers = session.page.locator('.under-form .examples a')
    assert.deepEqual((await offers.allTextContents()).toSorted(), [
      'zumacal en la provincia de Ávila · 3',
      'zumacal en Ávila · 3',
    ])
    await offers.filter({ hasText: 'zumacal en Ávila' }).click()
    await waitForHeading(session.page, '3 expedientes con «zumacal» en Ávila')
  })

  test('offers appear while words are typed, and no filter is set before one is chosen', async () => {
    await using session = await registry.open()
    await typeWords(session.page, 'estudio de detalle avila')
    const offer = session.page.locator('.under-form .examples a', { hasText: 'estudio de detalle en Ávila' })
    await offer.waitFor()
    assert.equal(new URL(session.page.url()).searchParams.get('municipality'), null)
    await offer.click()
    // Before this text, the heading has a count, which depends on the sample records.
    await waitForHeading(session.page, 'con «estudio de detalle» en Ávila')
  })

  test('a registration number and an identifier are offered', async () => {
    // The record has the id N-1 and the code 03014-9001. In the fixture, the end of the code is the registration
    // number.
    const session = await registry.read('?search=9001')
    await session.page.getByRole('link', { name: 'Expedientes con el número de registro 9001 · 1' }).click()
    await waitForHeading(session.page, '1 expediente con el número de registro 9001')
    await session.page.getByRole('link', { name: 'Quitar el filtro: N.º 9001' }).click()
    await waitForHeading(session.page, 'Últimas entradas')
    await session.page.goto('?search=N-1')
    await session.page.getByRole('link', { name: 'Expedientes con el identificador N-1 · 1' }).waitFor()
  })

  test('Enter takes the only municipality that matches the typed letters', async () => {
    await using session = await registry.open()
    const field = session.page.getByRole('combobox', { name: 'Municipio' })
    await field.pressSequentially('coru')
    await session.page.getByRole('option', { name: /A Coruña/ }).waitFor()
    await field.press('Enter')
    await waitForHeading(session.page, '1 expediente en A Coruña')
  })

  // Two municipalities are called Sada. For a record with this name, the INE code at the start of its code decides:
  // 15075 is in the province of A Coruña. A record with the name `Sada (Navarra)` is of the other one.
  test('municipalities of one name are told apart by their province', async () => {
    await using twins = await startPageFixture({
      records: [
        { code: '15075-1', title: 'Plan Uno', municipality: 'Sada' },
        { code: '31212-2', title: 'Plan Dos', municipality: 'Sada (Navarra)' },
      ],
    })
    const session = await twins.read('?municipality=Sada')
    await session.page.getByText('Hay 2 municipios con ese nombre').waitFor()
    await session.page.getByRole('link', { name: 'Sada (Navarra) · 1' }).click()
    await waitForHeading(session.page, '1 expediente en Sada en la provincia de Navarra')
    assert.deepEqual(await session.page.locator('.record h3').allTextContents(), ['Plan Dos'])
  })

  test('municipalities of one name are offered with their counts in the chosen years', async () => {
    const toPlan = (code: string, municipality: string, year: number) => ({
      code,
      municipality,
      checkinDate: `${year}-02-03`,
    })
    await using twins = await startPageFixture({
      records: [
        toPlan('15075-1', 'Sada', 2004),
        toPlan('15075-2', 'Sada', 2005),
        toPlan('31212-3', 'Sada (Navarra)', 2005),
      ],
    })
    const both = await twins.read('?municipality=Sada&checkin_date=2005')
    assert.deepEqual(await both.page.locator('.namesakes a').allTextContents(), [
      'Sada (A Coruña) · 1',
      'Sada (Navarra) · 1',
    ])
    // Only one of them has records of 2004, so there is nothing to choose.
    const one = await twins.read('?municipality=Sada&checkin_date=2004')
    await waitForHeading(one.page, '1 expediente en Sada de 2004')
    assert.equal(await one.page.locator('.namesakes').count(), 0)
  })

  test('a name that two municipalities share stays as it was typed in the heading', async () => {
    // Castelló is another name of both municipalities in the national list.
    await using castello = await startPageFixture({
      records: [
        { code: '12040-1', municipality: 'Castellón de la Plana/Castelló de la Plana' },
        { code: '46257-1', municipality: 'Villanueva de Castellón' },
      ],
    })
    const session = await castello.read('?municipality=Castelló')
    await waitForHeading(session.page, '2 expedientes en Castelló')
  })

  test('places are found in other spellings, and `de` or `de la` before a name is left out of the other words', () => {
    const facts = { otherNames: [], lookupKeys: [], records: 1, firstYear: 2000, lastYear: 2000 }
    const index = toPlaceIndex([
      { ...facts, name: 'Coruña, A', otherNames: ['La Coruña'], ineCode: '15030' },
      { ...facts, name: 'Palma', ineCode: '07040' },
    ])
    /** For example `municipality Palma + plan`: the place, and the other words of the term. */
    const describePlaces = (term: string): string[] =>
      findPlaces(term, index).map(({ place, otherWords }) => `${place.kind} ${place.name} + ${otherWords}`)
    assert.deepEqual(describePlaces('plan parcial de la coruña'), [
      'municipality A Coruña + plan parcial',
      'province A Coruña + plan parcial',
    ])
    assert.deepEqual(describePlaces('PALMA'), ['municipality Palma + '])
    // No place is looked for in a term with quotation marks.
    assert.deepEqual(describePlaces('"palma de mallorca"'), [])
    assert.deepEqual(describePlaces('plan parcial'), [])
  })
})

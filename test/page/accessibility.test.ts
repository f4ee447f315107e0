// Tests of accessibility and layout: axe-core in every state, keyboard, narrow screens, reduced motion and print.
// Four records of the fixture match `zumacal`: one of 2004 in Alicante, and three of 2003, 2005 and 2006 in Ávila. The
// record of 2005 has the word only in its text, the others have it in the title.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import type { Page } from 'playwright-core'
import { assertAccessible } from './axe.ts'
import {
  neverRespond,
  type SessionOptions,
  startPageFixture,
  typeWords,
  usePageFixture,
  waitForHeading,
} from './page-fixture.ts'

/** A state of the page in which axe must find no violation. */
interface State {
  readonly name: string
  readonly path?: string
  readonly options?: SessionOptions
  /** Waits for or brings about the state. */
  readonly reach: (page: Page) => Promise<void>
}

/** The page says after 4,000 ms that a response is slow. */
const slowMs = 4500

const states: readonly State[] = [
  {
    name: 'a first visit, with the map',
    reach: async (page) => {
      await waitForHeading(page, 'Últimas entradas')
      await page.locator('.map').scrollIntoViewIfNeeded()
      await page.locator('.places a').first().waitFor({ state: 'attached' })
    },
  },
  {
    name: 'results for years and a municipality, with the tables and the API request open',
    path: '?search=zumacal&municipality=Ávila&checkin_date=2003-2006',
    reach: async (page) => {
      await waitForHeading(page, '3 expedientes')
      await page.locator('.map').scrollIntoViewIfNeeded()
      await page.locator('.places .chosen').waitFor({ state: 'attached' })
      for (const summary of await page.getByText('Ver como tabla').all()) await summary.click()
      await page.getByText('Petición a la API (JSON)').click()
      await page.getByText('Seguir esta búsqueda').click()
      await page.getByRole('table').first().waitFor()
    },
  },
  {
    name: 'results for an unfinished word, on a phone, in English',
    path: '?search=zumac',
    options: { width: 375, locale: 'en-GB' },
    reach: async (page) => {
      await waitForHeading(page, '4 records')
      await page.locator('.charts summary').first().click()
    },
  },
  {
    name: 'a record found by its code',
    path: '?search=05019-9002',
    reach: (page) => waitForHeading(page, '1 expediente'),
  },
  {
    name: 'list of municipalities open',
    reach: async (page) => {
      await page.getByRole('combobox', { name: 'Municipio' }).pressSequentially('a')
      await page.getByRole('option', { name: /Ávila/ }).waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  {
    name: 'no results, with suggestions',
    path: '?search=zumacal&municipality=Avilla',
    reach: async (page) => {
      await page.locator('.suggestions').first().waitFor()
    },
  },
  {
    name: 'no results in a year, with the chart of the other years',
    path: '?search=zumacal&checkin_date=2002',
    reach: async (page) => {
      await waitForHeading(page, 'No se han encontrado expedientes')
      await page.locator('.charts').waitFor()
    },
  },
  {
    // The service accepts 40 words.
    name: 'a refused search',
    path: `?search=${Array.from({ length: 45 }, (_, i) => `w${i}`).join('%20')}`,
    reach: (page) => waitForHeading(page, 'Búsqueda no válida'),
  },
  {
    name: 'a slow response',
    options: {
      before: async (page) => {
        await page.clock.install()
        await page.route(/resultados/, neverRespond)
      },
    },
    reach: async (page) => {
      await typeWords(page, 'zumacal')
      await page.clock.runFor(slowMs)
      await page.locator('.slow').waitFor()
      await page.clock.resume()
    },
  },
  {
    name: 'no connection',
    options: { before: (page) => page.route(/resultados/, (route) => route.abort()) },
    reach: async (page) => {
      await typeWords(page, 'zumacal')
      await waitForHeading(page, 'Sin conexión')
    },
  },
  {
    name: 'a server error',
    options: {
      before: (page) =>
        page.route(/resultados/, (route) =>
          route.fulfill({ status: 500, headers: { 'x-request-id': 'abc-123' }, body: '{}' }),
        ),
    },
    reach: async (page) => {
      await typeWords(page, 'zumacal')
      await waitForHeading(page, 'Se ha producido un error en el servicio')
    },
  },
  {
    name: 'a busy service',
    options: {
      before: (page) =>
        page.route(/resultados/, (route) =>
          route.fulfill({ status: 503, headers: { 'retry-after': '60' }, body: '{}' }),
        ),
    },
    reach: async (page) => {
      await typeWords(page, 'zumacal')
      await waitForHeading(page, 'El servicio está saturado')
    },
  },
  {
    name: 'a record',
    path: 'expediente/03014-9001?search=zumacal',
    reach: (page) => page.getByRole('heading', { level: 1, name: 'Plan Parcial "Zumacal Norte"' }).waitFor(),
  },
  {
    name: 'a municipality',
    path: 'municipio/05019',
    reach: (page) => page.getByRole('heading', { level: 1, name: 'Ávila' }).waitFor(),
  },
  {
    name: 'a record that does not exist',
    path: 'expediente/05019-1',
    reach: (page) => page.getByRole('heading', { level: 1, name: 'Expediente no encontrado' }).waitFor(),
  },
]

suite('accessibility', () => {
  const registry = usePageFixture()

  for (const { name, path, options, reach } of states) {
    test(`axe finds no violation, in light or dark mode: ${name}`, async () => {
      await using session = await registry.open(path, options)
      await reach(session.page)
      await assertAccessible(session.page)
    })
  }

  test('nothing is wider than a screen of 320 pixels or more', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2003-2006', { width: 320 })
    await waitForHeading(session.page, '4 expedientes')
    // On screens of less than 992 pixels the chart and the map are folded.
    await session.page.locator('.charts summary').first().click()
    await session.page.getByText('Petición a la API (JSON)').click()
    for (const width of [320, 375, 768, 1024, 1440, 2560]) {
      await session.page.setViewportSize({ width, height: 720 })
      const excess = await session.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${excess} px too wide at ${width}`)
    }
  })

  test('nothing is wider than a screen of 360 pixels if the font of the browser is large', async () => {
    for (const path of ['', '?search=zumacal', 'expediente/03014-9001?search=zumacal', 'municipio/05019']) {
      await using session = await registry.open(path, { width: 360 })
      // 24 pixels instead of 16, as the largest font in the settings of Chromium.
      const excess = await session.page.evaluate(() => {
        document.documentElement.style.fontSize = '24px'
        return document.documentElement.scrollWidth - innerWidth
      })
      assert.ok(excess <= 0, `${path}: ${excess} px too wide`)
    }
  })

  test('a long word, and the examples of the reference, are not wider than a screen of 320 pixels', async () => {
    const word = 'z'.repeat(300)
    await using long = await startPageFixture({ records: [{ code: 'A-1', title: word, area: word }] })
    for (const path of [`?search=${word}`, `expediente/A-1?search=${word}`, 'docs']) {
      await using session = await long.open(path, { width: 320 })
      const excess = await session.page.evaluate(() => document.documentElement.scrollWidth - innerWidth)
      assert.ok(excess <= 0, `${path}: ${excess} px too wide`)
    }
  })

  test('a long name in the list of municipalities and a long code are not cut off at 320 pixels', async () => {
    const word = 'Z'.repeat(60)
    await using long = await startPageFixture({
      // With one municipality, the form would have no field for it.
      records: [
        { code: `${'A'.repeat(60)}-1`, municipality: word },
        { code: 'A-2', municipality: 'Ávila' },
      ],
    })
    await using session = await long.open('', { width: 320 })
    await session.page.getByRole('combobox', { name: 'Municipio' }).pressSequentially('z')
    await session.page.getByRole('option', { name: word }).waitFor()
    for (const selector of ['.completions', '.record .documents']) {
      const excess = await session.page
        .locator(selector)
        .first()
        .evaluate((element) => element.scrollWidth - element.clientWidth)
      assert.ok(excess <= 0, `${selector}: ${excess} px too wide`)
    }
  })

  // In this mode the browser replaces backgrounds and shadows, so only an outline shows them.
  test('with forced colours the active option of the municipalities and the cursor of the chart have an outline', async () => {
    await using session = await registry.open()
    const { page } = session
    await page.emulateMedia({ forcedColors: 'active' })
    const readOutline = (selector: string): Promise<string> =>
      page.locator(selector).evaluate((element) => getComputedStyle(element).outlineStyle)
    await page.locator('.bars a[tabindex="0"]').focus()
    await page.keyboard.press('ArrowLeft')
    assert.equal(await readOutline('.bars a:focus'), 'solid')
    await page.getByRole('combobox', { name: 'Municipio' }).pressSequentially('a')
    await page.getByRole('option', { name: /Ávila/ }).waitFor()
    await page.keyboard.press('ArrowDown')
    assert.equal(await readOutline('.completions [aria-selected=true]'), 'solid')
  })

  test('Tab reaches the main controls in order, and the focus is visible', async () => {
    await using session = await registry.open('?search=zumacal%20norte')
    await waitForHeading(session.page, '1 expediente')
    const reached: string[] = []
    // Enough stops to reach the controls that are checked below.
    for (let stops = 0; stops < 24; stops++) {
      await session.page.keyboard.press('Tab')
      const { name, isOutlined } = await session.page.evaluate(() => {
        const element = document.activeElement
        if (element === null || element === document.body) return { name: '', isOutlined: true }
        const style = getComputedStyle(element)
        return {
          // The label, the id or the text of the control.
          name:
            (element.getAttribute('aria-label') ?? element.id ?? '') || (element.textContent ?? '').trim().slice(0, 40),
          isOutlined: style.outlineStyle !== 'none' && Number.parseFloat(style.outlineWidth) >= 2,
        }
      })
      assert.ok(isOutlined, `no outline on ${name}`)
      // Nothing has the focus: Tab has left the last control.
      if (name === '') break
      reached.push(name)
    }
    const order = ['Ir al contenido', 'words', 'municipality', 'year']
    const indexes = order.map((name) => reached.indexOf(name))
    assert.ok(
      indexes.every((index) => index >= 0),
      reached.join(' | '),
    )
    assert.deepEqual(
      indexes,
      indexes.toSorted((a, b) => a - b),
    )
    assert.ok(reached.includes('Descargar 1 expediente con «zumacal norte» en CSV'))
    assert.ok(reached.some((name) => name.startsWith('Petición a la API')))
  })

  test('the skip link moves the focus to the results and keeps the search', async () => {
    await using session = await registry.open('?search=zumacal')
    await waitForHeading(session.page, '4 expedientes')
    await session.page.keyboard.press('Tab')
    await session.page.keyboard.press('Enter')
    assert.equal(await session.page.evaluate(() => document.activeElement?.id), 'results')
    assert.equal(new URL(session.page.url()).search, '?search=zumacal')
  })

  test('the focus goes to the field that a button has cleared', async () => {
    await using session = await registry.open('?search=zumacal&municipality=%C3%81vila')
    const { page } = session
    await waitForHeading(page, '3 expedientes')
    await page.getByRole('button', { name: 'Borrar las palabras' }).press('Enter')
    await page.locator('[aria-busy=false] #results-heading', { hasText: /^\d+ expedientes en Ávila/ }).waitFor()
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'words')
    await page.getByRole('button', { name: 'Quitar el municipio' }).press('Enter')
    await waitForHeading(page, 'Últimas entradas')
    assert.equal(await page.evaluate(() => document.activeElement?.id), 'municipality')
  })

  test('the focus stays in the chart when a year without records is chosen by keyboard', async () => {
    await using session = await registry.open('?search=zumacal&checkin_date=2003')
    await waitForHeading(session.page, '1 expediente')
    await session.page.locator('#year-2003').focus()
    // From 2003 to 2002, which has no match.
    await session.page.keyboard.press('ArrowLeft')
    await session.page.keyboard.press('Enter')
    await waitForHeading(session.page, 'No se han encontrado expedientes')
    assert.equal(await session.page.evaluate(() => document.activeElement?.id), 'year-2002')
    await session.page.keyboard.press('ArrowRight')
    await session.page.keyboard.press('Enter')
    await waitForHeading(session.page, '1 expediente con «zumacal» de 2003')
  })

  test('the focus goes to the results if the link that was followed disappears', async () => {
    for (const [path, link] of [
      ['?search=zumacal&checkin_date=2004', 'Todos los años'],
      ['?search=zumacal&province=05', 'Quitar el filtro: Provincia: Ávila'],
      ['?search=zumacal&checkin_date=2002', 'Buscar en todos los años (4 expedientes)'],
    ] as const) {
      await using session = await registry.open(path)
      await session.page.getByRole('link', { name: link }).press('Enter')
      await waitForHeading(session.page, '4 expedientes con «zumacal»')
      assert.equal(await session.page.evaluate(() => document.activeElement?.id), 'results', link)
    }
  })

  test('nothing is animated for users who prefer reduced motion', async () => {
    const countAnimated = async (reducedMotion: 'reduce' | 'no-preference'): Promise<number> => {
      await using session = await registry.open('', { reducedMotion })
      return await session.page.evaluate(
        () =>
          [...document.querySelectorAll('*')].filter((each) => {
            const { transitionDuration, animationName } = getComputedStyle(each)
            return transitionDuration !== '0s' || animationName !== 'none'
          }).length,
      )
    }
    assert.equal(await countAnimated('reduce'), 0)
    assert.ok((await countAnimated('no-preference')) > 0)
  })

  test('the layout does not shift while the page loads', async () => {
    await using session = await registry.open('', {
      before: (page) =>
        page.addInitScript(() => {
          const shifts: number[] = []
          Reflect.set(window, 'shifts', shifts)
          new PerformanceObserver((list) => {
            for (const entry of list.getEntries()) shifts.push(Reflect.get(entry, 'value'))
          }).observe({ type: 'layout-shift', buffered: true })
        }),
    })
    await waitForHeading(session.page, 'Últimas entradas')
    await session.page.locator('.map').scrollIntoViewIfNeeded()
    const shifts = await session.page.evaluate((): number[] => Reflect.get(window, 'shifts'))
    const sum = shifts.reduce((total, shift) => total + shift, 0)
    // 0.05 is half of 0.1, which is the most that Core Web Vitals call good.
    assert.ok(sum < 0.05, `cumulative layout shift ${sum}`)
  })

  test('print shows the records with the addresses of their pages, and no controls', async () => {
    await using session = await registry.open('?search=zumacal', { colorScheme: 'dark' })
    await waitForHeading(session.page, '4 expedientes')
    await session.page.emulateMedia({ media: 'print' })
    const colours = await session.page.evaluate(() => {
      const { color, backgroundColor } = getComputedStyle(document.body)
      return { color, backgroundColor }
    })
    // The colours of the light mode, although the session prefers the dark one.
    assert.deepEqual(colours, { color: 'rgb(20, 33, 31)', backgroundColor: 'rgb(255, 255, 255)' })
    for (const control of ['.form', '.charts', '.tools', '.page-footer', '.language']) {
      assert.ok(await session.page.locator(control).first().isHidden(), control)
    }
    assert.ok(await session.page.locator('.record h3').first().isVisible())
    const printedAddress = await session.page
      .locator('.record h3 a', { hasText: 'Norte' })
      .evaluate((link) => getComputedStyle(link, '::after').content)
    // Absolute, because a reader of the paper cannot know where a relative one leads.
    assert.ok(printedAddress.includes(`${registry.service.base}/expediente/03014-9001"`), printedAddress)
  })
})

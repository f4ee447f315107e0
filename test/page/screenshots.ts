// `npx node test/page/screenshots.ts`: creates the screenshots in docs/images from the bundled sample, in the widths of a phone, a
// tablet and a desktop. With `--slow-network` it measures loading times instead (slow-network.ts).
import { mkdir } from 'node:fs/promises'
import { join } from 'node:path'
import type { Page } from 'playwright-core'
import { bundledSample } from '../../src/sample/bundled.ts'
import { sampleRecords } from '../../src/sample/records.ts'
import type { TestRecord } from '../service.ts'
import { startPageFixture, toTestRecord, typeWords } from './page-fixture.ts'
import { measureSlowNetwork } from './slow-network.ts'

interface Screenshot {
  readonly name: string
  readonly path?: string
  readonly width: 375 | 768 | 1440
  readonly colorScheme?: 'light' | 'dark'
  readonly locale?: string
  /** Runs before the page is loaded. */
  readonly before?: (page: Page) => Promise<unknown>
  /** Runs before the screenshot is taken. */
  readonly act?: (page: Page) => Promise<unknown>
}

/** The height of the screen by its width. */
const heights = { 375: 812, 768: 1024, 1440: 1000 } as const

/** On screens of less than 992 pixels the chart and the map are folded. */
const openCharts = (page: Page): Promise<unknown> => page.locator('.charts summary').first().click()

/** A record of the bundled sample. */
const recordPath = 'expediente/05019-PU-20240715-202918'

const screenshots: readonly Screenshot[] = [
  { name: 'first-visit', width: 1440 },
  { name: 'first-visit', width: 768, colorScheme: 'dark' },
  { name: 'first-visit', width: 375 },
  { name: 'results', path: '?search=plan%20parcial&checkin_date=2004-2008', width: 1440 },
  { name: 'results-dark', path: '?search=plan%20parcial&checkin_date=2004-2008', width: 1440, colorScheme: 'dark' },
  { name: 'results', path: '?search=casco%20antiguo', width: 768, locale: 'en-GB', act: openCharts },
  {
    name: 'results-dark',
    path: '?search=casco%20antiguo',
    width: 375,
    colorScheme: 'dark',
    act: (page) => page.locator('.results-head').evaluate((head) => head.scrollIntoView()),
  },
  {
    name: 'municipality',
    path: '?municipality=Zaragoza',
    width: 1440,
    act: (page) => page.locator('.results-head').evaluate((head) => head.scrollIntoView()),
  },
  {
    name: 'completion',
    width: 768,
    act: async (page) => {
      await page.getByRole('combobox', { name: 'Municipio' }).pressSequentially('vall')
      await page.getByRole('option').first().waitFor()
      await page.keyboard.press('ArrowDown')
    },
  },
  { name: 'record', path: `${recordPath}?search=plan`, width: 1440 },
  // `Saragoza` is misspelt, so that the page suggests `Zaragoza`.
  { name: 'nothing-found', path: '?search=reforma%20interior&municipality=Saragoza', width: 768 },
  {
    name: 'request',
    path: '?search=camping',
    width: 1440,
    locale: 'en-GB',
    act: async (page) => {
      await page.getByText('API request (JSON)').click()
      await page.locator('#request').evaluate((request) => request.scrollIntoView({ block: 'end' }))
    },
  },
  {
    name: 'server-error',
    width: 375,
    before: (page) =>
      page.route(/resultados/, (route) =>
        route.fulfill({ status: 500, headers: { 'x-request-id': 'C3Gv1UqJ-1x' }, body: '{}' }),
      ),
    act: async (page) => {
      await typeWords(page, 'plan')
      await page.getByRole('alert').evaluate((alert) => alert.scrollIntoView({ block: 'center' }))
    },
  },
]

const folder = join(import.meta.dirname, '../../docs/images')
await mkdir(folder, { recursive: true })
const records: TestRecord[] = []
for await (const sample of sampleRecords(bundledSample)) records.push(toTestRecord(sample))
await using registry = await startPageFixture({ records })
if (process.argv.includes('--slow-network')) {
  await measureSlowNetwork(registry, ['?search=plan', recordPath])
} else {
  for (const screenshot of screenshots) await take(screenshot)
}

async function take({ name, path, width, before, act, ...coloursAndLanguage }: Screenshot): Promise<void> {
  const options = { width, height: heights[width], ...coloursAndLanguage, ...(before && { before }) }
  await using session = await registry.open(path, options)
  // The second load has the font in the cache (`font-display: optional` uses it only if it is there at once).
  await session.page.reload({ waitUntil: 'networkidle' })
  // Results have a heading, and a record has fields.
  await session.page.locator('[aria-busy=false] #results-heading, .fields').first().waitFor()
  await act?.(session.page)
  await session.page.waitForLoadState('networkidle')
  await session.page.screenshot({ path: join(folder, `${name}-${width}.png`) })
}

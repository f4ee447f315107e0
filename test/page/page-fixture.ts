// Fixture: the pages of a service with a small registry, read without a browser (static-page.ts) or opened in one. A test
// fails if a page in the browser logs an error to the console, violates its security policy or requests another origin.
import assert from 'node:assert/strict'
import { after, before } from 'node:test'
import type { Browser, BrowserContext, Page } from 'playwright-core'
import { type SampleRecord, sampleRecords } from '../../src/sample/records.ts'
import { type ServiceOptions, startService, type TestRecord, type TestService } from '../service.ts'
import { openBrowser } from './chromium.ts'
import { StaticPage } from './static-page.ts'

/** A service, and a browser that starts with the first page that is opened in it. */
export interface PageFixture extends AsyncDisposable {
  readonly service: TestService
  readonly browser: () => Promise<Browser>
  /** Reads a page without a browser. `path` is relative to the base URL. */
  readonly read: (path?: string) => Promise<{ readonly page: StaticPage }>
  /** Opens a page in the browser. */
  readonly open: (path?: string, options?: SessionOptions) => Promise<BrowserSession>
}

/**
 * Settings of the browser for one session. By default it is in Spanish, 1280 pixels wide and prefers reduced motion.
 */
export interface SessionOptions {
  readonly locale?: string
  readonly colorScheme?: 'light' | 'dark'
  readonly reducedMotion?: 'reduce' | 'no-preference'
  readonly width?: number
  readonly height?: number
  readonly javaScriptEnabled?: boolean
  /** Runs before the page is loaded, for example to delay or break requests. */
  readonly before?: (page: Page, context: BrowserContext) => Promise<unknown>
}

/** A page that is open in a browser context of its own. Disposal closes it and fails if there were errors. */
export interface BrowserSession extends AsyncDisposable {
  readonly page: Page
  readonly context: BrowserContext
}

export interface PageFixtureOptions extends ServiceOptions {
  /** The records of the registry; by default `knownRecords` and some sample records. */
  readonly records?: readonly TestRecord[]
}

/**
 * One browser for all fixtures that are in use: every session has its own context, which shares nothing with others. It
 * is closed with the last fixture.
 */
let sharedBrowser: Promise<Browser> | undefined
let fixturesInUse = 0

function startBrowser(): Promise<Browser> {
  sharedBrowser ??= openBrowser()
  return sharedBrowser
}

/** Starts a service. The registry is marked as fictional, like the sample, unless the options say otherwise. */
export async function startPageFixture({ records, ...options }: PageFixtureOptions = {}): Promise<PageFixture> {
  const service = await startService(records ?? (await toDefaultRecords()), { fictional: true, ...options })
  fixturesInUse += 1
  return {
    service,
    browser: startBrowser,
    read: async (path = '') => {
      const page = new StaticPage(service.base)
      await page.goto(path)
      return { page }
    },
    open: async (path = '', session = {}) => openSession(await startBrowser(), service, path, session),
    [Symbol.asyncDispose]: async () => {
      // First, because there may be no browser: a service that is left would keep the process.
      await service[Symbol.asyncDispose]()
      fixturesInUse -= 1
      if (fixturesInUse === 0) {
        await (await sharedBrowser)?.close()
        sharedBrowser = undefined
      }
    },
  }
}

/** A service for all tests of a suite or a file, which starts before the first test and stops after the last. */
export function usePageFixture(): Pick<PageFixture, 'service' | 'read' | 'open'> {
  let started: PageFixture | undefined
  before(async () => {
    started = await startPageFixture()
  })
  after(async () => await started?.[Symbol.asyncDispose]())
  const current = (): PageFixture => {
    assert.ok(started, 'the page is not started')
    return started
  }
  return {
    get service() {
      return current().service
    },
    read: (path) => current().read(path),
    open: (path, options) => current().open(path, options),
  }
}

/** Waits until the result is shown and its heading contains the text. */
export async function waitForHeading(page: Page | StaticPage, text: string): Promise<void> {
  await page.locator('[aria-busy=false] #results-heading', { hasText: text }).waitFor()
}

/** Types words into the search box. The start page then searches them at once, other pages only on Enter. */
export async function typeWords(page: Page, words: string): Promise<void> {
  await page.getByRole('textbox', { name: /Palabras|Words/ }).fill(words)
}

/** Handles a request of the browser (`page.route`) by never responding. */
export const neverRespond = (): Promise<void> => new Promise(() => {})

/** The page is loaded at most this often if the service refuses parts of it with 503. */
const loadsMax = 5

/** Opens the path in a new browser context. */
async function openSession(
  browser: Browser,
  service: TestService,
  path: string,
  { before: prepare, width = 1280, height = 720, ...options }: SessionOptions,
): Promise<BrowserSession> {
  const context = await browser.newContext({
    locale: 'es-ES',
    timezoneId: 'Europe/Madrid',
    reducedMotion: 'reduce',
    viewport: { width, height },
    ...options,
  })
  const page = await context.newPage()
  page.setDefaultTimeout(15_000)
  const errors = collectErrors(page, new URL(service.base).origin)
  await prepare?.(page, context)
  // On an overloaded machine the service may respond with 503. The page is then reloaded, as a user would do.
  let isRefused = false
  page.on('response', (response) => {
    isRefused ||= response.status() === 503 && /document|script|stylesheet/.test(response.request().resourceType())
  })
  for (let attempt = 1; attempt <= loadsMax; attempt++) {
    isRefused = false
    errors.length = 0
    await page.goto(`${service.base}/${path}`)
    if (!isRefused) break
  }
  return {
    page,
    context,
    [Symbol.asyncDispose]: async () => {
      await context.close()
      assert.deepEqual(errors, [])
    },
  }
}

/** Returns a list to which every error of the page and every request to another origin is added. */
function collectErrors(page: Page, origin: string): string[] {
  const errors: string[] = []
  page.on('pageerror', (error) => errors.push(error.message))
  page.on('console', (message) => {
    // Browsers log every error status with this text. It is no error of the page: a 404 is a search without results,
    // and some tests break requests on purpose.
    if (message.type() === 'error' && !message.text().startsWith('Failed to load resource')) errors.push(message.text())
  })
  page.on('request', (request) => {
    const url = new URL(request.url())
    if (url.origin !== origin && !['blob:', 'data:'].includes(url.protocol)) errors.push(`requested ${request.url()}`)
  })
  return errors
}

/**
 * `knownRecords`, and the sample records of three provinces: Alicante, Ávila and Valencia. With A Coruña, where one
 * of `knownRecords` is, the map has four provinces. The sample does not have the word `zumacal`.
 */
async function toDefaultRecords(): Promise<TestRecord[]> {
  const records: TestRecord[] = [...knownRecords]
  for await (const sample of sampleRecords({ records: 1500, documents: 0, seed: 'page', contentWords: [10, 30] })) {
    if (/^(03|05|46)/.test(sample.record.code)) records.push(toTestRecord(sample))
  }
  return records
}

export function toTestRecord({ record, content }: SampleRecord): TestRecord {
  return { ...record, content }
}

/**
 * Records with known words, dates and links; some of them try to inject markup, scripts or formulas. All but the last
 * match `zumacal`: N-1 of 2004 in Alicante, N-2 of 2005, N-3 of 2006 and N-4 of 2003 in Ávila. N-2 has the word only in
 * its content, the others in the title.
 */
const knownRecords: readonly TestRecord[] = [
  {
    code: '03014-9001',
    id: 'N-1',
    title: 'Plan Parcial "Zumacal Norte"',
    area: 'Sector ZN-1',
    municipality: 'Alacant/Alicante',
    checkinDate: '2004-03-15',
    inscriptionDate: '2005-01-20',
    // `%F3` is ó in Latin-1. It is not valid UTF-8.
    links: 'https://documents.example/03014/Ordenaci%F3n.pdf',
    agreementLink: 'https://documents.example/03014/acuerdo.pdf',
    content: 'memoria de ordenación',
  },
  {
    code: '05019-9002',
    id: 'N-2',
    title: 'Estudio de Detalle calle Mayor',
    area: 'Manzana 7',
    municipality: 'Ávila',
    checkinDate: '2005-06-01',
    links: '',
    content: 'junto al camino del zumacal',
  },
  {
    code: '05019-9003',
    id: 'N-3',
    title: '"><img src=x onerror=alert(1)> =SUMA(zumacales)',
    municipality: 'Ávila',
    checkinDate: '2006-02-03',
    inscriptionDate: '2006-03-04',
    links: 'javascript:alert(1)',
    agreementLink: 'data:text/html,<script>alert(1)</script>',
  },
  {
    code: '05019-9004',
    id: 'N-4',
    title: '=HYPERLINK("https://evil.example";"zumacal, tercera")',
    municipality: 'Ávila',
    checkinDate: '2003-02-03',
    links: 'https://documents.example/4.pdf',
  },
  {
    code: '15030-9005',
    id: 'N-5',
    title: 'Plan Especial del Puerto',
    municipality: 'Coruña, A',
    checkinDate: '2002-02-03',
    links: 'https://documents.example/5.pdf',
  },
]

// `npx node test/page/screenshots.ts --slow-network`: measures how soon pages can be read on a slow mobile network, with an empty
// browser cache. Prints the medians of five loads of each page.
import type { PageFixture } from './page-fixture.ts'

/** A slow 3G network. */
const bitsPerSecond = 400_000
const latencyMs = 400

const loadsPerPage = 5

/** `paths` are relative to the base URL. */
export async function measureSlowNetwork(fixture: PageFixture, paths: readonly string[]): Promise<void> {
  process.stdout.write(`${bitsPerSecond / 1000} kbit/s, ${latencyMs} ms latency, empty cache, ${loadsPerPage} loads\n`)
  for (const path of paths) {
    const measured: Measurement[] = []
    for (let load = 0; load < loadsPerPage; load++) measured.push(await measureLoad(fixture, path))
    const median = (name: keyof Measurement): string => {
      const sorted = measured.map((each) => each[name]).toSorted((a, b) => a - b)
      return (sorted[sorted.length >> 1] ?? Number.NaN).toFixed(0)
    }
    process.stdout.write(
      `/${path}: document of ${median('documentBytes')} bytes after ${median('documentMs')} ms, ` +
        `first contentful paint after ${median('firstPaintMs')} ms, all scripts after ${median('loadedMs')} ms\n`,
    )
  }
}

/** One load of a page. All times are counted from the start of the navigation. */
interface Measurement {
  readonly documentBytes: number
  /** The last byte of the document has arrived. */
  readonly documentMs: number
  readonly firstPaintMs: number
  /** Everything has arrived, scripts and fonts included. */
  readonly loadedMs: number
}

async function measureLoad(fixture: PageFixture, path: string): Promise<Measurement> {
  await using context = await (await fixture.browser()).newContext({ viewport: { width: 375, height: 812 } })
  const page = await context.newPage()
  const session = await context.newCDPSession(page)
  const bytesPerSecond = bitsPerSecond / 8
  await session.send('Network.enable')
  await session.send('Network.emulateNetworkConditions', {
    offline: false,
    latency: latencyMs,
    downloadThroughput: bytesPerSecond,
    uploadThroughput: bytesPerSecond,
  })
  await page.goto(`${fixture.service.base}/${path}`, { waitUntil: 'load' })
  // The function runs in the browser.
  return await page.evaluate(() => {
    const [navigation] = performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]
    const [paint] = performance.getEntriesByName('first-contentful-paint')
    return {
      documentBytes: navigation?.transferSize ?? Number.NaN,
      documentMs: navigation?.responseEnd ?? Number.NaN,
      firstPaintMs: paint?.startTime ?? Number.NaN,
      loadedMs: navigation?.loadEventStart ?? Number.NaN,
    }
  })
}

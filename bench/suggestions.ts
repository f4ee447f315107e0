// Benchmark of suggestions: the response time of a search that finds nothing because of a typing error. The response
// suggests words or municipalities with a similar spelling.
import { startOurs } from './contestants/start.ts'
import { measureUndisturbed, type Row, toRow } from './measure.ts'
import type { BenchRegistry } from './registries.ts'

/** Number of requests in the measurement. */
const requests = 300
/** Requests before the measurement: the first one reads the vocabulary, and the JIT compiler needs a few. */
const warmUpRequests = 60
/** The service has few corrections for shorter words. */
const lettersMin = 6

/** Measures single requests, one after the other. */
export async function benchSuggestions({ path, words, sample }: BenchRegistry): Promise<Row[]> {
  const ours = await startOurs(`sqlite:${path}`)
  try {
    const rows: Row[] = []
    for (const [parameter, values] of [
      ['search', words.all],
      ['municipality', [...new Set(sample.map(({ municipality }) => municipality))]],
    ] as const) {
      const urls = misspell(values).map(
        (value) => `${ours.baseUrl}/record?limit=20&${parameter}=${encodeURIComponent(value)}`,
      )
      for (const url of urls.slice(0, warmUpRequests)) await measureResponseMs(url)
      const samples = await measureUndisturbed(async () => {
        const timesMs: number[] = []
        for (const url of urls) timesMs.push(...(await measureResponseMs(url)))
        return timesMs
      })
      rows.push(toRow(`suggestions for ${parameter} with a typing error`, 'ms', samples))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/** Values with two letters in the middle swapped (`pacrela`), taken evenly from the list; none that is a value too. */
function misspell(values: readonly string[]): string[] {
  const known = new Set(values)
  const misspelt = values
    .filter((value) => value.length >= lettersMin)
    .map((value) => value.replace(RegExp(`^(.{${(value.length >> 1) - 1}})(.)(.)`, 'u'), '$1$3$2'))
    .filter((value) => !known.has(value))
  const step = Math.max(1, Math.floor(misspelt.length / requests))
  return misspelt.filter((_, index) => index % step === 0).slice(0, requests)
}

let sentRequests = 0

/** The time of a response with suggestions (404); none for any other status: the value may be found after all. */
async function measureResponseMs(url: string): Promise<number[]> {
  // The number of empty parameters makes the address new, so that no cached response answers a repeated measurement.
  const newUrl = url + '&'.repeat(sentRequests++ % 1000)
  const start = performance.now()
  const response = await fetch(newUrl)
  await response.bytes()
  return response.status === 404 ? [performance.now() - start] : []
}

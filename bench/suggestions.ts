// Benchmark of suggestions: the response time of a search that finds nothing because of a typing error. The response
// suggests words or municipalities with a similar spelling.
import { startOurs } from './contestants/start.ts'
import { type Row, toRow } from './measure.ts'
import type { BenchRegistry } from './registries.ts'
import { measureUndisturbed } from './stolen-time.ts'

/** Number of requests in the measurement. */
const requests = 300
/** Requests before the measurement: the first one reads the vocabulary, and the JIT compiler needs a few. */
const warmUpRequests = 60
/** Shorter words are not used, because the service has few corrections for them. */
const lettersMin = 6

/** Measures single requests, one after the other. The thresholds limit the median of their times. */
export async function benchSuggestions({ records, path, words, sample }: BenchRegistry): Promise<Row[]> {
  const ours = await startOurs(`sqlite:${path}`)
  try {
    const municipalities = [...new Set(sample.map(({ municipality }) => municipality))]
    const rows: Row[] = []
    for (const [workload, parameter, values] of [
      ['suggestions for a word with a typing error', 'search', words.all],
      ['suggestions for a municipality with a typing error', 'municipality', municipalities],
    ] as const) {
      const urls = toUrls(`${ours.baseUrl}/record?limit=20&${parameter}=`, misspell(values))
      for (const url of urls.slice(0, warmUpRequests)) await measureResponseMs(url)
      const samples = await measureUndisturbed(async () => {
        const timesMs: number[] = []
        for (const url of urls) {
          const timeMs = await measureResponseMs(url)
          if (timeMs !== undefined) timesMs.push(timeMs)
        }
        return timesMs
      })
      rows.push(toRow({ records, workload, unit: 'ms', samples, threshold: { atMost: 5, of: 'median' } }))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/** Misspells the values that are long enough, and leaves out a result that is one of the values too. */
function misspell(values: readonly string[]): string[] {
  const known = new Set(values)
  return values
    .filter((value) => value.length >= lettersMin)
    .map(swapMiddleLetters)
    .filter((value) => !known.has(value))
}

/** Returns a URL for each request: `urlPrefix` and a value. The values are taken evenly from the whole list. */
function toUrls(urlPrefix: string, values: readonly string[]): string[] {
  const step = Math.max(1, Math.floor(values.length / requests))
  return Array.from(
    { length: requests },
    (_, index) => urlPrefix + encodeURIComponent(values[(index * step) % values.length] ?? ''),
  )
}

/** Number of requests sent so far. */
let sentRequests = 0

/** The time of a response with suggestions (404); undefined for any other status: the value may be found after all. */
async function measureResponseMs(url: string): Promise<number | undefined> {
  // The number of empty parameters makes the address new, so that no cached response answers a repeated measurement.
  const newUrl = url + '&'.repeat(sentRequests++ % 1000)
  const start = performance.now()
  const response = await fetch(newUrl)
  await response.bytes()
  return response.status === 404 ? performance.now() - start : undefined
}

/** The word with two letters in the middle swapped: `pacrela` for `parcela`. */
function swapMiddleLetters(word: string): string {
  const middle = Math.floor(word.length / 2)
  return word.slice(0, middle - 1) + word.charAt(middle) + word.charAt(middle - 1) + word.slice(middle + 1)
}

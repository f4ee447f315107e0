// Benchmark of suggestions: the response time of a search that finds nothing because of a typing error.
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

/** Measures single requests, one after the other. The threshold limits the median of their times. */
export async function benchSuggestions({ records, path, words }: BenchRegistry): Promise<Row[]> {
  const ours = await startOurs(`sqlite:${path}`)
  try {
    const known = new Set(words.all)
    const misspelt = words.all
      .filter((word) => word.length >= lettersMin)
      .map(swapMiddleLetters)
      .filter((word) => !known.has(word))
    // Words are taken evenly from the whole list, which begins with the most common ones.
    const step = Math.max(1, Math.floor(misspelt.length / requests))
    const sampled = Array.from({ length: requests }, (_, index) => misspelt[(index * step) % misspelt.length] ?? '')
    // The warm-up uses neighbours of the sampled words, so that no measured response comes from the cache.
    for (const index of sampled.keys().take(warmUpRequests))
      await measureResponseMs(ours.baseUrl, misspelt[index * step + 1] ?? '')
    const samples = await measureUndisturbed(async () => {
      const timesMs: number[] = []
      for (const word of sampled) {
        const timeMs = await measureResponseMs(ours.baseUrl, word)
        if (timeMs !== undefined) timesMs.push(timeMs)
      }
      return timesMs
    })
    const workload = 'suggestions for a word with a typing error'
    return [toRow({ records, workload, unit: 'ms', samples, threshold: { atMost: 5, of: 'median' } })]
  } finally {
    await ours.stop()
  }
}

/** Number of requests sent so far. */
let sentRequests = 0

/** The time of a response with suggestions (404); undefined for any other status: the word may be found after all. */
async function measureResponseMs(baseUrl: string, word: string): Promise<number | undefined> {
  // The number of empty parameters makes the address new, so that no cached response answers a repeated measurement.
  const url = `${baseUrl}/record?search=${encodeURIComponent(word)}&limit=20${'&'.repeat(sentRequests++ % 1000)}`
  const start = performance.now()
  const response = await fetch(url)
  await response.bytes()
  return response.status === 404 ? performance.now() - start : undefined
}

/** The word with two letters in the middle swapped: `pacrela` for `parcela`. */
function swapMiddleLetters(word: string): string {
  const middle = Math.floor(word.length / 2)
  return word.slice(0, middle - 1) + word.charAt(middle) + word.charAt(middle - 1) + word.slice(middle + 1)
}

// Benchmark of suggestions: the time of a response to a search with a typing error, which finds nothing.
import { startOurs } from './contestants/start.ts'
import { type Row, toRow } from './measure.ts'
import type { BenchRegistry } from './registries.ts'

const requests = 300
/** The first of them reads the vocabulary, and the JIT compiler needs some. */
const warmUpRequests = 60
/** Shorter words have few corrections. */
const lettersMin = 6

/** The median over single requests, one after the other. */
export async function benchSuggestions({ records, path, words }: BenchRegistry): Promise<Row[]> {
  const ours = await startOurs(`sqlite:${path}`)
  const timesMs: number[] = []
  try {
    const known = new Set(words.all)
    const misspelt = words.all
      .filter((word) => word.length >= lettersMin)
      .map(swapMiddleLetters)
      .filter((word) => !known.has(word))
    // Words are taken evenly from the whole list.
    const step = Math.floor(misspelt.length / (warmUpRequests + requests))
    for (let index = 0; index < warmUpRequests + requests; index++) {
      const url = `${ours.origin}/record?search=${encodeURIComponent(misspelt[index * step] ?? '')}&limit=20`
      const start = performance.now()
      const response = await fetch(url)
      await response.bytes()
      // A misspelt word may be found after all, by its stem for example. Then nothing is suggested.
      const hasSuggestions = response.status === 404
      if (hasSuggestions && index >= warmUpRequests) timesMs.push(performance.now() - start)
    }
  } finally {
    await ours.stop()
  }
  const workload = 'suggestions for a word with a typing error'
  return [toRow({ records, workload, unit: 'ms', samples: timesMs, threshold: { atMost: 5, of: 'median' } })]
}

/** For example `pacrela` for `parcela`. */
function swapMiddleLetters(word: string): string {
  const middle = Math.floor(word.length / 2)
  return word.slice(0, middle - 1) + word.charAt(middle) + word.charAt(middle - 1) + word.slice(middle + 1)
}

// Tests of the windows that are shown as passages: they are the best ones, and choosing them does not hold up others.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import fc from 'fast-check'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { TimeSlice } from '../../src/index/time-slice.ts'
import { chooseWindows, type Window } from '../../src/snapshot/passage-windows.ts'
import { engines } from '../engines.ts'
import { documentOf } from './paged-document.ts'

/** Words of a window at most. */
const windowWords = 24

/** A window that starts at a match: how many clauses it contains, equal ones counted, and its first and last word. */
interface Candidate {
  readonly clauses: number
  readonly segment: number
  readonly first: number
  readonly last: number
}

/** The best windows as `WindowOptions` defines them, found by comparing all. Equal clauses are lists of their own. */
function findBest(
  lists: readonly number[][],
  segmentStarts: readonly number[],
  words: number[],
  max: number,
): Window[] {
  const candidates = [...new Set(lists.flat())].map((first): Candidate => {
    const segment = segmentStarts.findLastIndex((start) => start <= first)
    const end = Math.min(first + windowWords, segmentStarts[segment + 1] ?? Number.POSITIVE_INFINITY)
    const nearest = lists.map((list) => list.find((position) => position >= first && position < end))
    const lasts = nearest.map((position, clause) => (position ?? Number.NaN) + (words[clause] ?? 1) - 1)
    const found = lasts.filter((last) => !Number.isNaN(last))
    return { clauses: found.length, segment, first, last: Math.max(...found) }
  })
  candidates.sort((a, b) => b.clauses - a.clauses || a.last - a.first - (b.last - b.first) || a.first - b.first)
  const chosen: Candidate[] = []
  for (const candidate of candidates) {
    const overlaps = chosen.some(
      ({ segment, first }) => segment === candidate.segment && Math.abs(first - candidate.first) < windowWords,
    )
    if (!overlaps && chosen.length < max) chosen.push(candidate)
  }
  return chosen.map(({ segment, first, last }) => {
    const start = segmentStarts[segment] ?? 0
    return { segment, first: first - start, last: last - start }
  })
}

const toAscending = (numbers: readonly number[]): number[] => [...new Set(numbers)].sort((a, b) => a - b)
const anyPositions = fc.array(fc.integer({ min: 0, max: 300 }), { maxLength: 40 }).map(toAscending)
const anyClause = fc.record({
  positions: anyPositions,
  words: fc.integer({ min: 1, max: 4 }),
  count: fc.integer({ min: 1, max: 3 }),
})

test('the windows with the most clauses, closest together, are chosen; a repeated clause counts repeatedly', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(anyClause, { minLength: 2, maxLength: 6 }),
      anyPositions.map((starts) => toAscending([0, ...starts])),
      fc.integer({ min: 1, max: 8 }),
      async (clauses, segmentStarts, max) => {
        const windows = await chooseWindows(
          {
            segmentStarts: Uint32Array.from(segmentStarts),
            clauses: clauses.map(({ positions }) => Uint32Array.from(positions)),
          },
          {
            order: 'best',
            windowsMax: max,
            clauses: clauses.map(({ words, count }) => ({ words, count })),
          },
          new TimeSlice(undefined),
        )
        const repeated = clauses.flatMap((clause) => Array<typeof clause>(clause.count).fill(clause))
        const lists = repeated.map(({ positions }) => positions)
        const words = repeated.map((clause) => clause.words)
        assert.deepEqual(windows, findBest(lists, segmentStarts, words, max))
      },
    ),
    { numRuns: 500, seed: 11 },
  )
})

/** The longest processor time of this thread between two iterations of the event loop while `work` runs. */
async function measureLongestStep(work: () => Promise<unknown>): Promise<number> {
  const readMs = (): number => {
    const { user, system } = process.threadCpuUsage()
    return (user + system) / 1000
  }
  let longestMs = 0
  let lastMs = readMs()
  let isRunning = true
  const measure = (): void => {
    const now = readMs()
    longestMs = Math.max(longestMs, now - lastMs)
    lastMs = now
    if (isRunning) setImmediate(measure)
  }
  setImmediate(measure)
  try {
    await work()
    await nextIteration()
    return longestMs
  } finally {
    isRunning = false
  }
}

test('no term makes the passages of a long document hold up other requests', async () => {
  const [engine] = engines
  assert.ok(engine)
  await using registry = await engine.createRegistry()
  // 40,000 times each of five words.
  const page = 'de la casa del sol '.repeat(400)
  const pages = Array.from({ length: 100 }, () => page)
  const snapshot = await registry.snapshotOf([{ code: 'A-1', title: 'Otro', documents: [documentOf(pages)] }])
  const terms = [
    '"de"'.repeat(124),
    '"de" "la" "del" "casa" "sol" "de la" "la casa" "casa del" "del sol" "sol de" "de la casa" "la casa del"',
    `"${'de la casa del sol '.repeat(8)}"`,
    'casa casa* cas* casas "casa" sol sol* "sol" del* "del" soles',
  ]
  for (const term of terms) {
    const query = { term: analyseTerm(term), limit: 20, include: ['passages'] } as const
    // The compiler and garbage collection may take time once; the shortest of three runs is without them.
    const runs: number[] = []
    for (let run = 0; run < 3; run++) {
      runs.push(await measureLongestStep(async () => assert.match((await snapshot.page(query))?.text ?? '', /"marks"/)))
    }
    assert.ok(Math.min(...runs) < 20, `${term}: ${runs} ms`)
  }
})

// Exactness of search for the ways in which people write a search term (habits), on generated titles (habits.ts). A
// query is exact if it finds the relevant titles and no other, and those with the words side by side come first. The
// reference matcher, which compares words without an index, takes the place of the search. So this tests the analyser,
// which turns titles and terms into words.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { createMatcher } from '../analysis/reference-matcher.ts'
import { type HabitQuery, habitTitles, toHabitQueries } from './habits.ts'

/**
 * The share of exact queries that each habit must reach. It is below 1 because a title may name the corner of two
 * streets: `calle infantas 9` also finds `Plza. Infantas núm. 1 c/v a c/ Marqués de Urquijo, nº 7-9`, whose `c/` and 9
 * belong to the other street.
 */
const exactShareMin = 0.98

describe('habits of people who search', () => {
  const matcher = createMatcher(habitTitles)
  const byHabit = Map.groupBy(toHabitQueries(), ({ habit }) => habit)

  test('have enough titles and queries', () => {
    assert.ok(habitTitles.length >= 400)
    for (const [habit, queries] of byHabit) assert.ok(queries.length >= 100, habit)
  })

  for (const [habit, queries] of byHabit) {
    test(`${habit}: nearly all queries are exact`, (t) => {
      const faults = queries.flatMap((query) => findFault(query, matcher) ?? [])
      const exactShare = 1 - faults.length / queries.length
      t.diagnostic(`${habit}: ${queries.length} queries, ${(exactShare * 100).toFixed(1)} % exact`)
      for (const fault of faults.slice(0, 10)) t.diagnostic(fault)
      assert.ok(exactShare >= exactShareMin, faults.slice(0, 10).join('\n'))
    })
  }
})

/** Why the query is not exact; undefined if it is. */
function findFault(
  { term, relevant, first }: HabitQuery,
  matcher: ReturnType<typeof createMatcher>,
): string | undefined {
  const { found, sideBySide } = matcher(term)
  const missing = [...relevant].find((title) => !found.has(title))
  if (missing !== undefined) return `${term}: does not find ${missing}`
  const unexpected = [...found].find((title) => !relevant.has(title))
  if (unexpected !== undefined) return `${term}: finds ${unexpected}`
  const late = [...first].find((title) => !sideBySide.has(title))
  return late === undefined ? undefined : `${term}: does not put ${late} first`
}

// Which of some known words a misspelt one most likely means: for flags, parameters and addresses. Municipality names
// have rules of their own (record/municipality.ts).

/** The known words nearest to `word`, best first; only those at most `distanceMax` edits away. */
export function nearestWords(
  word: string,
  known: readonly string[],
  distanceMax: number = Number.POSITIVE_INFINITY,
): string[] {
  const lower = word.toLowerCase().slice(0, wordCharactersMax)
  return known
    .map((candidate) => ({ candidate, distance: editDistance(lower, candidate.toLowerCase()) }))
    .filter(({ distance }) => distance <= distanceMax)
    .sort((a, b) => a.distance - b.distance)
    .map(({ candidate }) => candidate)
}

/** Beyond this a word is no misspelling, and comparing it would only cost time. */
const wordCharactersMax = 64

/** Insertions, deletions, substitutions and swaps of neighbours (optimal string alignment). */
export function editDistance(a: string, b: string): number {
  let beforeLast: number[] = []
  let last = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const same = a[row - 1] === b[column - 1] ? 0 : 1
      let best = Math.min((last[column] ?? 0) + 1, (current[column - 1] ?? 0) + 1, (last[column - 1] ?? 0) + same)
      if (row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]) {
        best = Math.min(best, (beforeLast[column - 2] ?? 0) + 1)
      }
      current.push(best)
    }
    beforeLast = last
    last = current
  }
  return last[b.length] ?? 0
}

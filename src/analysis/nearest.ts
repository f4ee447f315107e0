// Spelling suggestions by edit distance, for commands, flags, parameters, paths and column headings: `serch` is one
// edit from the command `search`. It has no part in the analysis of texts. Municipality names have their own rules
// (domain/municipality-suggestions.ts).

/** The known words within `distanceMax` edits of `word`, nearest first, ties in the order given. Case is ignored. */
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

/** Bounds the cost of a comparison. A word of a user may be long; the known words are short names. */
const wordCharactersMax = 64

/** Optimal string alignment distance: insertions, deletions, substitutions, and transpositions of adjacent letters. */
function editDistance(a: string, b: string): number {
  // Rows of the matrix of the distances between the prefixes of `a` and of `b`. Three are enough: a transposition looks
  // two rows back.
  let beforePrevious: number[] = []
  let previous = Array.from({ length: b.length + 1 }, (_, column) => column)
  for (let row = 1; row <= a.length; row++) {
    const current = [row]
    for (let column = 1; column <= b.length; column++) {
      const substitution = a[row - 1] === b[column - 1] ? 0 : 1
      let cost = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + substitution,
      )
      const isTransposed = row > 1 && column > 1 && a[row - 1] === b[column - 2] && a[row - 2] === b[column - 1]
      if (isTransposed) {
        cost = Math.min(cost, (beforePrevious[column - 2] ?? 0) + 1)
      }
      current.push(cost)
    }
    beforePrevious = previous
    previous = current
  }
  return previous[b.length] ?? 0
}

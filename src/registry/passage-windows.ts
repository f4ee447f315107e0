// Chooses the windows of a page that are shown as passages. A window is a few words of a page with matches of the
// search term. Windows with the most clauses of the term come first (passages.ts decides between those of several
// pages).
import type { PageMatch } from './page-matches.ts'
import type { WordRange } from './text-ranges.ts'

/** All matches of a window start within this many words, about as many as a passage has. The last may end later. */
const windowWords = 24

export interface Window extends WordRange {
  /** How many clauses of the search term it contains. A clause that the term repeats counts as often. */
  readonly clauseCount: number
}

/**
 * The windows in reading order: each starts at the first match after the previous window. A window ends before a match
 * whose own window would have more clauses, so that words that stand together are in one window. For the term `plan
 * parcial` and a text with `plan` at the words 20 and 43 and `parcial` at 45, the windows are the word 20 and the words
 * 43 to 45. The word 43 could be in the first window, but `parcial` is too far from the word 20.
 *
 * `clauseRepeats` has for each distinct clause how often the term has it.
 */
export function splitIntoWindows(matches: readonly PageMatch[], clauseRepeats: readonly number[]): Window[] {
  const windows: Window[] = []
  const candidates = toCandidates(matches, clauseRepeats, windowWords)
  for (let index = 0; index < matches.length; ) {
    const { first } = matches[index] as PageMatch
    const ownCount = candidates[index]?.clauseCount ?? 0
    let last = first
    // Counted again, because the window has fewer clauses than `ownCount` if it ends early.
    const clauses = new Set<number>()
    for (; index < matches.length; index++) {
      const match = matches[index] as PageMatch
      if (match.first >= first + windowWords || (candidates[index]?.clauseCount ?? 0) > ownCount) break
      clauses.add(match.clause)
      last = Math.max(last, match.last)
    }
    windows.push({ first, last, clauseCount: countClauses(clauses, clauseRepeats) })
  }
  return windows
}

/**
 * The best windows of up to `words` words, at most `windowsMax`: those with the most clauses, then the shortest, then the first. They do not
 * overlap: two windows count as overlapping if they start less than `words` apart, even if they are shorter.
 */
export function chooseBest(
  matches: readonly PageMatch[],
  clauseRepeats: readonly number[],
  windowsMax: number,
  words: number = windowWords,
): Window[] {
  // With a single clause, even a repeated one, all windows are equally good, and the first ones are chosen.
  if (clauseRepeats.length === 1) return splitIntoWindows(matches, clauseRepeats).slice(0, windowsMax)
  const chosen: Window[] = []
  for (const window of toCandidates(matches, clauseRepeats, words).sort(compareWindows)) {
    if (chosen.length >= windowsMax) break
    if (chosen.every(({ first }) => Math.abs(first - window.first) >= words)) chosen.push(window)
  }
  return chosen
}

/** The better window is the one with more clauses, then the shorter, then the first. */
export function compareWindows(a: Window, b: Window): number {
  return b.clauseCount - a.clauseCount || a.last - a.first - (b.last - b.first) || a.first - b.first
}

/**
 * The window that starts at each match, computed from the last match to the first. Of each clause, it contains only the
 * first match after its start, so that it is as short as possible.
 */
function toCandidates(matches: readonly PageMatch[], clauseRepeats: readonly number[], words: number): Window[] {
  const candidates: Window[] = []
  /** By clause: its nearest match from the current one on. */
  const nearest = new Map<number, PageMatch>()
  for (let index = matches.length - 1; index >= 0; index--) {
    const match = matches[index] as PageMatch
    const { first } = match
    nearest.set(match.clause, match)
    let last = first
    let clauseCount = 0
    for (const each of nearest.values()) {
      if (each.first >= first + words) continue
      last = Math.max(last, each.last)
      clauseCount += clauseRepeats[each.clause] ?? 1
    }
    candidates[index] = { first, last, clauseCount }
  }
  return candidates
}

function countClauses(clauses: ReadonlySet<number>, clauseRepeats: readonly number[]): number {
  let count = 0
  for (const clause of clauses) count += clauseRepeats[clause] ?? 1
  return count
}

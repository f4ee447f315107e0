// The headings of a rejects file: `source` (only for several sources), `line`, `reason` and those of the sources.

export function toRejectsHeadings(hasSeveralSources: boolean, sourceHeadings: readonly string[]): string[] {
  return [...(hasSeveralSources ? ['source'] : []), 'line', 'reason', ...sourceHeadings]
}

/** Whether a file with these headings is a rejects file. */
export function areRejectsHeadings(headings: readonly string[]): boolean {
  const lineIndex = headings[0] === 'source' ? 1 : 0
  return headings[lineIndex] === 'line' && headings[lineIndex + 1] === 'reason'
}

// Which pages may be scans, judged by their text alone: those without any, and those with no more than a stamp or a
// signature has. Whether they are is seen by looking at what they paint.

/** Fewer letters and digits than this may be a stamp on a scanned page. */
const sparsePageLetters = 300
/** Of each kind: enough to tell a document with scans from one with blank pages or short ones. */
const looksMax = 8

export function isSuspect(text: string): boolean {
  if (text.length > sparsePageLetters * 4) return false
  return (text.match(/[\p{L}\p{N}]/gu)?.length ?? 0) < sparsePageLetters
}

/** The numbers of the pages to look at (the first is 1), given the text of each page. */
export function pagesToLookAt(pages: readonly string[]): number[] {
  const suspects = pages.flatMap((text, index) => (isSuspect(text) ? [index + 1] : []))
  const textless = suspects.filter((page) => pages[page - 1] === '').slice(0, looksMax)
  const sparse = suspects.filter((page) => pages[page - 1] !== '').slice(0, looksMax)
  return [...textless, ...sparse]
}

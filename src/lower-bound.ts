// Binary search in any sorted sequence, such as the offsets of words.

/**
 * Returns the first index from `low` to `high` (excluded) for which `isBefore` is false; `high` if there is none.
 * `isBefore` must be true up to some index and false from there on. For example, the first element that is at least 5:
 * `lowerBound(0, array.length, (index) => array[index] < 5)`.
 */
export function lowerBound(low: number, high: number, isBefore: (index: number) => boolean): number {
  let from = low
  let to = high
  while (from < to) {
    const middle = (from + to) >>> 1
    if (isBefore(middle)) from = middle + 1
    else to = middle
  }
  return from
}

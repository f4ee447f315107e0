// The canonical order (record.ts) of rows that lie in memory: sorted as numbers, by date and by when they came; only
// where days are equal are codes looked at. An object for each row would outlive the rows it was made from.
import { compareCodes, dateOf, type RowMemory } from './staged-row.ts'

/** More rows than are ever sorted at once. */
const rowsMax = 2 ** 20
const dateNumberMax = 9999_99_99

/** Where the rows begin, in order. */
export function inCanonicalOrder(memory: RowMemory, starts: readonly number[]): number[] {
  const keys = new Float64Array(starts.length)
  for (let row = 0; row < starts.length; row++) {
    keys[row] = (dateNumberMax - dateOf(memory, starts[row] as number)) * rowsMax + row
  }
  keys.sort()
  const sorted: number[] = []
  for (let from = 0; from < keys.length; ) {
    const day = dayOf(keys, from)
    const ofDay: number[] = []
    for (; from < keys.length && dayOf(keys, from) === day; from++) {
      ofDay.push(starts[(keys[from] as number) % rowsMax] as number)
    }
    if (ofDay.length > 1) ofDay.sort((a, b) => compareCodes(memory, a, memory, b))
    for (const start of ofDay) sorted.push(start)
  }
  return sorted
}

function dayOf(keys: Float64Array, index: number): number {
  return Math.floor((keys[index] as number) / rowsMax)
}

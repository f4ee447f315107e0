// The canonical order (record.ts) of rows that lie in a buffer: sorted as numbers, by date and by when they came; only
// where days are equal are codes looked at. An object for each row would outlive the rows it was made from.

/** More rows than are ever sorted at once. */
const rowsMax = 2 ** 20

export class RowOrder {
  /** The date, newest first, and the number of the row. */
  #keys = new Float64Array(1 << 12)
  #starts = new Uint32Array(1 << 12)
  #rows = 0

  /** The row that begins at `start`. */
  add(dateNumber: number, start: number): void {
    if (this.#rows === this.#keys.length) this.#grow()
    this.#keys[this.#rows] = (dateNumberMax - dateNumber) * rowsMax + this.#rows
    this.#starts[this.#rows++] = start
  }

  /** Where the rows begin, in order. `codeAt` is the code of the row that begins there. */
  inOrder(codeAt: (start: number) => string): number[] {
    const keys = this.#keys.slice(0, this.#rows).sort()
    const starts: number[] = []
    for (let from = 0; from < keys.length; ) {
      const day = dayOf(keys, from)
      let to = from + 1
      while (to < keys.length && dayOf(keys, to) === day) to++
      const ofDay: number[] = []
      for (; from < to; from++) ofDay.push(this.#starts[(keys[from] as number) % rowsMax] as number)
      for (const start of ofDay.length === 1 ? ofDay : sortByCode(ofDay, codeAt)) starts.push(start)
    }
    return starts
  }

  clear(): void {
    this.#rows = 0
  }

  #grow(): void {
    const keys = new Float64Array(this.#rows * 2)
    const starts = new Uint32Array(this.#rows * 2)
    keys.set(this.#keys)
    starts.set(this.#starts)
    this.#keys = keys
    this.#starts = starts
  }
}

function dayOf(keys: Float64Array, index: number): number {
  return Math.floor((keys[index] as number) / rowsMax)
}

function sortByCode(starts: readonly number[], codeAt: (start: number) => string): number[] {
  return starts
    .map((start) => ({ start, code: codeAt(start) }))
    .sort((a, b) => (a.code === b.code ? 0 : a.code < b.code ? -1 : 1))
    .map(({ start }) => start)
}

const dateNumberMax = 9999_99_99

/** `2004-05-18` as 20040518, which dates are compared by. */
export function toDateNumber(date: string): number {
  let number = 0
  for (let at = 0; at < date.length; at++) {
    const digit = date.charCodeAt(at) - zero
    if (digit >= 0) number = number * 10 + digit
  }
  return number
}

const zero = 0x30

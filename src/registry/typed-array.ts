// Reads elements of typed arrays as `number` instead of `number | undefined`, for indexes known to be in range.

export function at(array: Uint32Array, index: number): number {
  return array[index] as number
}

/** Adds one to the element. */
export function increment(array: Uint32Array, index: number): void {
  array[index] = at(array, index) + 1
}

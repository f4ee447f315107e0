// Functions for typed arrays. `at` and `byteAt` read elements as `number` instead of `number | undefined`, for indexes
// that the caller knows to be in range. They are two functions, because a single one for both types of array would be
// polymorphic in V8, and slower.

export function at(array: Uint32Array, index: number): number {
  return array[index] as number
}

export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number
}

/** Adds one to the element and returns its value before. */
export function increment(array: Uint32Array, index: number): number {
  const before = at(array, index)
  array[index] = before + 1
  return before
}

/** A copy with twice the length. */
export function toGrown(array: Uint32Array): Uint32Array<ArrayBuffer> {
  const grown = new Uint32Array(array.length * 2)
  grown.set(array)
  return grown
}

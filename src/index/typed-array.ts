// Typed-array access without `undefined` in its type, for indexes that the caller knows to be in range. Two functions
// rather than one: a call site that sees both array types is polymorphic and slower.

export function at(array: Uint32Array, index: number): number {
  return array[index] as number
}

export function byteAt(bytes: Uint8Array, index: number): number {
  return bytes[index] as number
}

/** Adds one and returns the value before. */
export function increment(array: Uint32Array, index: number): number {
  const before = at(array, index)
  array[index] = before + 1
  return before
}

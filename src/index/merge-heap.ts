// Binary heap for a k-way merge (merge.ts). Its items are the sources to merge; the source whose current key is the
// smallest is at the top. The children of the item at index `i` are at `2i + 1` and `2i + 2`.

export class MergeHeap<T> {
  readonly #items: T[]
  readonly #isBefore: (a: T, b: T) => boolean

  /** The heap owns the array and reorders it. */
  constructor(items: T[], isBefore: (a: T, b: T) => boolean) {
    this.#items = items
    this.#isBefore = isBefore
    const lastParent = (items.length >> 1) - 1
    for (let index = lastParent; index >= 0; index--) this.#siftDown(index)
  }

  top(): T | undefined {
    return this.#items[0]
  }

  /** Restores the order after the top has advanced to its next key. */
  updateTop(): void {
    this.#siftDown(0)
  }

  /** Removes the top, which has no more keys. */
  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.#siftDown(0)
  }

  /** Moves the item at `start` down until no child is before it. */
  #siftDown(start: number): void {
    const items = this.#items
    const moving = items[start]
    if (moving === undefined) return
    // The hole is where `moving` belongs if no child is before it; a child that is before it moves up into the hole.
    let hole = start
    for (;;) {
      const left = items[2 * hole + 1]
      const right = items[2 * hole + 2]
      if (left === undefined) break
      const child = right !== undefined && this.#isBefore(right, left) ? right : left
      if (!this.#isBefore(child, moving)) break
      items[hole] = child
      hole = child === left ? 2 * hole + 1 : 2 * hole + 2
    }
    items[hole] = moving
  }
}

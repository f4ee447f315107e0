// Binary heap for a k-way merge: the source whose next item is the smallest is at the top.

export class MergeHeap<T> {
  readonly #items: T[]
  readonly #isBefore: (a: T, b: T) => boolean

  /** The heap owns the array. */
  constructor(items: T[], isBefore: (a: T, b: T) => boolean) {
    this.#items = items
    this.#isBefore = isBefore
    for (let i = (items.length >> 1) - 1; i >= 0; i--) this.#siftDown(i)
  }

  top(): T | undefined {
    return this.#items[0]
  }

  /** Restores the order after the top has advanced to its next item. */
  updateTop(): void {
    this.#siftDown(0)
  }

  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.#siftDown(0)
  }

  #siftDown(start: number): void {
    const items = this.#items
    const moving = items[start]
    if (moving === undefined) return
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

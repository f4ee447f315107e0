// A heap over sources that are merged: the one whose next item comes first is on top.

export class MergeHeap<T> {
  readonly #items: T[]
  readonly #comesBefore: (a: T, b: T) => boolean

  /** Takes the array over. */
  constructor(items: T[], comesBefore: (a: T, b: T) => boolean) {
    this.#items = items
    this.#comesBefore = comesBefore
    for (let i = (items.length >> 1) - 1; i >= 0; i--) this.#sift(i)
  }

  top(): T | undefined {
    return this.#items[0]
  }

  /** Restores the order after the top has moved on. */
  settle(): void {
    this.#sift(0)
  }

  pop(): void {
    const last = this.#items.pop()
    if (last === undefined || this.#items.length === 0) return
    this.#items[0] = last
    this.#sift(0)
  }

  #sift(start: number): void {
    const items = this.#items
    const moving = items[start]
    if (moving === undefined) return
    let hole = start
    for (;;) {
      const left = items[2 * hole + 1]
      const right = items[2 * hole + 2]
      if (left === undefined) break
      const child = right !== undefined && this.#comesBefore(right, left) ? right : left
      if (!this.#comesBefore(child, moving)) break
      items[hole] = child
      hole = child === left ? 2 * hole + 1 : 2 * hole + 2
    }
    items[hole] = moving
  }
}

// Asynchronous work, a limited number of tasks at a time.

/** Lets a limited number of tasks run; the others wait in order of arrival. */
export class Slots {
  #free: number
  readonly #waiting: (() => void)[] = []

  constructor(tasksMax: number) {
    this.#free = tasksMax
  }

  async run<T>(task: () => Promise<T>): Promise<T> {
    if (this.#free > 0) this.#free -= 1
    else await new Promise<void>((resolve) => this.#waiting.push(resolve))
    try {
      return await task()
    } finally {
      // The slot passes to the task that has waited longest. If it were free in between, a later task could take it.
      const passSlot = this.#waiting.shift()
      if (passSlot === undefined) this.#free += 1
      else passSlot()
    }
  }
}

/** Work that is done once for each key, even if it is asked for again while it is in progress. */
export class Shared<T> {
  readonly #inProgress = new Map<string, Promise<T>>()

  has(key: string): boolean {
    return this.#inProgress.has(key)
  }

  run(key: string, work: () => Promise<T>): Promise<T> {
    let result = this.#inProgress.get(key)
    if (result === undefined) {
      result = work().finally(() => this.#inProgress.delete(key))
      this.#inProgress.set(key, result)
    }
    return result
  }
}

/**
 * Works on so many items at a time. If `work` fails for an item, or if `items` itself fails, starts no further work and
 * calls `stop`, which may end the work in progress. Throws the first error after all work has ended.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  concurrentMax: number,
  work: (item: Item) => Promise<void>,
  stop: () => void,
): Promise<void> {
  // All loops take their items from this generator, which ends when one of them fails.
  const shared = (function* () {
    yield* items
  })()
  const loops = Array.from({ length: concurrentMax }, async () => {
    for (const item of shared) await work(item)
  })
  try {
    await Promise.all(loops)
  } catch (error) {
    stop()
    await Promise.allSettled(loops)
    throw error
  }
}

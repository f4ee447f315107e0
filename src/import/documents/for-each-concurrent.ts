// Does asynchronous work for each item of a sequence, a limited number of items at a time.

/**
 * If `work` fails for an item, or if `items` itself fails, starts no further work and calls `stop`, which may end the
 * work in progress. Throws the first error after all work has ended.
 */
export async function forEachConcurrent<Item>(
  items: Iterable<Item>,
  concurrentMax: number,
  work: (item: Item) => Promise<void>,
  stop: () => void,
): Promise<void> {
  // All concurrent loops take their items from this iterator.
  const iterator = Iterator.from(items)
  /** The first error; an object, because any value can be thrown, undefined too. */
  let failure: { readonly error: unknown } | undefined
  const workUntilEnd = async (): Promise<void> => {
    try {
      while (failure === undefined) {
        const next = iterator.next()
        if (next.done) return
        await work(next.value)
      }
    } catch (error) {
      failure ??= { error }
      stop()
    }
  }
  await Promise.all(Array.from({ length: concurrentMax }, workUntilEnd))
  if (failure === undefined) return
  iterator.return?.()
  throw failure.error
}

// Does asynchronous work for each item of a sequence, a limited number of items at a time.

/**
 * If `work` fails for an item, or if `items` itself fails, starts no further work and calls `stop`, which may end the
 * work in progress. Throws the first error after all work has ended.
 */
export async function forEachConcurrent<Item>(
  items: AsyncIterable<Item> | Iterable<Item>,
  concurrentMax: number,
  work: (item: Item) => Promise<void>,
  stop: () => void,
): Promise<void> {
  const pending = new Set<Promise<void>>()
  /** The first error; an object, because any value can be thrown, undefined too. */
  let failure: { readonly error: unknown } | undefined
  const fail = (error: unknown): void => {
    failure ??= { error }
    stop()
  }
  /** Wakes the loop below while it waits for an item to finish. */
  let onItemDone: (() => void) | undefined
  try {
    for await (const item of items) {
      if (failure !== undefined) break
      const working = work(item)
        .catch(fail)
        .finally(() => {
          pending.delete(working)
          onItemDone?.()
        })
      pending.add(working)
      while (pending.size >= concurrentMax) {
        // `Promise.race` would add a handler to the promise of every slow item on each call.
        await new Promise<void>((resolve) => {
          onItemDone = resolve
        })
      }
    }
  } catch (error) {
    fail(error)
  }
  await Promise.all(pending)
  if (failure !== undefined) throw failure.error
}

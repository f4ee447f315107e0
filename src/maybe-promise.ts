// A value or a promise of it, for code that runs on both databases: SQLite answers synchronously, PostgreSQL with a
// promise. These functions wait only for promises: awaiting a value that is already there would take longer than many
// steps of a request.

export type MaybePromise<T> = T | Promise<T>

/** Like `then`, but calls `map` at once and returns its result if the value is not a promise. */
export function mapMaybe<T, R>(value: MaybePromise<T>, map: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(map) : map(value)
}

/** Like `try … finally`, for work that may be synchronous. `cleanUp` runs when the work is done or has failed. */
export function finallyMaybe<T>(work: () => MaybePromise<T>, cleanUp: () => void): MaybePromise<T> {
  let result: MaybePromise<T>
  try {
    result = work()
  } catch (error) {
    cleanUp()
    throw error
  }
  if (result instanceof Promise) return result.finally(cleanUp)
  cleanUp()
  return result
}

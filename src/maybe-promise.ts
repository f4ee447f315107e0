// What is at hand, or will be: an embedded database answers at once, a distant one with a promise. Whoever waits for a
// promise that it need not wait for pays more than many a step of a request costs.

export type MaybePromise<T> = T | Promise<T>

/** Goes on at once where the value is at hand. */
export function mapMaybe<T, R>(value: MaybePromise<T>, goOn: (value: T) => MaybePromise<R>): MaybePromise<R> {
  return value instanceof Promise ? value.then(goOn) : goOn(value)
}

/** Does the last thing once the work is over, however it ends. */
export function finallyMaybe<T>(work: () => MaybePromise<T>, last: () => void): MaybePromise<T> {
  let done: MaybePromise<T>
  try {
    done = work()
  } catch (error) {
    last()
    throw error
  }
  if (done instanceof Promise) return done.finally(last)
  last()
  return done
}

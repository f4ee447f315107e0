// Retries failed reads of a response that has begun. Before its first byte a response can still become a 503, so a
// failure is reported at once. Later it could only be broken off, so reads are retried for a while: a long export
// survives a restart of its database.
import { setTimeout } from 'node:timers/promises'
import type { ChunkRequest, PostingSource, TermEntry } from '../index/posting-list.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { StoreUnavailable } from './contract.ts'

/** After this time a failed read is not tried again. */
const retryTimeoutMs = 10_000
/** Pause between two attempts. */
const retryPauseMs = 200

/** Wraps the storage for one search of an export. */
export class RetryingSource implements PostingSource {
  /** Whether failed reads are retried. The export sets it after its first batch has been sent. */
  mayRetry = false
  readonly #source: PostingSource

  constructor(source: PostingSource) {
    this.#source = source
  }

  /** Not retried, like `readEntriesOfPrefix`: a search reads the entries before its first batch. */
  readEntries(keys: readonly string[]): MaybePromise<readonly TermEntry[]> {
    return this.#source.readEntries(keys)
  }

  readEntriesOfPrefix(prefix: string): MaybePromise<readonly TermEntry[]> {
    return this.#source.readEntriesOfPrefix(prefix)
  }

  readChunks(requests: readonly ChunkRequest[]): MaybePromise<void> {
    return this.read(() => this.#source.readChunks(requests))
  }

  /**
   * Calls `attempt`, and again if it fails and retries are enabled. Reads of a file are synchronous and never retried.
   */
  read<T>(attempt: () => MaybePromise<T>): MaybePromise<T> {
    const reading = attempt()
    return this.mayRetry && reading instanceof Promise ? retry(reading, attempt) : reading
  }
}

/** Waits for the first attempt, `reading`, and repeats it while the storage is unavailable. */
async function retry<T>(reading: Promise<T>, attempt: () => MaybePromise<T>): Promise<T> {
  const deadlineAt = performance.now() + retryTimeoutMs
  for (let next: MaybePromise<T> = reading; ; next = attempt()) {
    try {
      return await next
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > deadlineAt) throw error
      await setTimeout(retryPauseMs)
    }
  }
}

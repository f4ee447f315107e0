// Retries reads of the database for an export, a response that is sent while it is read. Before its first byte is sent,
// a response can become a 503, so the error of a failed read is thrown at once. Afterwards the response could only be
// cut off, so reads are retried for a while: a long export survives a restart of its database.
import { setTimeout } from 'node:timers/promises'
import type { ChunkRequest, ChunkSource } from '../index/posting-list.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { StoreUnavailable } from './contract.ts'

/** A read is not tried again if this time has passed since its first attempt. */
const retryTimeoutMs = 10_000
/** Pause between two attempts. */
const retryPauseMs = 200

/** The storage of a snapshot as one export reads it, with retries. */
export class RetryingSource implements ChunkSource {
  readonly #source: ChunkSource
  readonly #hasBegun: () => boolean

  /** `hasBegun` tells whether the response has begun. */
  constructor(source: ChunkSource, hasBegun: () => boolean) {
    this.#source = source
    this.#hasBegun = hasBegun
  }

  readChunks(requests: readonly ChunkRequest[]): MaybePromise<void> {
    return this.read(() => this.#source.readChunks(requests))
  }

  /**
   * Calls `attempt`. If the storage is unavailable after the response has begun, calls it again, for `retryTimeoutMs`
   * at most. A synchronous read, of a file, is never retried.
   */
  read<T>(attempt: () => MaybePromise<T>): MaybePromise<T> {
    const reading = attempt()
    return reading instanceof Promise ? this.#retry(reading, attempt) : reading
  }

  /** Waits for the first attempt, which has already started, and repeats it while the storage is unavailable. */
  async #retry<T>(firstAttempt: Promise<T>, attempt: () => MaybePromise<T>): Promise<T> {
    const retryEndsAt = performance.now() + retryTimeoutMs
    let reading: Promise<T> | undefined = firstAttempt
    for (;;) {
      try {
        return await (reading ?? attempt())
      } catch (error) {
        const mayPass = this.#hasBegun() && error instanceof StoreUnavailable
        if (!mayPass || performance.now() > retryEndsAt) throw error
        reading = undefined
        await setTimeout(retryPauseMs)
      }
    }
  }
}

// Before its first byte an answer may still become a 503, so it is told soon that the database is away. Once it has
// begun it could only be broken off, so from then on a read that fails is tried again for a while: a long export
// outlives the restart of its database.
import { setTimeout } from 'node:timers/promises'
import type { ChunkRequest, ListHead, ListSource } from '../index/posting-list.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import { StoreUnavailable } from './contract.ts'

/** How long an answer that has begun waits for the database to come back, and how often it asks. */
const enduranceMs = 10_000
const pauseMs = 200

/** What one search reads from: a storage, and the endurance that comes with its first batch. */
export class EnduringSource implements ListSource {
  /** The first batch is on its way to the client. */
  hasBegun = false
  readonly #source: ListSource

  constructor(source: ListSource) {
    this.#source = source
  }

  readHeads(keys: readonly string[]): MaybePromise<readonly ListHead[]> {
    return this.#source.readHeads(keys)
  }

  readHeadsBeginning(beginning: string): MaybePromise<readonly ListHead[]> {
    return this.#source.readHeadsBeginning(beginning)
  }

  readChunks(requests: readonly ChunkRequest[]): MaybePromise<void> {
    return this.read(() => this.#source.readChunks(requests))
  }

  /** Reads that can be repeated without harm. */
  read<T>(attempt: () => MaybePromise<T>): MaybePromise<T> {
    const reading = attempt()
    return this.hasBegun && reading instanceof Promise ? insist(reading, attempt) : reading
  }
}

async function insist<T>(reading: Promise<T>, attempt: () => MaybePromise<T>): Promise<T> {
  const deadline = performance.now() + enduranceMs
  for (let next: MaybePromise<T> = reading; ; next = attempt()) {
    try {
      return await next
    } catch (error) {
      if (!(error instanceof StoreUnavailable) || performance.now() > deadline) throw error
      await setTimeout(pauseMs)
    }
  }
}

// Follows a remote store: asks it regularly which file it hands out, and renews the local copy when that is another
// one. One process of a machine follows, which has the lock of the copy; the others serve what it fetches, and one of
// them takes over when it ends. Nothing here is on the path of a request.
import { rm } from 'node:fs/promises'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { StoreFault, StoreUnreachable } from '../contract.ts'
import { writeLinkCheckFile } from '../link-check.ts'
import type { LocalCopy } from './local-copy.ts'
import type { Manifest, RemoteStore } from './remote.ts'
import { toCopyFault, transfer } from './transfer.ts'

/** A process that does not follow tries this often to take over. */
const lockRetryMs = 1000
/** After a refused file the same one is tried again after this pause, which doubles up to the longest one. */
const firstRetryMs = 1000
const longestRetryMs = 10 * 60_000

export interface FollowerEvents {
  /** Another file is in the place of the copy. */
  readonly onRenewed?: (() => void) | undefined
  /** What the store hands out was not put in service. Called once for each reason, until something else happens. */
  readonly onRefused?: ((fault: StoreFault) => void) | undefined
  /** The store does not answer. Called once for each reason. */
  readonly onLost?: ((fault: StoreFault) => void) | undefined
  /** The store answers again, after `onLost`. */
  readonly onRecovered?: (() => void) | undefined
}

/** For the metrics. */
export interface FollowerStatus {
  /** Whether the store has answered the last question. True in a process that does not follow. */
  readonly isReachable: boolean
  /** How many attempts to fetch a file have failed because something was wrong with it, or with the transfer. */
  readonly refused: number
}

export class Follower {
  readonly #store: RemoteStore
  readonly #copy: LocalCopy
  readonly #events: FollowerEvents
  readonly #closing = new AbortController()
  /** Releases the lock; undefined while another process follows. */
  #releaseLock: (() => void) | undefined
  /** What the store said last. */
  #manifest: Manifest | null = null
  /** The file that was refused last, and when it is tried again, on the clock of `performance.now()`. */
  #refusal: { readonly sha256: string; readonly attempts: number; readonly retryAt: number } | undefined
  #lastReasonRefused: string | undefined
  #lastReasonLost: string | undefined
  #refusedCount = 0
  #running: Promise<void> | undefined
  /** Ends the pause of the loop. */
  #wake: () => void = () => {}

  constructor(store: RemoteStore, copy: LocalCopy, events: FollowerEvents = {}) {
    this.#store = store
    this.#copy = copy
    this.#events = events
  }

  get status(): FollowerStatus {
    return { isReachable: this.#lastReasonLost === undefined, refused: this.#refusedCount }
  }

  /** Begins to follow in the background, until `close`. */
  start(): void {
    this.#running = this.#run()
  }

  /** Asks the store now instead of after the pause. */
  checkNow(): void {
    this.#wake()
  }

  async close(): Promise<void> {
    this.#closing.abort()
    this.#wake()
    await this.#store.close()
    await this.#running
  }

  /**
   * Renews the copy once, in the foreground. Throws `StoreUnreachable` if the store does not answer, and `StoreFault`
   * if it has no registry, or none that can be served. `acceptsOtherFormats` as in `TransferOptions`.
   */
  async fetchNewest(options: { readonly acceptsOtherFormats?: boolean } = {}): Promise<void> {
    const answer = await this.#store.readManifest(this.#closing.signal)
    if (answer !== 'unchanged') this.#manifest = answer
    const manifest = this.#manifest
    if (manifest === null)
      throw toCopyFault(this.#copy, t`it has no registry yet; create it with planning-registry import`)
    if (await this.#isCopied(manifest)) return
    const releaseLock = this.#copy.tryLock()
    // If another process has the lock, it may be writing the usual part.
    const usualPart = this.#copy.toPartPath(manifest.sha256)
    const partPath = releaseLock === null ? `${usualPart}.${process.pid}.part` : usualPart
    try {
      await transfer(this.#store, this.#copy, manifest, { partPath, signal: this.#closing.signal, ...options })
    } finally {
      releaseLock?.()
      if (partPath !== usualPart) await rm(partPath, { force: true })
    }
  }

  /** Whether the copy is the file of the manifest. Notes what the store says about it then. */
  async #isCopied(manifest: Manifest): Promise<boolean> {
    if ((await this.#copy.readSha256()) !== manifest.sha256) return false
    const noted = await this.#copy.readManifest()
    if (JSON.stringify(noted) !== JSON.stringify(manifest)) await this.#copy.writeNote(manifest)
    return true
  }

  async #run(): Promise<void> {
    try {
      while (!this.#closing.signal.aborted) {
        const pauseMs = await this.#step()
        await this.#pause(pauseMs)
      }
    } finally {
      this.#releaseLock?.()
    }
  }

  async #pause(ms: number): Promise<void> {
    if (this.#closing.signal.aborted) return
    const { promise, resolve } = Promise.withResolvers<void>()
    const timer = setTimeout(resolve, ms)
    // The service, and not the follower, keeps the process alive.
    timer.unref()
    this.#wake = resolve
    await promise
    clearTimeout(timer)
  }

  /** One round. Returns the pause until the next one. */
  async #step(): Promise<number> {
    try {
      this.#releaseLock ??= this.#copy.tryLock() ?? undefined
      if (this.#releaseLock === undefined) return lockRetryMs
      if ((await this.#ask()) && this.#manifest !== null) {
        await this.#renew(this.#manifest)
        await this.#renewLinkCheck()
        // A file that was refused is tried again when it is time, also if the store is rarely asked.
        const untilRetryMs = (this.#refusal?.retryAt ?? Number.POSITIVE_INFINITY) - performance.now()
        return Math.min(Math.max(untilRetryMs, 0), this.#store.pollMs)
      }
    } catch (error) {
      if (this.#closing.signal.aborted) return 0
      if (!(error instanceof StoreUnreachable)) this.#reportRefused(toFault(this.#copy, error))
      else {
        this.#reportLost(error)
        // A transfer that has broken off goes on soon.
        return Math.min(firstRetryMs, this.#store.pollMs)
      }
    }
    return this.#store.pollMs
  }

  /** Asks the store which file it hands out. Returns false if it does not answer. */
  async #ask(): Promise<boolean> {
    try {
      const answer = await this.#store.readManifest(this.#closing.signal)
      if (answer !== 'unchanged') this.#manifest = answer
      this.#reportAnswer()
      return true
    } catch (error) {
      if (this.#closing.signal.aborted) return false
      if (!(error instanceof StoreFault)) throw error
      this.#reportLost(error)
      return false
    }
  }

  /** Fetches the file unless the copy is that file. Throws if the store does not answer. */
  async #renew(manifest: Manifest): Promise<void> {
    if (await this.#isCopied(manifest)) {
      this.#refusal = undefined
      this.#lastReasonRefused = undefined
      return
    }
    const isRefused = this.#refusal?.sha256 === manifest.sha256
    if (isRefused && performance.now() < (this.#refusal?.retryAt ?? 0)) return
    await this.#copy.removeOldParts(manifest.sha256)
    try {
      const partPath = this.#copy.toPartPath(manifest.sha256)
      await transfer(this.#store, this.#copy, manifest, { partPath, signal: this.#closing.signal })
      this.#refusal = undefined
      this.#events.onRenewed?.()
    } catch (error) {
      if (this.#closing.signal.aborted) return
      if (error instanceof StoreUnreachable) throw error
      this.#refuse(manifest.sha256, toFault(this.#copy, error))
    }
  }

  #refuse(sha256: string, fault: StoreFault): void {
    const attempts = this.#refusal?.sha256 === sha256 ? this.#refusal.attempts + 1 : 0
    const retryAt = performance.now() + Math.min(firstRetryMs * 2 ** attempts, longestRetryMs)
    this.#refusal = { sha256, attempts, retryAt }
    this.#refusedCount += 1
    this.#reportRefused(fault)
  }

  #reportRefused(fault: StoreFault): void {
    if (this.#lastReasonRefused === fault.message) return
    this.#lastReasonRefused = fault.message
    this.#events.onRefused?.(fault)
  }

  #reportLost(fault: StoreFault): void {
    if (this.#lastReasonLost === fault.message) return
    this.#lastReasonLost = fault.message
    this.#events.onLost?.(fault)
  }

  #reportAnswer(): void {
    if (this.#lastReasonLost === undefined) return
    this.#lastReasonLost = undefined
    this.#events.onRecovered?.()
  }

  /** Copies the outcome of the last `check --links`, which the store may keep too, for the web pages. */
  async #renewLinkCheck(): Promise<void> {
    const check = (await this.#store.readLinkCheck?.(this.#closing.signal)) ?? null
    if (check !== null && check !== 'unchanged') await writeLinkCheckFile(this.#copy.path, check)
  }
}

/** The fault for the operator. An error of the system, such as a full disk, must not end the process. */
function toFault(copy: LocalCopy, error: unknown): StoreFault {
  if (error instanceof StoreFault) return error
  return new StoreFault(t`Cannot write to ${copy.folder}: ${systemReasonOf(error)}`, { cause: error })
}

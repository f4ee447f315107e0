// Interface of a remote store: a place that keeps the file of a registry and hands it out, such as a PostgreSQL
// database or a web server. A follower (follower.ts) copies the file to the local disk, from where requests are
// answered, so a store is never on the path of a request.
import type { LastImport, LinkCheck } from '../contract.ts'

export type { LastImport } from '../contract.ts'

/**
 * What a store says about the registry file that it hands out: a row of the table `registry.manifest` in PostgreSQL,
 * the pointer `current.json` over HTTPS.
 */
export interface Manifest {
  /** Id of the registry (`SnapshotMetadata.id`). */
  readonly version: string
  /** Version of the file format, `user_version` of the file. */
  readonly format: number
  readonly bytes: number
  /** SHA-256 of the file in hexadecimal. It identifies the file. */
  readonly sha256: string
  readonly lastImport: LastImport | null
}

/** Settings of a web server that is followed. */
export interface RemoteOptions {
  /** `--poll-seconds`: interval between two requests for the pointer. */
  readonly pollSeconds?: number | undefined
  /** `--allow-insecure`: whether `http://` is allowed to other hosts than this one. */
  readonly allowInsecure?: boolean | undefined
}

/** The default of `--poll-seconds`. */
export const pollSecondsDefault = 30

/** A place that keeps registry files and hands them out. */
export interface RemoteStore {
  /**
   * Returns the file to follow: null if the store has none yet, 'unchanged' if nothing changed since the last call.
   * Throws `StoreUnreachable` if nothing answers, otherwise `StoreFault` (both in ../contract.ts).
   */
  readManifest(signal?: AbortSignal): Promise<Manifest | null | 'unchanged'>
  /**
   * Reads the bytes of that file from `offset` on. Throws `StoreFault` if the store cannot hand out exactly this file.
   */
  read(manifest: Manifest, offset: number, signal?: AbortSignal): AsyncIterable<Uint8Array>
  /**
   * Returns the outcome of the last `check --links`, for a store that keeps it: null if there was no check, 'unchanged'
   * if there was no other one since the last call.
   */
  readLinkCheck?(signal?: AbortSignal): Promise<LinkCheck | null | 'unchanged'>
  /** Interval between two calls of `readManifest`. */
  readonly pollMs: number
  close(): Promise<void>
}

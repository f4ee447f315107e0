// Fetches the file of a registry from a remote store. The file is written beside the local copy, hashed while it
// arrives, verified, and only then put in service. A transfer that breaks off goes on where it stopped.
import { createHash } from 'node:crypto'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { t } from '../../language.ts'
import { systemReasonOf } from '../../system-reason.ts'
import { verifyInThread } from '../check.ts'
import { StoreFault, StoreUnreachable } from '../contract.ts'
import { formatVersion } from '../schema.ts'
import type { LocalCopy } from './local-copy.ts'
import { hashBytes, isRegistryFile, readFormat } from './registry-file.ts'
import type { Manifest, RemoteStore } from './remote.ts'

export interface TransferOptions {
  /** Where the file is written. */
  readonly partPath: string
  readonly signal?: AbortSignal | undefined
  /** Whether a file of another format is fetched too. An import compares with it; it is not served. */
  readonly acceptsOtherFormats?: boolean
}

/**
 * Fetches the file of the manifest and puts it in service. Throws `StoreUnreachable` if the store does not answer, and
 * `StoreFault` if the file is not the one of the manifest; then the copy in service stays.
 */
export async function transfer(
  store: RemoteStore,
  copy: LocalCopy,
  manifest: Manifest,
  options: TransferOptions,
): Promise<void> {
  const { partPath, acceptsOtherFormats = false } = options
  if (manifest.format !== formatVersion && !acceptsOtherFormats) {
    throw toCopyFault(
      copy,
      t`it was written by another version (format ${manifest.format}, this one reads ${formatVersion}); import it again`,
    )
  }
  try {
    const sha256 = await writePart(store, copy, manifest, options)
    if (sha256 !== manifest.sha256) {
      await rm(partPath, { force: true })
      throw toCopyFault(copy, t`the file from the store has the SHA-256 ${sha256}, expected ${manifest.sha256}`)
    }
    await checkHeader(copy, partPath, manifest)
    // Otherwise a damaged file would replace the copy, which a restart needs.
    if (!acceptsOtherFormats) await verifyInThread(partPath)
    await copy.putInService(partPath, manifest)
  } catch (error) {
    if (error instanceof StoreFault) {
      // The part may be of another file, for example if the store has no ranges. The next attempt begins anew.
      if (!error.isTransient && !(error instanceof StoreUnreachable)) await rm(partPath, { force: true })
      throw error
    }
    // A failure of this machine, such as a full disk. The part would fill the disk.
    if (error instanceof Error && 'errno' in error) {
      await rm(partPath, { force: true })
      throw new StoreFault(t`Cannot write to ${copy.folder}: ${systemReasonOf(error)}`, {
        cause: error,
        isTransient: true,
      })
    }
    throw error
  }
}

/** The fault of a registry that cannot be copied. It is transient: the store may hand out another file later. */
export function toCopyFault(copy: LocalCopy, reason: string): StoreFault {
  return new StoreFault(t`Cannot open ${copy.address}: ${reason}`, { isTransient: true })
}

/** Writes what is missing of the part. Returns the SHA-256 of the whole file. */
async function writePart(
  store: RemoteStore,
  copy: LocalCopy,
  manifest: Manifest,
  options: TransferOptions,
): Promise<string> {
  const { partPath, signal } = options
  const hash = createHash('sha256')
  const part = await open(partPath, 'a+')
  let offset = (await part.stat()).size
  try {
    if (offset > manifest.bytes) {
      await part.truncate()
      offset = 0
    }
    // What an earlier transfer has written.
    await hashBytes(part, offset, hash)
    if (offset < manifest.bytes) {
      for await (const chunk of store.read(manifest, offset, signal)) {
        offset += chunk.length
        if (offset > manifest.bytes) break
        hash.update(chunk)
        await writeAll(part, chunk)
      }
    }
  } finally {
    await part.close()
  }
  if (offset > manifest.bytes) {
    await rm(partPath, { force: true })
    throw toCopyFault(copy, t`the file from the store is longer than ${String(manifest.bytes)} bytes`)
  }
  if (offset < manifest.bytes) {
    throw toCopyFault(copy, t`the transfer broke off after ${String(offset)} of ${String(manifest.bytes)} bytes`)
  }
  return hash.digest('hex')
}

async function writeAll(file: FileHandle, chunk: Uint8Array): Promise<void> {
  for (let written = 0; written < chunk.length; ) written += (await file.write(chunk, written)).bytesWritten
}

/** Checks that the file is a registry of the format that the manifest says. Removes it if it is not. */
async function checkHeader(copy: LocalCopy, path: string, manifest: Manifest): Promise<void> {
  if (isRegistryFile(path) && readFormat(path) === manifest.format) return
  await rm(path, { force: true })
  throw toCopyFault(copy, t`the file from the store is not a registry of format ${manifest.format}`)
}

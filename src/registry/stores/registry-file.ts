// What followers compare of a registry file: id, format, size and SHA-256. Reads the header of the file, which says
// whether it is a registry, and of which format.
import { createHash, type Hash } from 'node:crypto'
import { closeSync, openSync, readSync } from 'node:fs'
import { type FileHandle, open, stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { applicationId } from '../schema.ts'
import type { Manifest } from './remote.ts'

export type FileFacts = Omit<Manifest, 'lastImport'>

/** Layout of the header of a SQLite file: https://www.sqlite.org/fileformat.html */
const headerBytes = 100
const magicText = 'SQLite format 3'
const userVersionOffset = 60
const applicationIdOffset = 68

/** Hashing a block of this size takes less than a millisecond. */
const blockBytes = 256 * 1024

/** Whether the file has the header of a registry, of any version. */
export function isRegistryFile(path: string): boolean {
  const header = readHeader(path)
  const isSqliteFile = header.toString('latin1', 0, magicText.length) === magicText
  return isSqliteFile && header.readUInt32BE(applicationIdOffset) === applicationId
}

/** The version of the format of a registry file. */
export function readFormat(path: string): number {
  return readHeader(path).readUInt32BE(userVersionOffset)
}

function readHeader(path: string): Buffer {
  const header = Buffer.alloc(headerBytes)
  const file = openSync(path, 'r')
  try {
    readSync(file, header, 0, headerBytes, 0)
  } finally {
    closeSync(file)
  }
  return header
}

/** Throws `StoreFault` if the file is no registry, and the error of the system if it cannot be read. */
export async function describeFile(path: string): Promise<FileFacts> {
  const handle = await open(path)
  try {
    return await describeOpenFile(handle, path)
  } finally {
    await handle.close()
  }
}

/** As `describeFile`. Throws `StoreFault` if the path leads to another file than the one that is open. */
export async function describeOpenFile(handle: FileHandle, path: string): Promise<FileFacts> {
  if (!isRegistryFile(path)) throw new StoreFault(t`Cannot read ${path}: it is not a planning registry`)
  const { size: bytes, dev, ino } = await handle.stat()
  const [version, format] = [readVersion(path), readFormat(path)]
  const sha256 = createHash('sha256')
  await hashBytes(handle, bytes, sha256)
  const found = await stat(path)
  if (found.dev !== dev || found.ino !== ino) {
    throw new StoreFault(t`Cannot read ${path}: it has been replaced meanwhile`, { isTransient: true })
  }
  return { version, format, bytes, sha256: sha256.digest('hex') }
}

/** The SHA-256 of a file. */
export async function hashFile(path: string): Promise<string> {
  const handle = await open(path)
  try {
    const sha256 = createHash('sha256')
    await hashBytes(handle, (await handle.stat()).size, sha256)
    return sha256.digest('hex')
  } finally {
    await handle.close()
  }
}

/** Adds the first bytes of a file to the hash. */
export async function hashBytes(handle: FileHandle, bytes: number, hash: Hash): Promise<void> {
  for await (const block of readBlocks(handle, 0, bytes)) hash.update(block)
}

/** The bytes from `first` to `end` (excluded), in blocks. A block is valid until the next one is read. */
async function* readBlocks(
  handle: FileHandle,
  first: number,
  end: number,
): AsyncGenerator<Uint8Array, void, undefined> {
  const buffer = Buffer.allocUnsafe(Math.min(blockBytes, end - first))
  let position = first
  while (position < end) {
    const { bytesRead } = await handle.read(buffer, 0, Math.min(buffer.length, end - position), position)
    if (bytesRead === 0) throw new Error(`the file ends at ${position} instead of ${end}`)
    yield buffer.subarray(0, bytesRead)
    position += bytesRead
  }
}

/** Bytes of a file that are read while they are sent. */
export interface FileRange {
  readonly chunks: AsyncGenerator<Uint8Array, void, undefined>
  /** Ends the reading, also before its end; may be called more than once. */
  readonly end: () => Promise<void>
}

/** The bytes from `first` to `last` (excluded). `release` is called once, when the file is not read any more. */
export function readRange(handle: FileHandle, first: number, last: number, release: () => void): FileRange {
  const chunks = readBlocks(handle, first, last)
  let hasEnded = false
  const end = async (): Promise<void> => {
    await chunks.return()
    if (!hasEnded) release()
    hasEnded = true
  }
  return { chunks, end }
}

/** The id of the registry. */
function readVersion(path: string): string {
  const database = new DatabaseSync(path, { readOnly: true })
  try {
    const row = database.prepare(`SELECT value FROM property WHERE name = 'id'`).get()
    return String(row?.value ?? '')
  } finally {
    database.close()
  }
}

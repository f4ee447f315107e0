// Facts about a registry file that followers compare: id, format, size and SHA-256. For those that hand files out
// (export.ts, offer.ts).
import { createHash } from 'node:crypto'
import type { FileHandle } from 'node:fs/promises'
import { open, stat } from 'node:fs/promises'
import { DatabaseSync } from 'node:sqlite'
import { t } from '../../language.ts'
import { StoreFault } from '../contract.ts'
import { applicationId } from '../schema.ts'
import type { Manifest } from './remote.ts'

export type FileFacts = Omit<Manifest, 'lastImport'>

/** Layout of the header of a SQLite file: https://www.sqlite.org/fileformat.html */
const headerBytes = 100
const userVersionOffset = 60
const applicationIdOffset = 68

/** Hashing a block of this size takes less than a millisecond. */
const blockBytes = 256 * 1024

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
  const header = Buffer.alloc(headerBytes)
  await handle.read(header, 0, headerBytes, 0)
  if (header.readUInt32BE(applicationIdOffset) !== applicationId) {
    throw new StoreFault(t`Cannot read ${path}: it is not a planning registry`)
  }
  const { size, dev, ino } = await handle.stat()
  const version = readVersion(path)
  const sha256 = createHash('sha256')
  for await (const block of readBlocks(handle, 0, size)) sha256.update(block)
  const found = await stat(path)
  if (found.dev !== dev || found.ino !== ino) {
    throw new StoreFault(t`Cannot read ${path}: it has been replaced meanwhile`, { isTransient: true })
  }
  return { version, format: header.readUInt32BE(userVersionOffset), bytes: size, sha256: sha256.digest('hex') }
}

/** The bytes from `first` to `end` (excluded), in blocks. A block is valid until the next one is read. */
export async function* readBlocks(
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

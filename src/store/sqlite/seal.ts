// The last bytes of a snapshot file: behind the pages of the database the strips, and behind those the seal, the id of
// the snapshot and a checksum of all that comes before it. It lets `serve` refuse a damaged file at once instead of
// answering from it.
import { fstatSync, readSync } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const sealForm = /^planning-registry ([0-9a-f]{32}) crc32 ([0-9a-f]{8})$/
const sealBytes = toSeal('0'.repeat(32), 0).length

function toSeal(id: string, sum: number): string {
  return `planning-registry ${id} crc32 ${sum.toString(16).padStart(8, '0')}`
}

/** Summed up at once: a fraction of a millisecond, since a service may be answering meanwhile. */
const chunkBytes = 256 * 1024
const copiedBytes = 1024 * 1024

/** Appends the files and the seal. */
export async function sealFile(path: string, strips: readonly string[], id: string): Promise<void> {
  const file = await open(path, 'r+')
  try {
    let { size } = await file.stat()
    let sum = await checksum(file, size)
    for (const strip of strips) {
      const source = await open(strip)
      try {
        for await (const chunk of readChunks(source, (await source.stat()).size, copiedBytes)) {
          const written = writeAll(file, chunk, size)
          sum = crc32(chunk, sum)
          await written
          size += chunk.length
        }
      } finally {
        await source.close()
      }
      // So that the disk never has to hold all of them twice.
      await rm(strip)
    }
    await file.write(toSeal(id, sum), size)
  } finally {
    await file.close()
  }
}

async function writeAll(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    done += (await file.write(bytes, done, bytes.length - done, position + done)).bytesWritten
  }
}

/** Resolves once a file, or what a folder lists, outlives the loss of power. */
export async function makeDurable(path: string): Promise<void> {
  const file = await open(path)
  try {
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Whether the bytes are those that were sealed; null when the file bears no seal, or none that is whole. */
export async function isSealIntact(path: string): Promise<boolean | null> {
  const file = await open(path, 'r')
  try {
    const { size } = await file.stat()
    const [, id, sum] = readSeal(file.fd) ?? []
    if (id === undefined || sum === undefined) return null
    return Number.parseInt(sum, 16) === (await checksum(file, size - sealBytes))
  } finally {
    await file.close()
  }
}

/** Of the snapshot in an open file; undefined where it bears no seal. */
export function readSealedId(file: number): string | undefined {
  return readSeal(file)?.[1]
}

function readSeal(file: number): RegExpExecArray | null {
  const { size } = fstatSync(file)
  if (size < sealBytes) return null
  const seal = Buffer.alloc(sealBytes)
  readSync(file, seal, 0, sealBytes, size - sealBytes)
  return sealForm.exec(seal.toString('latin1'))
}

async function checksum(file: FileHandle, bytes: number): Promise<number> {
  let sum = 0
  for await (const chunk of readChunks(file, bytes, chunkBytes)) sum = crc32(chunk, sum)
  return sum
}

/**
 * So many bytes from the beginning of a file, the next being read while one is looked at. A chunk holds until the next
 * one is asked for.
 */
async function* readChunks(
  file: FileHandle,
  bytes: number,
  chunkBytes: number,
): AsyncGenerator<Buffer, void, undefined> {
  const size = Math.min(chunkBytes, bytes)
  let [ahead, behind] = [Buffer.alloc(size), Buffer.alloc(size)]
  const readAhead = (at: number): ReturnType<typeof file.read> => {
    const reading = file.read(ahead, 0, Math.min(size, bytes - at), at)
    // It may fail while nobody waits for it yet; whoever asks for the next chunk learns of it.
    reading.catch(() => {})
    return reading
  }
  let reading = readAhead(0)
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await reading
    if (bytesRead === 0) throw new Error(`the file ends at byte ${at} of ${bytes}`)
    at += bytesRead
    ;[ahead, behind] = [behind, ahead]
    if (at < bytes) reading = readAhead(at)
    yield behind.subarray(0, bytesRead)
  }
}

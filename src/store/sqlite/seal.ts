// The last bytes of a snapshot file: behind the pages of the database the strips, and behind those the seal, a checksum
// of all that comes before it. It lets `serve` refuse a damaged file at once instead of answering from it.
import { createReadStream, rmSync } from 'node:fs'
import { type FileHandle, open } from 'node:fs/promises'
import { crc32 } from 'node:zlib'

const mark = 'planning-registry crc32 '
const sealBytes = mark.length + 8
/** Summed up at once: a fraction of a millisecond, since a service may be answering meanwhile. */
const chunkBytes = 256 * 1024
const copiedBytes = 1024 * 1024

/** Appends the files and the seal. */
export async function sealFile(path: string, strips: readonly string[]): Promise<void> {
  const file = await open(path, 'r+')
  try {
    let { size } = await file.stat()
    let sum = await checksum(file, size)
    for (const strip of strips) {
      for await (const chunk of createReadStream(strip, { highWaterMark: copiedBytes }) as AsyncIterable<Buffer>) {
        sum = crc32(chunk, sum)
        await file.write(chunk, 0, chunk.length, size)
        size += chunk.length
      }
      // So that the disk never has to hold all of them twice.
      rmSync(strip)
    }
    await file.write(mark + toHex(sum), size)
  } finally {
    await file.close()
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
    if (size < sealBytes) return null
    const seal = Buffer.alloc(sealBytes)
    await file.read(seal, 0, sealBytes, size - sealBytes)
    const text = seal.toString('latin1')
    if (!text.startsWith(mark)) return null
    return text.slice(mark.length) === toHex(await checksum(file, size - sealBytes))
  } finally {
    await file.close()
  }
}

async function checksum(file: FileHandle, bytes: number): Promise<number> {
  const chunk = Buffer.alloc(Math.min(chunkBytes, bytes))
  let sum = 0
  for (let at = 0; at < bytes; ) {
    const { bytesRead } = await file.read(chunk, 0, Math.min(chunk.length, bytes - at), at)
    if (bytesRead === 0) throw new Error(`the file ends at byte ${at} of ${bytes}`)
    sum = crc32(chunk.subarray(0, bytesRead), sum)
    at += bytesRead
  }
  return sum
}

function toHex(sum: number): string {
  return sum.toString(16).padStart(8, '0')
}

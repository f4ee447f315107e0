// Compression of response bodies, whole (response.ts) or streamed (web-response.ts). Equal input gives equal output, as
// a strong ETag requires; so a stream is split into blocks of a fixed size, independent of the chunks that the search
// produces.
import type { Transform } from 'node:stream'
import { promisify } from 'node:util'
import * as zlib from 'node:zlib'
import { compressionsMax } from '../limits.ts'
import type { CodingName } from './negotiate.ts'

export type CompressionName = Exclude<CodingName, 'identity'>

/** Compresses a whole body; undefined if it is to be sent as it is. */
export type Compress = (body: Uint8Array | string, coding: CompressionName) => Promise<Uint8Array | undefined>

export type CompressionLevels = Readonly<Record<CompressionName, number>>

/** For a body that may be cached and sent again. */
const bodyLevels: CompressionLevels = { gzip: 6, br: 5, zstd: 6 }

/** Smaller bodies fit into one packet anyway. They are compressed only for a client that refuses identity. */
export const compressedBytesMin = 1024

/** Large enough that the compression thread seldom waits for the next block. */
const blockBytes = 512 * 1024

/** Bytes of an output buffer of a compressor. */
const chunkSize = 128 * 1024

const gzip = promisify<zlib.InputType, zlib.ZlibOptions, Buffer>(zlib.gzip)
const brotli = promisify<zlib.InputType, zlib.BrotliOptions, Buffer>(zlib.brotliCompress)
const zstd = promisify<zlib.InputType, zlib.ZstdOptions, Buffer>(zlib.zstdCompress)

/** Whole bodies that are being compressed in this process, at most `compressionsMax`. */
let compressionCount = 0

/** Compresses a whole body; undefined if too many are being compressed, so that the body is sent as it is. */
export const compressWhole: Compress = toCompress(bodyLevels)

/** The same for a page, which is seldom sent twice: a third of the time for a tenth more bytes. */
export const compressFast: Compress = toCompress({ gzip: 4, br: 3, zstd: 1 })

function toCompress(levels: CompressionLevels): Compress {
  return async (body, coding) => {
    if (compressionCount >= compressionsMax) return undefined
    compressionCount += 1
    try {
      return await compressBytes(body, coding, levels[coding])
    } finally {
      compressionCount -= 1
    }
  }
}

function compressBytes(body: Uint8Array | string, coding: CompressionName, level: number): Promise<Uint8Array> {
  const bytes = typeof body === 'string' ? Buffer.from(body) : body
  switch (coding) {
    case 'gzip':
      return gzip(bytes, { level })
    case 'br':
      return brotli(bytes, {
        params: { [zlib.constants.BROTLI_PARAM_QUALITY]: level, [zlib.constants.BROTLI_PARAM_SIZE_HINT]: bytes.length },
      })
    case 'zstd':
      return zstd(bytes, { pledgedSrcSize: bytes.length, params: { [zlib.constants.ZSTD_c_compressionLevel]: level } })
  }
}

/**
 * Compresses a streamed body: fast, because it is sent once. The end is announced when the last block has been
 * compressed: a compressor that knows while it works that a block is the last one writes other bytes, and whether it
 * knows would depend on the load.
 */
export function compressStream(blocks: AsyncIterable<Uint8Array>, coding: CompressionName): Transform {
  const compressor = createCompressor(coding)
  // An error also reaches the reader of the stream, if there is one yet. Without a listener it would end the process.
  compressor.on('error', () => {})
  const compress = async (): Promise<void> => {
    let compressed = Promise.resolve()
    for await (const block of blocks) {
      // The next block was read meanwhile. The promise also waits until the client has taken enough.
      await compressed
      compressed = writeBlock(compressor, block)
    }
    await compressed
    compressor.end()
  }
  compress().catch((error: unknown) => compressor.destroy(error instanceof Error ? error : new Error(String(error))))
  return compressor
}

function writeBlock(compressor: Transform, block: Uint8Array): Promise<void> {
  const { promise, resolve, reject } = Promise.withResolvers<void>()
  compressor.write(block, (error) => (error ? reject(error) : resolve()))
  // If nobody waits for it, because the client has disconnected.
  promise.catch(() => {})
  return promise
}

function createCompressor(coding: CompressionName): Transform {
  switch (coding) {
    case 'gzip':
      return zlib.createGzip({ chunkSize, level: 1 })
    case 'br':
      return zlib.createBrotliCompress({ chunkSize, params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } })
    case 'zstd':
      // A fifth faster than the default level 3, for 4 % more bytes (measured with an export of 1,000,000 records).
      return zlib.createZstdCompress({ chunkSize, params: { [zlib.constants.ZSTD_c_compressionLevel]: 2 } })
  }
}

/** Copies chunks into blocks of `blockBytes`, the last of which may be shorter. Each block has memory of its own. */
export async function* toBlocks(chunks: AsyncIterable<Uint8Array>): AsyncGenerator<Uint8Array, void, undefined> {
  let block = Buffer.allocUnsafe(blockBytes)
  let filledBytes = 0
  for await (const chunk of chunks) {
    let rest = chunk
    while (rest.byteLength > 0) {
      const part = rest.subarray(0, blockBytes - filledBytes)
      block.set(part, filledBytes)
      filledBytes += part.byteLength
      rest = rest.subarray(part.byteLength)
      if (filledBytes === blockBytes) {
        yield block
        block = Buffer.allocUnsafe(blockBytes)
        filledBytes = 0
      }
    }
  }
  if (filledBytes > 0) yield block.subarray(0, filledBytes)
}

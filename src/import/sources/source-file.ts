// A source file, opened once and kept open until the import ends. Standard input and pipes are first copied to a
// temporary file, because a source is read more than once and workbooks need random access.
import { type FileHandle, mkdtemp, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageFault } from '../../cli/config.ts'
import { t } from '../../language.ts'
import { SourceFault } from '../source-fault.ts'

/** The beginning of a file, from which its format is detected. */
const headBytes = 64 * 1024

export class SourceFile {
  /** For messages: the path, `standard input`, or `export.zip/records.csv`. */
  readonly name: string
  /** In bytes. */
  readonly size: number
  readonly #handle: FileHandle
  /** When the file was last changed, in milliseconds since 1970. */
  readonly #modifiedAt: number
  #bytesRead = 0

  constructor(name: string, handle: FileHandle, size: number, modifiedAt: number) {
    this.name = name
    this.size = size
    this.#handle = handle
    this.#modifiedAt = modifiedAt
  }

  /** File descriptor, for the zip library. Only `close` closes it. */
  get descriptor(): number {
    return this.#handle.fd
  }

  /** Bytes read by the last call of `read` so far, which shows the progress. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  /** Returns the first 64 KiB, or the whole file if it is shorter. */
  async readHead(): Promise<Buffer> {
    const head = Buffer.alloc(Math.min(headBytes, this.size))
    const { bytesRead } = await this.#handle.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead)
  }

  /** Reads the whole file, then calls `requireUnchanged`. Each chunk is a view that is valid until the next one. */
  async *read(chunkBytes: number): AsyncGenerator<Buffer, void, undefined> {
    const buffer = Buffer.allocUnsafe(chunkBytes)
    this.#bytesRead = 0
    for (;;) {
      const { bytesRead } = await this.#handle.read(buffer, 0, chunkBytes, this.#bytesRead)
      if (bytesRead === 0) break
      this.#bytesRead += bytesRead
      yield buffer.subarray(0, bytesRead)
    }
    await this.requireUnchanged()
  }

  /** Throws `SourceFault` if the file has changed: it would be published half old and half new. */
  async requireUnchanged(): Promise<void> {
    const stats = await this.#handle.stat()
    if (stats.size !== this.size || stats.mtimeMs !== this.#modifiedAt) {
      throw new SourceFault(t`Cannot read ${this.name}: it changed while it was being read; import it again`)
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** `name` is a path, or `-` for standard input. Throws `UsageFault` if it is missing, a folder or not permitted. */
export async function openSourceFile(name: string, standardInput: AsyncIterable<Uint8Array>): Promise<SourceFile> {
  if (name === '-') return await copyToTemporaryFile(t`standard input`, standardInput)
  const handle = await openForReading(name)
  const stats = await handle.stat()
  if (stats.isDirectory()) {
    await handle.close()
    throw new UsageFault(t`Cannot read ${name}: it is a folder; choose a file in it`)
  }
  if (stats.isFile()) return new SourceFile(name, handle, stats.size, stats.mtimeMs)
  // It is a pipe or a device, which can be read only once. The stream closes the handle.
  return await copyToTemporaryFile(name, handle.createReadStream())
}

async function openForReading(name: string): Promise<FileHandle> {
  try {
    return await open(name, 'r')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageFault(t`Cannot read ${name}: there is no such file`)
    if (code === 'EACCES') throw new UsageFault(t`Cannot read ${name}: permission denied; change its permissions`)
    throw error
  }
}

/** `name` is for messages. The copy is unlinked before it is written, so that it does not outlive the process. */
export async function copyToTemporaryFile(name: string, input: AsyncIterable<Uint8Array>): Promise<SourceFile> {
  const handle = await openUnlinked()
  try {
    for await (const chunk of input) await handle.appendFile(chunk)
    const stats = await handle.stat()
    return new SourceFile(name, handle, stats.size, stats.mtimeMs)
  } catch (error) {
    await handle.close()
    throw error
  }
}

/** Opens a new file in the temporary folder and unlinks it. */
async function openUnlinked(): Promise<FileHandle> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  try {
    return await open(join(folder, 'source'), 'wx+')
  } finally {
    await rm(folder, { recursive: true })
  }
}

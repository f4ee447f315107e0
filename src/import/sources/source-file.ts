// A source that is a file: opened once and held open, so that its name may vanish while it is being read. Standard
// input and pipes are first copied to a temporary file, since formats are found out by reading and sheets by seeking.
import { createReadStream } from 'node:fs'
import { type FileHandle, mkdtemp, open, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { UsageFault } from '../../cli/config.ts'
import { changedMeanwhile } from '../rows/row-fault.ts'

const headBytes = 64 * 1024

export class SourceFile {
  readonly name: string
  readonly size: number
  readonly #handle: FileHandle
  readonly #modifiedMs: number
  #bytesRead = 0

  constructor(name: string, handle: FileHandle, size: number, modifiedMs: number) {
    this.name = name
    this.size = size
    this.#handle = handle
    this.#modifiedMs = modifiedMs
  }

  get descriptor(): number {
    return this.#handle.fd
  }

  /** How much the current reading has seen. */
  get bytesRead(): number {
    return this.#bytesRead
  }

  async readHead(): Promise<Buffer> {
    const head = Buffer.alloc(Math.min(headBytes, this.size))
    const { bytesRead } = await this.#handle.read(head, 0, head.length, 0)
    return head.subarray(0, bytesRead)
  }

  /** To the end. A chunk holds until the next one is asked for. */
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

  /** Half of one version and half of another would be published as if it were the registry. */
  async requireUnchanged(): Promise<void> {
    const now = await this.#handle.stat()
    if (now.size !== this.size || now.mtimeMs !== this.#modifiedMs) {
      throw changedMeanwhile(this.name)
    }
  }

  async close(): Promise<void> {
    await this.#handle.close()
  }
}

/** `-` is standard input. */
export async function openSourceFile(name: string, standardInput: AsyncIterable<Uint8Array>): Promise<SourceFile> {
  if (name === '-') return await spool('standard input', standardInput)
  const handle = await openForReading(name)
  const facts = await handle.stat()
  if (facts.isDirectory()) {
    await handle.close()
    throw new UsageFault(`Cannot read ${name}: it is a folder; name a file in it`)
  }
  if (facts.isFile()) return new SourceFile(name, handle, facts.size, facts.mtimeMs)
  await handle.close()
  return await spool(name, createReadStream(name))
}

async function openForReading(name: string): Promise<FileHandle> {
  try {
    // A pipe would wait here for its writer, and forever where there is none to come.
    await stat(name)
    return await open(name, 'r')
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? error.code : undefined
    if (code === 'ENOENT' || code === 'ENOTDIR') throw new UsageFault(`Cannot read ${name}: there is no such file`)
    if (code === 'EACCES') throw new UsageFault(`Cannot read ${name}: this user may not; change its permissions`)
    throw error
  }
}

/** The copy has no name from the start, so that nothing is left behind whatever happens to this process. */
async function spool(name: string, input: AsyncIterable<Uint8Array>): Promise<SourceFile> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  try {
    const handle = await open(join(folder, 'source'), 'wx+')
    try {
      for await (const chunk of input) await handle.appendFile(chunk)
      const facts = await handle.stat()
      return new SourceFile(name, handle, facts.size, facts.mtimeMs)
    } catch (error) {
      await handle.close()
      throw error
    }
  } finally {
    await rm(folder, { recursive: true })
  }
}

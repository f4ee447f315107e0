// Clients of the soak tests that misbehave: they never read, read slowly, or abort. Each kind has an address of its
// own, so that the limits for one address do not affect the others. An export is the streamed response with all
// records.
import assert from 'node:assert/strict'
import { get, type IncomingMessage } from 'node:http'
import { connect, type Socket } from 'node:net'
import { pause } from './load.ts'
import { recordCount } from './soak-registry.ts'

interface Service {
  /** `http://127.0.0.1:PORT/registry` */
  readonly base: string
  readonly port: number
}

const neverReadingAddress = '127.0.0.2'
const slowAddress = '127.0.0.3'
const abortingAddress = '127.0.0.4'

/** Speed of the slow reader. An export takes about a minute, so imports replace the snapshot that is being read. */
const slowBytesPerMs = 100

/** Opens connections that never read. Half of them request an export, half a result page of 1,000 records. */
export function openUnreadConnections({ port }: Service, count: number): Socket[] {
  return Array.from({ length: count }, (_, n) => {
    const socket = connect({ port, host: '127.0.0.1', localAddress: neverReadingAddress })
    socket.on('error', () => {}).pause()
    socket.write(`GET /registry/${n % 2 === 0 ? 'record' : 'record?limit=1000'} HTTP/1.1\r\nHost: a\r\n\r\n`)
    return socket
  })
}

/** Requests an export and aborts it at the first bytes. */
export async function abortExport({ port }: Service): Promise<void> {
  const socket = connect({ port, host: '127.0.0.1', localAddress: abortingAddress })
  socket.write('GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n')
  await new Promise<void>((resolve) => {
    // A killed worker resets the connection.
    socket.on('error', () => {}).once('data', () => resolve())
    socket.once('close', () => resolve())
  })
  socket.destroy()
}

/**
 * A client that reads exports slowly, one after the other. An export that arrives completely must have all records of
 * one edition, which is the registry that one import publishes (soak-registry.ts).
 */
export class SlowReader {
  /** Exports that were read to the end. */
  completed = 0
  /** Exports that were cut off or failed in another way. */
  broken = 0
  /** Exports that were refused because the service was overloaded. */
  refused = 0
  #isStopped = false
  readonly #reading: Promise<void>

  constructor({ base }: Service) {
    this.#reading = this.#read(base)
    // Without a handler an error would end the process at once. `stop` awaits the same promise and throws the error.
    this.#reading.catch(() => {})
  }

  async stop(): Promise<void> {
    this.#isStopped = true
    await this.#reading
  }

  async #read(base: string): Promise<void> {
    while (!this.#isStopped) {
      const reply = await readSlowly(`${base}/record`).catch(() => undefined)
      if (reply?.status !== 200) {
        if (reply?.status === 503) this.refused += 1
        else this.broken += 1
        await pause(1_000)
        continue
      }
      const { resultadoBusqueda }: { resultadoBusqueda: { title: string }[] } = JSON.parse(reply.body)
      // A title is such as `Plan sector7 edicion3` (soak-registry.ts).
      const editions = new Set(resultadoBusqueda.map(({ title }) => title.split(' ')[2]))
      assert.equal(resultadoBusqueda.length, recordCount)
      assert.equal(editions.size, 1, 'an export is of one snapshot')
      this.completed += 1
    }
  }
}

/** Reads a response at the slow speed. Rejects if it is incomplete. */
async function readSlowly(url: string): Promise<{ status: number | undefined; body: string }> {
  const response = await new Promise<IncomingMessage>((resolve, reject) => {
    get(url, { agent: false, localAddress: slowAddress }, resolve).once('error', reject)
  })
  const startedAt = performance.now()
  const chunks: Buffer[] = []
  let bytes = 0
  for await (const chunk of response) {
    chunks.push(chunk)
    bytes += chunk.length
    const aheadMs = bytes / slowBytesPerMs - (performance.now() - startedAt)
    if (aheadMs > 0) await pause(aheadMs)
  }
  return { status: response.statusCode, body: Buffer.concat(chunks).toString() }
}

// Fixture: a web server that hands out a pointer and a registry file, rightly by default. A test replaces what it
// answers to show that a wrong answer is refused.
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { formatVersion } from '../../../src/registry/schema.ts'

export interface WebStore extends AsyncDisposable {
  /** `http://127.0.0.1:PORT/store` */
  readonly address: string
  /** The requests so far: their paths and headers. */
  readonly requests: { readonly path: string; readonly headers: IncomingHttpHeaders }[]
  /** Replaces the content of the file, under its name, and the pointer to it. */
  publish(file: Buffer, pointer?: Readonly<Record<string, unknown>>): void
  /** The content of the file. */
  file: Buffer
  /** Answers the next requests for the pointer, until it is undefined. */
  answerPointer: Answer | undefined
  /** Answers the next requests for the file, until it is undefined. */
  answerFile: Answer | undefined
}

export type Answer = (request: IncomingMessage, response: ServerResponse, store: WebStore) => void

export function toSha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex')
}

export async function startWebStore(file: Buffer, pointer: Readonly<Record<string, unknown>> = {}): Promise<WebStore> {
  let pointerText = ''
  const server = createServer((request, response) => {
    const { url = '', headers } = request
    store.requests.push({ path: url, headers })
    if (url === '/store/current.json') (store.answerPointer ?? answerPointer)(request, response, store)
    else if (url === '/store/registry.db') (store.answerFile ?? answerFile)(request, response, store)
    else response.writeHead(404).end()
  })
  const answerPointer: Answer = ({ headers }, response) => {
    const tag = `"${toSha256(Buffer.from(pointerText)).slice(0, 8)}"`
    if (headers['if-none-match'] === tag) response.writeHead(304, { ETag: tag }).end()
    else response.writeHead(200, { ETag: tag, 'Content-Type': 'application/json' }).end(pointerText)
  }
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  const store: WebStore = {
    address: `http://127.0.0.1:${port}/store`,
    requests: [],
    file,
    answerPointer: undefined,
    answerFile: undefined,
    publish: (nextFile, nextPointer = {}) => {
      store.file = nextFile
      pointerText = JSON.stringify({
        version: 'v',
        format: formatVersion,
        bytes: nextFile.length,
        sha256: toSha256(nextFile),
        href: 'registry.db',
        last_import: null,
        ...nextPointer,
      })
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections()
      server.close()
      await once(server, 'close')
    },
  }
  store.publish(file, pointer)
  return store
}

/** The file, or the range that is requested, with a strong entity tag. */
export const answerFile: Answer = ({ headers }, response, { file }) => {
  const ETag = `"${toSha256(file)}"`
  const [, first] = /^bytes=(\d+)-$/.exec(headers.range ?? '') ?? []
  const isCurrent = headers['if-range'] === undefined || headers['if-range'] === ETag
  if (first === undefined || !isCurrent) {
    response.writeHead(200, { ETag, 'Content-Length': file.length }).end(file)
    return
  }
  const part = file.subarray(Number(first))
  const range = `bytes ${first}-${file.length - 1}/${file.length}`
  response.writeHead(206, { ETag, 'Content-Length': part.length, 'Content-Range': range }).end(part)
}

/** Announces the whole file, sends this many bytes of it, and closes the connection. */
export const breakOffAfter =
  (bytes: number): Answer =>
  (_request, response, { file }) => {
    response.writeHead(200, { ETag: `"${toSha256(file)}"`, 'Content-Length': file.length })
    response.write(file.subarray(0, bytes), () => response.socket?.end())
  }

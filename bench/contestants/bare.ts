// Baseline: plain node:http that sends prepared responses in a cycle, for any path except `/stream`. The first argument
// is the path of the JSON file with the responses, the second argument the path of the file that `/stream` sends.
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

export interface StoredResponse {
  readonly status: number
  /** Names and values alternate. */
  readonly headers: string[]
  /** In base64. */
  readonly body: string
}

const [, , responsesPath = '', streamPath = ''] = process.argv
const stored = responsesPath === '' ? [] : (JSON.parse(readFileSync(responsesPath, 'utf8')) as StoredResponse[])
const responses = stored.map(({ status, headers, body }) => ({ status, headers, body: Buffer.from(body, 'base64') }))
/** The index of the next response. */
let next = 0

const server = createServer((request, response) => {
  if (request.url === '/stream') {
    response.writeHead(200, ['Content-Type', 'application/json'])
    // A client that disconnects is not an error of the server, so the callback ignores it.
    pipeline(createReadStream(streamPath), response, () => {})
    return
  }
  const prepared = responses[next]
  next = (next + 1) % responses.length
  if (prepared === undefined) throw new Error('There is no response to send')
  response.writeHead(prepared.status, prepared.headers)
  response.end(prepared.body)
})
// start.ts reads the address from this line of output.
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})

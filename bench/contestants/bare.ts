// The runtime's limit: node:http that sends the same bytes and headers as ours, one response after the other from a
// file that is read at start, without looking at the request. `/stream` pipes the file named by the second argument.
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

export interface StoredResponse {
  readonly status: number
  /** Names and values in turn. */
  readonly headers: string[]
  /** In base64. */
  readonly body: string
}

const [, , responseFile = '', streamFile = ''] = process.argv
const stored = responseFile === '' ? [] : (JSON.parse(readFileSync(responseFile, 'utf8')) as StoredResponse[])
const responses = stored.map(({ status, headers, body }) => ({ status, headers, body: Buffer.from(body, 'base64') }))
let next = 0

const server = createServer((request, response) => {
  if (request.url === '/stream') {
    response.writeHead(200, ['Content-Type', 'application/json'])
    pipeline(createReadStream(streamFile), response, () => {})
    return
  }
  const each = responses[next]
  next = (next + 1) % responses.length
  if (each === undefined) throw new Error('there is no response to send')
  response.writeHead(each.status, each.headers)
  response.end(each.body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})

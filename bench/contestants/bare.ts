// The runtime's limit: node:http that answers requests with the same bytes and headers as ours, one answer after the
// other out of a file that is read at start, without looking at what is asked. `/stream` sends the file named by the
// second argument as a stream.
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

const [, , answerFile = '', streamFile = ''] = process.argv
const stored = answerFile === '' ? [] : (JSON.parse(readFileSync(answerFile, 'utf8')) as StoredAnswer[])
const answers = stored.map(({ status, headers, body }) => ({ status, headers, body: Buffer.from(body, 'base64') }))
let next = 0

export interface StoredAnswer {
  readonly status: number
  readonly headers: string[]
  /** In base64. */
  readonly body: string
}

const server = createServer((request, response) => {
  if (request.url === '/stream') {
    response.writeHead(200, ['Content-Type', 'application/json'])
    pipeline(createReadStream(streamFile), response, () => {})
    return
  }
  const answer = answers[next]
  next = (next + 1) % answers.length
  if (answer === undefined) throw new Error('there is no answer to give')
  response.writeHead(answer.status, answer.headers)
  response.end(answer.body)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})

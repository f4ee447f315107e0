// The runtime's limit: node:http that answers every request with the same bytes and headers, read from a file at
// start. `/stream` sends the file named by the second argument as a stream.
import { createReadStream, readFileSync } from 'node:fs'
import { createServer } from 'node:http'
import { pipeline } from 'node:stream'

const [, , answerFile = '', streamFile = ''] = process.argv
const { headers, body, status } = JSON.parse(readFileSync(answerFile, 'utf8')) as {
  status: number
  headers: string[]
  body: string
}
const bytes = Buffer.from(body, 'base64')

const server = createServer((request, response) => {
  if (request.url === '/stream') {
    response.writeHead(200, headers)
    pipeline(createReadStream(streamFile), response, () => {})
    return
  }
  response.writeHead(status, headers)
  response.end(bytes)
})
server.listen(0, '127.0.0.1', () => {
  const address = server.address()
  if (address !== null && typeof address === 'object')
    process.stdout.write(`listening on http://127.0.0.1:${address.port}\n`)
})

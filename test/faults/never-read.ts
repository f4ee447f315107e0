// A process that opens connections, requests a long page on each and never reads: `never-read.ts PORT COUNT`. It sends
// a message when all requests are sent.
import { once } from 'node:events'
import { connect } from 'node:net'

const [port, count] = process.argv.slice(2).map(Number)
for (let n = 0; n < (count ?? 0); n += 250) {
  await Promise.all(
    Array.from({ length: 250 }, async () => {
      const socket = connect(port ?? 0, '127.0.0.1')
      socket.on('error', () => {}).pause()
      await once(socket, 'connect')
      socket.write('GET /registry/record?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n')
    }),
  )
}
process.send?.('requested')
setInterval(() => {}, 1_000)

// A process that opens connections, requests 1,000 records on each and never reads: `never-read.ts PORT COUNT`. COUNT
// is rounded up to a multiple of `batchSize`. The process sends its parent a message when all requests are sent.
import { once } from 'node:events'
import { connect } from 'node:net'

/** Connections that are opened at a time: fewer than the backlog of the service, so that none is refused. */
const batchSize = 250

const [port = 0, count = 0] = process.argv.slice(2).map(Number)
for (let opened = 0; opened < count; opened += batchSize) {
  await Promise.all(
    Array.from({ length: batchSize }, async () => {
      // Other clients have other addresses: one address may have a quarter of the connections.
      const socket = connect({ port, host: '127.0.0.1', localAddress: '127.0.0.2' })
      socket.on('error', () => {}).pause()
      await Promise.race([once(socket, 'connect'), once(socket, 'close')]).catch(() => undefined)
      socket.write('GET /registry/record?limit=1000 HTTP/1.1\r\nHost: a\r\n\r\n')
    }),
  )
}
process.send?.('requested')
// Keeps the process running.
setInterval(() => {}, 1_000)

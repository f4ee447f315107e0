// Two events of a connection that could end the process by an uncaught error. One is a reset after CONNECT, because
// Node leaves the errors of such a connection to the service; it is tested with a service in a process of its own. The
// other is a client with a link-local address, whose zone (`%eth0`) a parser may refuse; it is tested with the
// functions that parse it.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { test } from 'node:test'
import { toAddressName } from '../../src/http/client-address.ts'
import { startServe } from './serve.ts'

/** Node's parser of HTTP/1.1 also accepts other versions in a request line. */
const connectRequests = ['1.1', '2.0', '0.9'].map(
  (version) => `CONNECT example.org:443 HTTP/${version}\r\nHost: a\r\n\r\n`,
)
const recordsRequest = 'GET /registry/record HTTP/1.1\r\nHost: a\r\n\r\n'

test('the process survives clients that reset their connection after CONNECT', async () => {
  await using service = await startServe([{ code: 'A-1' }])
  // CONNECT as the first request, and CONNECT behind another request of the connection.
  for (const bytes of connectRequests.flatMap((connectRequest) => [connectRequest, recordsRequest + connectRequest])) {
    for (let attempt = 0; attempt < 20; attempt++) {
      const socket = connect(service.port, '127.0.0.1')
      await once(socket, 'connect')
      await new Promise((resolve) => socket.write(bytes, resolve))
      socket.resetAndDestroy()
      await once(socket, 'close')
    }
  }
  assert.equal((await fetch(`${service.base}/record/A-1`)).status, 200)
})

test('the zone of a link-local address, such as %eth0, is left out', () => {
  // The name of a client with IPv6 is its network of 64 bits.
  for (const zone of ['', '%eth0', '%eth0.100', '%br-1a2b']) {
    assert.equal(toAddressName(`fe80::1${zone}`), 'fe80:0:0:0::/64')
  }
})

// What `send` needs besides the response, for tests of it alone.
import { stalledReaderMs } from '../../src/http/limits.ts'
import type { Sending } from '../../src/http/send.ts'
import { SendQueues } from '../../src/http/send-queues.ts'

export const sending: Sending = { queues: new SendQueues(Number.POSITIVE_INFINITY, [], () => {}), stalledReaderMs }

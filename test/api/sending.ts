// What `send` needs besides the response, for tests of it alone.
import { stalledReaderMs } from '../../src/api/limits.ts'
import type { Sending } from '../../src/api/send.ts'
import { SendQueues } from '../../src/api/send-queues.ts'

export const sending: Sending = { queues: new SendQueues(Number.POSITIVE_INFINITY, [], () => {}), stalledReaderMs }

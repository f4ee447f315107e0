// The state that all calls of `send` share, without a limit of the send queues, for tests that call it directly.
import { stalledReaderMs } from '../../src/http/limits.ts'
import type { SendContext } from '../../src/http/send.ts'
import { SendQueues } from '../../src/http/send-queues.ts'

export const sending: SendContext = { queues: new SendQueues(Number.POSITIVE_INFINITY, [], () => {}), stalledReaderMs }

// The `SendContext` for tests that use `send` or the send queues without a service. A send queue has the bytes of
// responses that a client has not read yet.
import { stalledReaderMs } from '../../src/http/limits.ts'
import type { SendContext } from '../../src/http/send.ts'
import { SendQueues } from '../../src/http/send-queues.ts'

const processCount = 1
const trustedProxies: never[] = []
const onReset = (): void => {}
/** Send queues without a limit, so that they reset no connection. */
const unlimitedQueues = new SendQueues(Number.POSITIVE_INFINITY, processCount, trustedProxies, onReset)

export const sendContext: SendContext = { queues: unlimitedQueues, stalledReaderMs }

// A request and the place for its answer, whichever way they came.
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { PlainRequest } from './plain-request.ts'
import type { PlainResponse } from './plain-response.ts'

/** The objects of HTTP/2 are made to look like those of HTTP/1.1. */
export type Incoming = IncomingMessage | PlainRequest

export type Outgoing = ServerResponse | PlainResponse

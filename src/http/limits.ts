// Every limit that stands between the service and the open internet, each with its reason. docs/limits.md lists them
// for operators and is tested against this file. Limits on the values of parameters are part of the interface and
// live in schemas.ts.

// ── What a client may send ──

/** The request line and all headers: four times what a browser with cookies sends. Beyond it 431. */
export const headerBytesMax = 16_384

/** Longer than any request that can be answered: three values of 200 letters, each three bytes of three characters. */
export const urlCharactersMax = 8192

/** A client that trickles its headers holds a connection and nothing else; it holds it this long (slowloris). */
export const headersTimeoutMs = 10_000

/** No request has a body worth waiting for, so the whole of it has as long as its headers. */
export const requestTimeoutMs = 10_000

/** How often the two above are looked at: nothing outlives them by more. */
export const connectionsCheckIntervalMs = 500

/** A TLS handshake takes three trips; a client that needs longer is not trying. */
export const tlsHandshakeTimeoutMs = 10_000

// ── What a client may hold ──

/** Longer than proxies keep theirs (60 s), so that it is they who close first and no request meets a closed door. */
export const keepAliveTimeoutMs = 65_000

/** Connections of one process, of about 9 KB each; fewer where the process may open fewer descriptors. */
export const connectionsMax = 20_000

/** Descriptors kept free of connections: the registry, its successor, the log, the admin port. */
export const descriptorsReserved = 32

/** Requests that one HTTP/2 connection may have open: browsers use about as many, RFC 9113 advises no fewer. */
export const http2StreamsMax = 100

/** Headers of one HTTP/2 request; a browser sends about twenty. */
export const http2HeadersMax = 128

/** Faults of one HTTP/2 connection (invalid frames, refused streams) before it is closed. */
export const http2FaultsMax = 100

/**
 * A reader whose connection takes not one more byte for so long is cut off, at the latest after twice as long. The
 * kernel asks for more only once a third of its send queue is free, 1.4 MB of 4 MB; behind a proxy there are two such
 * queues. A reader of 20 KB/s takes 6 MB in this time.
 */
export const stalledReaderMs = 300_000

/** Share of the memory for bytes that wait to be sent, in the kernel too. Beyond it connections are closed. */
export const sendQueueShareMax = 0.125

/** Share of these bytes that the connections of one client address may hold. */
export const sendQueueAddressShareMax = 0.25

/** How often the send queues are measured; also whenever a quarter of what they may hold was handed over. */
export const sendQueueCheckIntervalMs = 1_000

// ── What may be worked on at once, in one process ──

/** Requests that need the registry; those answered from memory do not count. Beyond it 503. */
export const requestsInWorkMax = 1_000

/** Answers too long to hold, on their way to their readers; each holds up to a megabyte. Beyond it 503. */
export const exportsMax = 200

/** A search that has nothing to show for so long is given up with 503; no sound one takes a tenth of it. */
export const firstByteTimeoutMs = 20_000

/** A late event loop means that all wait: while it is later than this, new work is refused with 503. */
export const eventLoopDelayMaxMs = 500

/** So often in a row it must be late: once may be a pause of the machine. */
export const eventLoopDelaysMax = 3

/** How often delay and memory are looked at. */
export const pressureCheckIntervalMs = 250

/** Share of the heap limit beyond which new work is refused, before the collector takes all the time there is. */
export const heapShareMax = 0.9

/** Share of the memory that the control group allows (all workers together), beyond which new work is refused. */
export const memoryShareMax = 0.9

/** What `Retry-After` says with a 503: long enough for a burst to pass, short enough that nobody waits in vain. */
export const retryAfterSeconds = 2

/** Clients whose requests are counted (with --rate-limit), about 100 bytes each; the longest counted are forgotten. */
export const rateLimitClientsMax = 100_000

// ── How the process ends and what it writes ──

/** Requests in flight have so long after SIGTERM, so that the process is gone within ten seconds. */
export const drainDeadlineMs = 9_000

/** A connection that stays idle for so long while the process ends is closed; closing it at once could reset it. */
export const drainIdleMs = 2_000

/** Requests in flight have so long when the first process was killed: nobody waits for this worker any more. */
export const abandonedDeadlineMs = 500

/** A worker that died comes back at once; one that keeps dying waits twice as long each time, up to this. */
export const workerBackOffMaxMs = 10_000

/** A worker that lived this long died of something new, and comes back at once. */
export const workerSettledMs = 5_000

/** A worker has this long to open the registry and listen; then it is ended and counts as dead. */
export const workerStartTimeoutMs = 60_000

/** The admin port waits this long for a worker's report; one that is busier answers the next time. */
export const workerReportTimeoutMs = 1_000

/** A warning that every request could cause is logged once in so long, with how often it was left out since. */
export const logRepeatedMs = 1_000

/** A text in the log, such as the message of an error that quotes what it was given. */
export const logTextCharactersMax = 1_000

// All limits of the HTTP layer and of the processes, each with its reason. With several `--workers` the service is a
// primary process and the workers, which answer requests. docs/limits.md lists the limits for operators,
// and a test compares it with this file. The limits on parameter values are in src/api/parameter-schemas.ts.

// ── What a client may send ──

/** Request line and all headers, four times what a browser with cookies sends; above it the response is 431. */
export const headerBytesMax = 16_384

/**
 * Headers of a request; a browser sends about twenty. Many short headers take far more memory than their bytes, so a
 * client could fill the memory with requests that never end.
 */
export const headersMax = 128

/**
 * Longer than any real request: the longest `search` has 500 letters, and a percent-encoded letter has up to nine
 * characters (`%E2%82%AC`), so it is 4,500 characters long.
 */
export const urlCharactersMax = 8192

/** Time for a client to send its headers, against slowloris attacks. */
export const headersTimeoutMs = 10_000

/**
 * Time for a whole request. It equals the time for the headers, because only MCP (Model Context Protocol) needs a body,
 * and a short one.
 */
export const requestTimeoutMs = 10_000

/** Time in which a client must take the response to a malformed request and close the connection. */
export const lastResponseMs = 2_000

/**
 * Time for the body of a request to MCP, after its headers. With HTTP/2 there is no other time limit. With HTTP/1.1
 * this one usually comes first, because it is shorter than `requestTimeoutMs`.
 */
export const bodyTimeoutMs = 8_000

/** Interval at which `headersTimeoutMs` and `requestTimeoutMs` are checked. */
export const connectionsCheckIntervalMs = 500

/** Time for a TLS handshake, which takes one round trip (TLS 1.3) or two (TLS 1.2). */
export const tlsHandshakeTimeoutMs = 10_000

// ── What a client may hold ──

/** Longer than proxies keep idle connections (60 s), so that the proxy closes first and no request is lost. */
export const keepAliveTimeoutMs = 65_000

/** Connections of one process; fewer if it may open fewer descriptors or has little memory. */
export const connectionsMax = 20_000

/** Share of the memory limit that idle connections may use. With little memory there are fewer connections. */
export const connectionsMemoryShareMax = 0.25

/** Memory of an idle connection without TLS: 9 KB in the process, and some in the kernel. */
export const connectionBytes = 16_384

/** Memory of an idle connection with TLS: 60 KB were measured. */
export const tlsConnectionBytes = 65_536

/**
 * Share of the connections that is kept free for new ones: when only these are free, idle connections are closed, first
 * those of the client address with most connections. Otherwise one client could take all of them.
 */
export const connectionsShareReserved = 0.125

/** Descriptors that connections may not use: for the current and the next snapshot, the log and the admin port. */
export const descriptorsReserved = 32

/**
 * Requests of one connection that wait for their turn, pipelined ones for example. Above it no more requests are read
 * until fewer than half as many wait; a session of HTTP/2 is closed, because it exceeds `http2StreamsMax`.
 */
export const requestsWaitingMax = 100

/** Concurrent requests of one HTTP/2 connection; RFC 9113 recommends at least 100. */
export const http2StreamsMax = 100

/** Errors of one HTTP/2 connection (invalid frames, refused streams) before it is closed. */
export const http2FaultsMax = 100

/**
 * A connection that accepts no byte for this long is closed. Progress is checked once in this time, so closing takes
 * up to twice as long. A slow reader shows no progress until a third of the kernel's send queue is free (1.4 MB of
 * 4 MB), and behind a proxy until a third of two queues is (2.8 MB). A client that reads 20 KB/s reads 6 MB in this
 * time, so its connection stays open.
 */
export const stalledReaderMs = 300_000

/**
 * Share of the memory limit of the process that send queues may use, in the process and in the kernel. Above it
 * connections are closed.
 */
export const sendQueueShareMax = 0.125

/** Share of the limit of `sendQueueShareMax` that the connections of one client address may use. */
export const sendQueueAddressShareMax = 0.25

/**
 * Counted in the send queues for each exchange (a request and its response) whose request waits or whose response is
 * not written yet, in addition to the body of the response. It covers the memory of Node's objects: about 13 KB for a
 * stream of HTTP/2, and 8 KB for HTTP/1.1.
 */
export const queuedExchangeBytes = 16_384

/** Interval at which send queues are measured. They are measured early when a quarter of their limit was queued. */
export const sendQueueCheckIntervalMs = 1_000

// ── What one process works on at a time ──

/** Requests in progress in the router or in MCP; cached responses do not count. Above it the response is 503. */
export const requestsInWorkMax = 1_000

/**
 * Requests to MCP whose body is being read, each with up to 64 KB of memory. Above it the response is 503. They do not
 * count for `requestsInWorkMax`, so that clients that do not finish their bodies leave other requests their places.
 */
export const bodiesMax = 1_000

/** Streamed responses, each with a megabyte of memory, or three if it is compressed. Above it the response is 503. */
export const exportsMax = 200

/**
 * Share of `requestsInWorkMax`, `bodiesMax` and `exportsMax` that one client may use. So a client leaves places to
 * other clients even if it has many slow searches, does not read its responses or does not finish its bodies. If few
 * connections are free, a client with more than this share of `connectionsMax` can even lose connections that are in
 * use (connection-limit.ts).
 */
export const clientShareMax = 0.25

/** Time for a search to find its first record; then the response is 503. A normal search takes far less. */
export const firstByteTimeoutMs = 20_000

/** Whole bodies compressed at a time, each in a few megabytes of memory: as many as Node's thread pool has threads. */
export const compressionsMax = 4

/**
 * Bytes of the bodies that wait for compression: what one core compresses in about a second. Further bodies are sent
 * uncompressed.
 */
export const compressionQueueBytesMax = 16_777_216

/**
 * Requests are started for this long in one iteration of the event loop; further requests wait for the next iteration.
 * To start a request usually takes less than a millisecond: then it is answered, or its search lets other requests run.
 */
export const requestTurnMs = 10

/**
 * A check (see `pressureCheckIntervalMs`) counts as delayed if it runs more than this too late, or if a request has
 * waited longer than this to be started. It does not count if the process has used the processor for half of the time
 * or less (overload-monitor.ts).
 */
export const eventLoopDelayMaxMs = 500

/** Consecutive delayed checks after which new work is refused with 503: one may be a pause of the machine. */
export const eventLoopDelaysMax = 3

/** Interval at which event-loop delay and memory are checked. */
export const pressureCheckIntervalMs = 250

/** Share of the heap limit above which new work is refused, before garbage collection takes all the time. */
export const heapShareMax = 0.9

/** A process refuses new work when it uses more than this part of its equal share of the memory limit. */
export const memoryShareMax = 0.9

/** `Retry-After` of a 503: long enough for a burst to pass. */
export const retryAfterSeconds = 2

/** Clients that --rate-limit counts, about 100 bytes each; above it the oldest counts are dropped. */
export const rateLimitClientsMax = 100_000

// ── How the process ends and what it writes ──

/** Time for requests in progress after SIGTERM. It leaves one second of the ten within which the process ends. */
export const drainDeadlineMs = 9_000

/**
 * Interval at which idle connections are closed while the process ends. Closing them at once could reset a request that
 * is on its way.
 */
export const drainIdleMs = 2_000

/** Longest delay before a worker that keeps dying is restarted. The delay doubles each time. */
export const workerBackOffMaxMs = 10_000

/** A worker that dies is restarted without a delay if it ran for this long. */
export const workerSettledMs = 5_000

/** Time for a worker to open the registry and listen; then it is killed and restarted. */
export const workerStartTimeoutMs = 60_000

/** Interval at which a worker tells the primary that its event loop runs. */
export const heartbeatIntervalMs = 500

/** A worker that misses this number of heartbeats is killed, after 3 s; its successor serves within 5 s. */
export const heartbeatsMissedMax = 6

/** Time for a worker to answer the primary: then its metrics are missing. Time for the primary to count a request. */
export const workerAnswerTimeoutMs = 1_000

/** A repeated warning is logged once in this time, with the number of suppressed warnings. */
export const logRepeatedMs = 1_000

/** Longer texts in the log are truncated, because errors quote input. */
export const logTextCharactersMax = 1_000

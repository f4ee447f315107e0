// All limits of requests and of processes, each with its reason. With several `--workers` the service is a
// primary process and the workers, which answer requests. docs/settings.md lists the limits for operators, and a test
// compares it with this file. The limits on parameter values are in src/domain/query-limits.ts.

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

/** Interval at which `headersTimeoutMs` and `requestTimeoutMs` are checked. */
export const connectionsCheckIntervalMs = 500

/** Time for a TLS handshake, which takes one round trip (TLS 1.3) or two (TLS 1.2). */
export const tlsHandshakeTimeoutMs = 10_000

// ── What a client may hold ──

/** Longer than proxies keep idle connections (60 s), so that the proxy closes first and no request is lost. */
export const keepAliveTimeoutMs = 65_000

/** Connections of one process; fewer if it may open fewer descriptors or has little memory. */
export const connectionsMax = 20_000

/** Share of the memory limit that connections may use. With little memory there are fewer connections. */
export const connectionsMemoryShareMax = 0.4

/** Memory of a connection whose client does not read: an answer of 0.3 MB lies in buffers of the kernel. */
export const connectionBytes = 314_572

/** Descriptors that connections may not use: for the current and the next snapshot, the log and the admin port. */
export const descriptorsReserved = 32

/** Share of the connections, searches and exports that one client may use, so that it leaves some to other clients. */
export const clientShareMax = 0.25

/** Concurrent requests of one HTTP/2 connection; RFC 9113 recommends at least 100. */
export const http2StreamsMax = 100

/** Errors of one HTTP/2 connection (invalid frames, refused streams) before it is closed. */
export const http2FaultsMax = 100

/**
 * A connection that takes no byte for this long is closed. A client that reads 20 KB/s shows progress every 70 s: the
 * kernel asks for more when a third of its buffer (4 MB) is free.
 */
export const stalledMs = 75_000

/** Interval at which `stalledMs` is checked. */
export const stalledCheckIntervalMs = 5_000

// ── What one process works on at a time ──

/** Requests in progress that may search; cached responses do not count. Above it the response is 503. */
export const searchesMax = 1_000

/** Streamed responses, each with a megabyte of memory, or three if it is compressed. Above it the response is 503. */
export const exportsMax = 200

/** Time for a search to find its first record; then the response is 503. A normal search takes far less. */
export const firstByteTimeoutMs = 20_000

/** Whole bodies compressed at a time, each in a few megabytes of memory. Further bodies are sent uncompressed. */
export const compressionsMax = 16

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

/**
 * A worker that misses this number of heartbeats is killed, after 7 s; its successor serves within 10 s. A worker that
 * waits for a processor on a busy machine gets this time.
 */
export const heartbeatsMissedMax = 14

/** Time for a worker to answer the primary: then its metrics are missing. Time for the primary to count a request. */
export const workerAnswerTimeoutMs = 1_000

/** A repeated warning is logged once in this time, with the number of suppressed warnings. */
export const logRepeatedMs = 1_000

/** Longer texts in the log are truncated, because errors quote input. */
export const logTextCharactersMax = 1_000

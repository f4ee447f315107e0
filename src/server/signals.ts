// The signals that end `serve`, for one process (serve.ts) and for the supervisor (cluster.ts).

/**
 * Resolves on SIGTERM or SIGINT. Further SIGTERMs are ignored; a second SIGINT (Ctrl-C) ends the process at once,
 * because its handler is removed.
 */
export function waitForTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

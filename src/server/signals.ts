// The signals that end a process.

/** SIGTERM, or Ctrl-C at a terminal. A second SIGTERM changes nothing; a second Ctrl-C ends the process at once. */
export function whenToldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

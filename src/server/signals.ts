// The signals that end a process.

/** SIGTERM, or Ctrl-C at a terminal. */
export function whenToldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.once('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

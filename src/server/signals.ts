// The signals that end a process.

/** SIGTERM, which once more changes nothing, or Ctrl-C at a terminal, which the second time ends the process at once. */
export function whenToldToEnd(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    process.once('SIGINT', () => resolve())
  })
}

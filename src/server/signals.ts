// The signals that `serve` handles, for one process (serve.ts) and for the supervisor (cluster.ts).

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

/** The signals by which an operator changes a running service. */
export interface OperatorSignals {
  /** Sets what SIGHUP does. */
  readonly onReload: (reload: () => void) => void
  /** Sets what SIGUSR2 does. */
  readonly onRestart: (restart: () => void) => void
}

/** Keeps SIGHUP and SIGUSR2 from now on until their handlers are set. By default they end a process that starts. */
export function keepSignals(): OperatorSignals {
  return { onReload: keepSignal('SIGHUP'), onRestart: keepSignal('SIGUSR2') }
}

/** Returns the function that sets the handler. It calls the handler if the signal has arrived before. */
function keepSignal(signal: NodeJS.Signals): (handler: () => void) => void {
  let hasArrived = false
  let handle = (): void => {
    hasArrived = true
  }
  process.on(signal, () => handle())
  return (handler) => {
    handle = handler
    if (hasArrived) handler()
  }
}

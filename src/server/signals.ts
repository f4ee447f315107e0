// The signals of `serve`. serve.ts handles them; a worker (worker.ts) uses only `deferOperatorSignals`.

/** A SIGINT this soon after the first is the same Ctrl-C: the terminal and bin/planning-registry.js both send it. */
const repeatedSignalMs = 1000

/**
 * Resolves on SIGTERM or SIGINT. Further SIGTERMs are ignored. A second Ctrl-C (SIGINT), later than `repeatedSignalMs`,
 * ends the process at once.
 */
export function waitForTermination(): Promise<void> {
  return new Promise((resolve) => {
    process.on('SIGTERM', () => resolve())
    const onInterrupt = (): void => {
      resolve()
      // Without a handler, SIGINT ends the process.
      setTimeout(() => process.off('SIGINT', onInterrupt), repeatedSignalMs).unref()
    }
    process.on('SIGINT', onInterrupt)
  })
}

/** The signals by which an operator changes a running service. */
export interface OperatorSignals {
  /** Sets what SIGHUP does. */
  readonly onReload: (reload: () => void) => void
  /** Sets what SIGUSR2 does. */
  readonly onRestart: (restart: () => void) => void
}

/**
 * By default SIGHUP and SIGUSR2 end the process; from now on they do not. A signal that arrives before its handler is
 * set is handled as soon as the handler is set.
 */
export function deferOperatorSignals(): OperatorSignals {
  return { onReload: deferSignal('SIGHUP'), onRestart: deferSignal('SIGUSR2') }
}

/** Returns a function that sets the handler, and calls the handler at once if the signal has already arrived. */
function deferSignal(signal: NodeJS.Signals): (handler: () => void) => void {
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

// A worker process: serves requests until the supervisor sends SIGTERM or dies. The supervisor starts it with an IPC
// channel (messages.ts) and a bound socket as a descriptor. The arguments are the number of the worker, whether it
// verifies the checksums of the registry, the language of its messages, and the flags of `serve`.

import { flushCompileCache } from 'node:module'
import { parseInvocation } from '../cli/config.ts'
import { drainDeadlineMs, heartbeatIntervalMs, orphanedDeadlineMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import { setLanguage } from '../language.ts'
import { StoreUnreachable } from '../snapshot/contract.ts'
import type { FromWorker } from './messages.ts'
import { isToWorker, skipVerificationArgument } from './messages.ts'
import type { ServiceProcess } from './service-process.ts'
import { startProcess } from './service-process.ts'
import { parseServeSettings } from './settings.ts'
import { SharedQuota } from './shared-quota.ts'
import { deferOperatorSignals } from './signals.ts'

/** Descriptor of the bound socket, see `stdio` in supervisor.ts. */
const socketDescriptor = 4

await runWorker()

/** Resolves when the worker has finished. */
async function runWorker(): Promise<void> {
  const [workerNumber = '0', verificationArgument = '', language, ...flags] = process.argv.slice(2)
  setLanguage(language === 'es' ? 'es' : 'en')
  const settings = parseServeSettings(parseInvocation('serve', flags))
  const log = openLog(settings.logLevel, { worker: Number(workerNumber) })
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error, the process ends'))
  // Ctrl-C reaches every process of the terminal; the supervisor then sends SIGTERM.
  process.on('SIGINT', () => {})
  // Catches SIGHUP and SIGUSR2 and holds them until they get a handler. SIGHUP, which also reaches every process when
  // the terminal is closed, gets its handler below. SIGUSR2 is for the supervisor: it gets none here and has no effect.
  const { onReload } = deferOperatorSignals()
  const termination = new Promise<void>((resolve) => process.on('SIGTERM', () => resolve()))
  // The channel closes when the supervisor dies, perhaps while this process was loading its modules. The worker then
  // ends itself.
  const supervisorDeath = new Promise<void>((resolve) => {
    process.once('disconnect', () => resolve())
    if (!process.connected) resolve()
  })
  /** Sends the message, and waits until it is sent or the supervisor has died. */
  const sendUnlessOrphaned = (message: FromWorker): Promise<void> => Promise.race([send(message), supervisorDeath])
  try {
    const { rateLimit } = settings
    // The supervisor counts the requests of all workers: `count` asks it by message, and `handleMessages` passes on its
    // replies.
    const quota = rateLimit === undefined ? undefined : new SharedQuota(rateLimit, send)
    const service = await startProcess(settings, log, {
      socketDescriptor,
      skipsVerification: verificationArgument === skipVerificationArgument,
      countRequests: quota?.count,
    })
    // A fault at the start may be printed, in the language of the command line. From here on faults of the registry are
    // logged, and the log is in English.
    setLanguage('en')
    onReload(service.reload)
    handleMessages(service, quota, log)
    await sendUnlessOrphaned({ kind: 'listening', address: service.address })
    const sendHeartbeat = (): void => void send({ kind: 'heartbeat', isReady: service.isReady() })
    const heartbeatTimer = setInterval(sendHeartbeat, heartbeatIntervalMs)
    // If Node has a compile cache (NODE_COMPILE_CACHE), it writes it at exit. A worker that is killed would never write
    // it, so it is also written now that the modules are loaded.
    flushCompileCache()
    // If the supervisor dies, even during the drain below, this drain closes the open connections after a shorter time.
    void supervisorDeath.then(() => service.drain(orphanedDeadlineMs))
    try {
      await Promise.race([termination, supervisorDeath])
    } finally {
      // If both drains run, both resolve when all connections are closed.
      await service.drain(drainDeadlineMs)
      clearInterval(heartbeatTimer)
      // The last report, so that the supervisor can keep the counters of this worker.
      await sendUnlessOrphaned(await toReportMessage(service))
      await service.close()
    }
  } catch (error) {
    // As after an error that main.ts reports.
    process.exitCode = 2
    const reason = error instanceof Error ? error.message : String(error)
    await sendUnlessOrphaned({ kind: 'fault', reason, isUnreachable: error instanceof StoreUnreachable })
  }
  if (process.connected) process.disconnect?.()
}

/** Handles the messages of the supervisor. */
function handleMessages(service: ServiceProcess, quota: SharedQuota | undefined, log: Log): void {
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    switch (message.kind) {
      case 'close':
        // When the service ends, every worker gets this message and stops accepting before any gets SIGTERM.
        void service.stopAccepting().then(() => send({ kind: 'closed' }))
        break
      case 'quota':
        quota?.receive(message.id, message.quota)
        break
      case 'report':
        toReportMessage(service).then(send, (error: unknown) => log.error({ err: error }, 'report not sent'))
        break
    }
  })
}

async function toReportMessage({ metrics }: ServiceProcess): Promise<FromWorker> {
  return { kind: 'report', metrics: (await metrics?.getMetricsAsJSON()) ?? [] }
}

/** Resolves when the message to the supervisor has been sent, or at once if the supervisor has died before. */
async function send(message: FromWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected && process.send !== undefined) process.send(message, () => resolve())
    else resolve()
  })
}

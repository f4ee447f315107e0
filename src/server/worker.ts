// A worker process: serves requests until the supervisor sends SIGTERM or dies. The supervisor starts it with an IPC
// channel (messages.ts) and a bound socket as a descriptor. The arguments are the number of the worker, the language of
// its messages, and the flags of `serve`.

import { flushCompileCache } from 'node:module'
import { parseInvocation } from '../cli/config.ts'
import { drainDeadlineMs, heartbeatIntervalMs, orphanedDeadlineMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import { setLanguage } from '../language.ts'
import { StoreUnreachable } from '../registry/contract.ts'
import type { FromWorker } from './messages.ts'
import { isToWorker } from './messages.ts'
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
  const [workerNumber = '0', language, ...flags] = process.argv.slice(2)
  setLanguage(language === 'es' ? 'es' : 'en')
  const settings = parseServeSettings(parseInvocation('serve', flags))
  const log = openLog(settings.logLevel, { worker: Number(workerNumber) })
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'uncaught error, the process ends'))
  // Ctrl-C reaches every process of the terminal; the supervisor then sends SIGTERM.
  process.on('SIGINT', () => {})
  // SIGHUP, which also reaches every process when the terminal is closed, waits for `onReload` below. SIGUSR2 is for
  // the supervisor: without a handler it has no effect here.
  const { onReload } = deferOperatorSignals()
  const termination = new Promise<void>((resolve) => process.on('SIGTERM', () => resolve()))
  // The channel closes when the supervisor dies, perhaps while this process was loading its modules. The worker then
  // ends itself.
  const supervisorDeath = new Promise<void>((resolve) => {
    process.once('disconnect', () => resolve())
    if (!process.connected) resolve()
  })
  try {
    const { rateLimit } = settings
    // The supervisor counts the requests of all workers: `count` asks it by message, and `handleMessages` passes on its
    // replies.
    const quota = rateLimit === undefined ? undefined : new SharedQuota(rateLimit, send)
    const service = await startProcess(settings, log, {
      socketDescriptor,
      countRequests: quota?.count,
    })
    // A fault at the start may be printed, in the language of the command line. From here on faults of the registry are
    // logged, and the log is in English.
    setLanguage('en')
    onReload(service.reload)
    handleMessages(service, quota, log)
    await serveUntilEnd(service, termination, supervisorDeath)
  } catch (error) {
    // As after an error that main.ts reports.
    process.exitCode = 2
    const reason = error instanceof Error ? error.message : String(error)
    const fault: FromWorker = { kind: 'fault', reason, isUnreachable: error instanceof StoreUnreachable }
    await Promise.race([send(fault), supervisorDeath])
  }
  if (process.connected) process.disconnect?.()
}

/** Serves until SIGTERM or the death of the supervisor, and then drains the connections. */
async function serveUntilEnd(
  service: ServiceProcess,
  termination: Promise<void>,
  supervisorDeath: Promise<void>,
): Promise<void> {
  await Promise.race([send({ kind: 'listening', address: service.address }), supervisorDeath])
  const sendHeartbeat = (): void => void send({ kind: 'heartbeat', isReady: service.isReady() })
  const heartbeatTimer = setInterval(sendHeartbeat, heartbeatIntervalMs)
  // If Node has a compile cache (NODE_COMPILE_CACHE), it writes it at exit. A worker that is killed would never write
  // it, so it is also written now that the modules are loaded.
  flushCompileCache()
  // The supervisor may die at any time, even during the drain below. Both drains resolve when all connections are
  // closed, and the shorter deadline counts.
  void supervisorDeath.then(() => service.drain(orphanedDeadlineMs))
  await Promise.race([termination, supervisorDeath])
  await service.drain(drainDeadlineMs)
  clearInterval(heartbeatTimer)
  // The last report, so that the supervisor can keep the counters of this worker.
  await Promise.race([send(await toReportMessage(service)), supervisorDeath])
  await service.close()
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

/**
 * Resolves when the message to the supervisor has been sent, or at once if the supervisor has died before. If it dies
 * meanwhile, the promise may never resolve.
 */
async function send(message: FromWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected && process.send !== undefined) process.send(message, () => resolve())
    else resolve()
  })
}

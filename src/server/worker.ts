// One worker among several: what the child processes do that crew.ts starts, with the number of the worker and the
// flags of `serve` as arguments, the channel to the first process and a bound socket as descriptors.

import { parseInvocation } from '../cli/config.ts'
import { abandonedDeadlineMs, drainDeadlineMs } from '../http/limits.ts'
import type { Log } from '../http/log.ts'
import { openLog } from '../http/log.ts'
import type { FromWorker } from './messages.ts'
import { isToWorker } from './messages.ts'
import type { AnsweringProcess } from './service-process.ts'
import { startProcess } from './service-process.ts'
import { parseServeSettings } from './settings.ts'

/** Where workers.ts puts the socket among the descriptors of the child. */
const socketDescriptor = 4

/** How often workers tell each other what they counted: a client gains no more than what it can send in between. */
const countsIntervalMs = 200

/** `whenListening` runs once it takes requests, `whenAbandoned` at the end where the first process is gone. */
export async function runWorker(whenListening: () => void, whenAbandoned: () => void): Promise<void> {
  const [number = '0', ...flags] = process.argv.slice(2)
  const settings = parseServeSettings(parseInvocation('serve', flags))
  const log = openLog(settings.logLevel, { worker: Number(number) })
  process.on('uncaughtExceptionMonitor', (error) => log.fatal({ err: error }, 'ending on an error of the service'))
  // Ctrl-C at a terminal reaches every process; the first one says when to end.
  process.on('SIGINT', () => {})
  const told = new Promise<void>((resolve) => process.on('SIGTERM', () => resolve()))
  // Without the first process nobody would ever end this one.
  const abandoned = new Promise<void>((resolve) => process.once('disconnect', () => resolve()))
  const say = (message: FromWorker): Promise<void> => Promise.race([tell(message), abandoned])
  try {
    const answering = await startProcess(settings, log, socketDescriptor)
    const counting = shareCounts(answering)
    heed(answering, log)
    await say({ kind: 'listening', address: answering.address })
    whenListening()
    void abandoned.then(() => answering.drain(abandonedDeadlineMs))
    try {
      await Promise.race([told, abandoned])
    } finally {
      await answering.drain(drainDeadlineMs)
      clearInterval(counting)
      await say(await toReport(answering))
      await answering.close()
    }
  } catch (error) {
    process.exitCode = 2
    await say({ kind: 'fault', message: error instanceof Error ? error.message : String(error) })
  }
  if (process.connected) process.disconnect?.()
  else whenAbandoned()
}

function heed(answering: AnsweringProcess, log: Log): void {
  process.on('SIGHUP', answering.reload)
  process.on('message', (message: unknown) => {
    if (!isToWorker(message)) return
    switch (message.kind) {
      case 'close':
        void answering.stopAccepting().then(() => tell({ kind: 'closed' }))
        break
      case 'counts':
        answering.limiter?.addCounts(message.counts, performance.now())
        break
      case 'report':
        toReport(answering).then(tell, (error: unknown) => log.error({ err: error }, 'no report'))
        break
    }
  })
}

function shareCounts({ limiter }: AnsweringProcess): NodeJS.Timeout | undefined {
  if (limiter === undefined) return undefined
  const share = (): void => {
    const counts = limiter.takeCounts()
    if (counts.length > 0) void tell({ kind: 'counts', counts })
  }
  return setInterval(share, countsIntervalMs).unref()
}

async function toReport({ isReady, metrics }: AnsweringProcess): Promise<FromWorker> {
  return { kind: 'report', report: { isReady: isReady(), metrics: (await metrics?.getMetricsAsJSON()) ?? [] } }
}

/** Resolves in any case: a first process that is gone is told nothing, and notices nothing. */
async function tell(message: FromWorker): Promise<void> {
  await new Promise<void>((resolve) => {
    if (process.connected && process.send !== undefined) process.send(message, () => resolve())
    else resolve()
  })
}

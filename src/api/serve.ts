// `serve`: the process around the service. Opens the registry, listens, heeds signals, and ends when told to.
import type { Invocation } from '../config.ts'
import { openStore } from '../store/open.ts'
import { buildService } from './app.ts'
import { listen } from './listen.ts'
import { openLog } from './log.ts'
import { parseServeSettings } from './settings.ts'

/** How long requests in flight have to end after SIGTERM. */
const drainDeadlineMs = 10_000

/** `prepare` runs once the settings are known to be sound, before the registry is opened. */
export async function serve(invocation: Invocation, prepare: () => Promise<void>): Promise<number> {
  const settings = parseServeSettings(invocation)
  const log = openLog(settings.logLevel)
  await prepare()
  const store = await openStore(settings.database)
  try {
    const service = await buildService({ store, settings, log })
    const listener = await listen(service, settings)
    process.on('SIGHUP', () => {
      try {
        listener.reloadCertificate()
      } catch (error) {
        log.error({ err: error }, 'certificate not reread, the old one stays')
      }
      store.refresh().catch((error: unknown) => log.error({ err: error }, 'registry not reopened, the old one stays'))
    })
    process.stdout.write(`listening on ${listener.address}\n`)
    await new Promise<void>((resolve) => {
      process.once('SIGTERM', resolve)
      process.once('SIGINT', resolve)
    })
    await listener.drain(drainDeadlineMs)
    await service.close()
    return 0
  } finally {
    await store.close()
  }
}

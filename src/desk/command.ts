// The command `planning-registry desk`: a page on this computer alone with which an office publishes its registry without
// a terminal. It listens on 127.0.0.1, opens the browser, and ends with the button of the page or a signal.
import { spawn } from 'node:child_process'
import { mkdtemp } from 'node:fs/promises'
import type { RequestListener } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { printText } from '../cli/output.ts'
import { listen } from '../http/listen.ts'
import { openLog } from '../http/log.ts'
import { buildDesk } from './application.ts'
import { Folders } from './folders.ts'
import { entrancePath, Guard } from './guard.ts'
import { say } from './say.ts'
import { DeskState } from './state.ts'

/** For how long the last page may be read after the desk has ended. */
const drainMs = 1000

/** Returns the exit status when the desk has ended. Throws `UsageFault` for wrong usage. */
export async function runDesk(invocation: Invocation): Promise<number> {
  const [folder, ...others] = invocation.positionals
  if (others.length > 0) throw new UsageFault(say('Indique una sola carpeta', 'Cannot open several folders: give one'))
  const folders = new Folders(folder)
  const log = openLog('error')
  const state = new DeskState(folders, await mkdtemp(join(tmpdir(), 'planning-registry-desk-')), log)
  const { promise: ended, resolve: end } = Promise.withResolvers<void>()
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => end())
  // The guard needs the port, which is known once the server listens.
  let handle: RequestListener = (_, response) => void response.writeHead(503).end()
  const settings = {
    host: '127.0.0.1',
    port: 0,
    basePath: '',
    publicUrl: undefined,
    isSecure: false,
    certificate: undefined,
  }
  try {
    const listener = await listen({ handle: (request, response) => handle(request, response) }, settings, log)
    const guard = new Guard(listener.port)
    handle = buildDesk(state, guard, log, end)
    const address = `http://127.0.0.1:${listener.port}${entrancePath}?token=${guard.token}`
    await printText(
      say(
        `El asistente está abierto en esta dirección, que sirve una sola vez:\n${address}\nCierre esta ventana, o pulse Ctrl+C, para terminar.\n`,
        `The desk is open at this address, which works once:\n${address}\nClose this window, or press Ctrl+C, to end.\n`,
      ),
    )
    if (!invocation.isEnabled('no-browser')) openBrowser(address)
    await ended
    await listener.drain(drainMs)
  } finally {
    await state.close()
  }
  return 0
}

/** Opens the address in the browser of the user, if the system knows how; the address is printed in any case. */
function openBrowser(address: string): void {
  const [command, ...args] = openers[process.platform] ?? ['xdg-open']
  const child = spawn(command ?? '', [...args, address], { detached: true, stdio: 'ignore' })
  child.on('error', () => {})
  child.unref()
}

const openers: Partial<Record<NodeJS.Platform, readonly string[]>> = {
  win32: ['rundll32', 'url.dll,FileProtocolHandler'],
  darwin: ['open'],
}

// Tells systemd the state of the service (`Type=notify`). Node has no Unix datagram sockets, so the message is sent by
// `systemd-notify`, which is part of systemd. The unit needs `NotifyAccess=all`, because the sender is a child process.
import { execFile } from 'node:child_process'
import { promisify } from 'node:util'
import { hasNotifySocket } from '../cli/config.ts'
import type { Log } from '../http/log.ts'

/** Assignments of sd_notify(3). */
export type ServiceState = 'READY=1' | 'STOPPING=1'

/** Does nothing if systemd did not start the process. A failure is logged: the service itself can still run. */
export async function notifySystemd(state: ServiceState, log: Log): Promise<void> {
  if (!hasNotifySocket()) return
  try {
    await promisify(execFile)('systemd-notify', [state])
  } catch (error) {
    log.warn({ err: error, state }, 'systemd was not notified')
  }
}

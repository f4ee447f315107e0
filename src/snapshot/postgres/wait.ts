// Waits for PostgreSQL at the start of the service, which may start before its database.
import { setTimeout as pause } from 'node:timers/promises'
import { inEnglish } from '../../language.ts'
import { parseAddress } from './address.ts'
import { Hosts } from './hosts.ts'

/** Pause between two attempts to reach the hosts. */
const attemptIntervalMs = 1000

/**
 * Resolves when a host is up. Also resolves when a host refuses for a lasting reason, such as a wrong password: the
 * caller opens the registry next, which fails with that reason. `onWaiting` is called with the reasons of all hosts, at
 * first and when they change. They are in English, because they are logged.
 */
export async function waitForHost(url: string, onWaiting: (reasons: string) => void): Promise<void> {
  const hosts = new Hosts(parseAddress(url), () => {})
  let lastReasons = ''
  try {
    for (;;) {
      await hosts.probe()
      if (hosts.all.some(({ state }) => state.kind === 'up' || state.hasRefused)) return
      const reasons = inEnglish(() => hosts.downReasons)
      if (reasons !== lastReasons) onWaiting(reasons)
      lastReasons = reasons
      await pause(attemptIntervalMs)
    }
  } finally {
    await hosts.close()
  }
}

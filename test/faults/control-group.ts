// A control group of Linux with a memory limit, like the one that the systemd unit gives the service. Linux enforces it
// only if the tests run as root.
import { mkdirSync, readFileSync, rmdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'

/** `using` removes the group, in which no process may run any more. */
export interface ControlGroup extends Disposable {
  /** Whether Linux enforces the limit. If not, the service reads the limit and keeps to it by itself. */
  readonly isEnforced: boolean
  /** The command and arguments that start a program in the group. */
  readonly wrapper: readonly string[]
  /** The number of processes that Linux has killed because the group had no memory left (out-of-memory kills). */
  readonly countOomKills: () => number
}

/** Version 2 and version 1 of the interface: the folder of all groups, and two files of a group. */
const versions = [
  { root: '/sys/fs/cgroup', limit: 'memory.max', events: 'memory.events' },
  { root: '/sys/fs/cgroup/memory', limit: 'memory.limit_in_bytes', events: 'memory.oom_control' },
]

/** Creates a group with this limit. If that is not possible, the limit is set without being enforced (`isEnforced`). */
export function createControlGroup(name: string, limitBytes: number): ControlGroup {
  for (const { root, limit, events } of versions) {
    const folder = join(root, name)
    try {
      mkdirSync(folder)
    } catch {
      continue
    }
    try {
      // `r+` does not create the file, which exists only if the group has a memory controller.
      writeFileSync(join(folder, limit), String(limitBytes), { flag: 'r+' })
    } catch {
      rmdirSync(folder)
      continue
    }
    return {
      isEnforced: true,
      // The last `sh` is $0. The program and its arguments follow it as "$@".
      wrapper: ['sh', '-c', `echo $$ >${folder}/cgroup.procs && exec "$@"`, 'sh'],
      countOomKills: () => Number(/^oom_kill (\d+)$/m.exec(readFileSync(join(folder, events), 'utf8'))?.[1]),
      [Symbol.dispose]: () => rmdirSync(folder),
    }
  }
  return {
    isEnforced: false,
    // Linux ignores the resource limit on resident memory, but the service reads it.
    wrapper: ['prlimit', `--rss=${limitBytes}`],
    countOomKills: () => 0,
    [Symbol.dispose]: () => undefined,
  }
}

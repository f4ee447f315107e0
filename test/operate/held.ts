// Which process has which connection to the service open, by what the system says of both (Linux).
import { readdirSync, readFileSync, readlinkSync } from 'node:fs'
import type { Socket } from 'node:net'
import type { ServeProcess } from './serve.ts'

/** The connections to the service that a process has open, by the ports that their clients have. */
export function readHeld({ port }: ServeProcess, pid: number = 0): number[] {
  const sockets = new Set(readdirSync(`/proc/${pid}/fd`).map((name) => readTarget(`/proc/${pid}/fd/${name}`)))
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => line.trim().split(/ +/))
    .filter(([, local, , , , , , , , inode]) => toPort(local) === port && sockets.has(`socket:[${inode}]`))
    .map(([, , remote]) => toPort(remote))
    .filter((remote) => remote !== 0)
}

export function isHeld(serve: ServeProcess, client: Socket, pid: number | undefined): boolean {
  return readHeld(serve, pid).includes(client.localPort ?? 0)
}

/** Of an address in hexadecimal, such as 0100007F:1F90. */
function toPort(address: string = ''): number {
  return Number.parseInt(address.split(':')[1] ?? '', 16)
}

/** Empty where the descriptor is closed in the meantime. */
function readTarget(path: string): string {
  try {
    return readlinkSync(path)
  } catch {
    return ''
  }
}

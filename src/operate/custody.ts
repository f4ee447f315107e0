// The connections that workers keep, held a second time by the first process: when a worker dies the system does not
// close them, and another worker reads on where it stopped. A worker answers most requests in the turn in which it
// reads them, so what it takes with it is the one it had in hand; the others lie unread in the system's buffers. Which
// connections are kept, and when no longer, is said in api/plain.ts. Nothing is read or written here.
import type { ChildProcess } from 'node:child_process'
import type { RawConnection } from '../api/raw-connection.ts'
import { pass } from './messages.ts'

interface Holder {
  /** By the numbers of the worker, which count up, or of ours where it was handed on, which count down. */
  readonly held: Map<number, RawConnection>
  /** Takes on what others left. */
  isHeir: boolean
  isBeingPassed: boolean
}

export class Custody {
  readonly #connectionsMax: number
  readonly #holders = new Map<ChildProcess, Holder>()
  /** Of workers that died, until another takes them. */
  readonly #orphans: RawConnection[] = []
  #size = 0
  #lastHandedOn = 0

  constructor(connectionsMax: number) {
    this.#connectionsMax = connectionsMax
  }

  /** One too many is no longer held, and ends with its worker. */
  keep(worker: ChildProcess, id: number, raw: RawConnection): void {
    if (this.#size >= this.#connectionsMax) {
      raw.close()
      return
    }
    this.#size += 1
    this.#holderOf(worker).held.set(id, raw)
  }

  release(worker: ChildProcess, id: number): void {
    const held = this.#holders.get(worker)?.held
    const raw = held?.get(id)
    if (raw === undefined) return
    held?.delete(id)
    this.#close(raw)
  }

  /** From now on this worker takes on what others leave. */
  addHeir(worker: ChildProcess): void {
    const holder = this.#holderOf(worker)
    holder.isHeir = true
    this.#handOn(worker, holder)
  }

  removeHeir(worker: ChildProcess): void {
    const holder = this.#holders.get(worker)
    if (holder !== undefined) holder.isHeir = false
  }

  /** For one that is no more and has nothing left to say. */
  remove(worker: ChildProcess, hasDied: boolean): void {
    const held = this.#holders.get(worker)?.held.values() ?? []
    this.#holders.delete(worker)
    for (const raw of held) {
      if (hasDied) this.#orphans.push(raw)
      else this.#close(raw)
    }
    for (const [other, holder] of this.#holders) this.#handOn(other, holder)
  }

  /** Nobody waits for a worker to come. */
  end(): void {
    for (const holder of this.#holders.values()) holder.isHeir = false
    for (const raw of this.#orphans.splice(0)) this.#close(raw)
  }

  /** One at a time, so that the heirs share them, and what else is to be told them comes between. */
  #handOn(worker: ChildProcess, holder: Holder): void {
    if (!holder.isHeir || holder.isBeingPassed) return
    const raw = this.#orphans.pop()
    if (raw === undefined) return
    this.#lastHandedOn -= 1
    holder.held.set(this.#lastHandedOn, raw)
    holder.isBeingPassed = true
    pass(worker, { kind: 'adopt', id: this.#lastHandedOn }, raw, (error) => {
      holder.isBeingPassed = false
      // It is on its way out, and leaves this one too.
      if (error !== null) holder.isHeir = false
      this.#handOn(worker, holder)
    })
  }

  #holderOf(worker: ChildProcess): Holder {
    let holder = this.#holders.get(worker)
    if (holder === undefined) {
      holder = { held: new Map(), isHeir: false, isBeingPassed: false }
      this.#holders.set(worker, holder)
    }
    return holder
  }

  #close(raw: RawConnection): void {
    this.#size -= 1
    raw.close()
  }
}

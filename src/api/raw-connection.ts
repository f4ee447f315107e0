// A connection beneath node:net, as Node passes it from process to process: open, and read by nobody. The types of Node
// do not tell of it; whoever needs it comes here.
import type { SendHandle } from 'node:child_process'
import type { Server, Socket } from 'node:net'

export interface RawConnection {
  close(whenClosed?: () => void): void
}

/** Undefined where it is closed already. */
export function toRaw(socket: Socket): RawConnection | undefined {
  return '_handle' in socket && isRaw(socket._handle) ? socket._handle : undefined
}

export function isRaw(value: unknown): value is RawConnection {
  return typeof value === 'object' && value !== null && 'close' in value && typeof value.close === 'function'
}

/**
 * To be sent to another process: both have it open from then on, and neither reads it for that. A `Socket`, the one
 * thing that the types allow, would be closed here and read there.
 */
export function toSendHandle(raw: RawConnection): SendHandle {
  return raw as unknown as SendHandle
}

/**
 * Whoever closes it from now on has it closed only when the returned function is called. One that is closed on its way
 * to another process takes this process, or the channel, with it: the system is handed what is there no more.
 */
export function putOffClosing(raw: RawConnection): () => void {
  let close: (() => void) | undefined
  raw.close = (whenClosed) => {
    close ??= () => raw.close(whenClosed)
  }
  return () => {
    // What is left is that of all connections.
    Reflect.deleteProperty(raw, 'close')
    close?.()
  }
}

/** As if it had just been accepted: counted, limited and read like any other. The cluster of Node does the same. */
export function acceptRaw(server: Server, raw: RawConnection): void {
  const listening: unknown = '_handle' in server ? server._handle : undefined
  if (isListening(listening)) listening.onconnection(0, raw)
  else raw.close()
}

interface Listening {
  onconnection(status: number, raw: RawConnection): void
}

function isListening(value: unknown): value is Listening {
  return (
    typeof value === 'object' && value !== null && 'onconnection' in value && typeof value.onconnection === 'function'
  )
}

// Standard output of commands. Texts are collected in a buffer, because writing each record of a long result on its own
// takes longer. Writing the buffer waits for a slow reader (backpressure). A reader that closes the pipe, such as
// `head`, is not an error.

import { t } from '../language.ts'
import { systemReasonOf } from '../system-reason.ts'
import { UsageFault } from './config.ts'

export interface Output {
  /**
   * Resolves to false once the reader has closed the pipe. Rejects with `UsageFault` if the write fails for another
   * reason, such as a full disk.
   */
  write(text: string): Promise<boolean>
  /** Writes what is buffered. Resolves and rejects like `write`. */
  flush(): Promise<boolean>
}

/** The buffer is written when it is longer than this. On a terminal every text is written at once. */
const bufferCharactersMax = 32 * 1024

export function openOutput(stream: NodeJS.WriteStream): Output {
  let buffer = ''
  let isClosed = false
  const flush = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (isClosed || buffer === '') return resolve(!isClosed)
      const text = buffer
      buffer = ''
      stream.write(text, (error) => {
        if (error === null || error === undefined) return resolve(true)
        isClosed = true
        if ('code' in error && error.code === 'EPIPE') resolve(false)
        else reject(new UsageFault(t`Cannot write the result: ${systemReasonOf(error)}`, { cause: error }))
      })
    })
  // After a failed write, `flush` handles the error in its callback. The stream also emits it as an event.
  ignoreErrors(stream)
  return {
    write: (text) => {
      buffer += text
      return stream.isTTY || buffer.length > bufferCharactersMax ? flush() : Promise.resolve(!isClosed)
    },
    flush,
  }
}

/** Opened by the first `printText`. */
let standardOutput: Output | undefined

/** Prints a text at once. A closed pipe is not an error. Rejects with `UsageFault`, for example on a full disk. */
export async function printText(text: string): Promise<void> {
  standardOutput ??= openOutput(process.stdout)
  await standardOutput.write(text)
  await standardOutput.flush()
}

/** Lets the command continue after a failed write. Without a listener, the error would end the process. */
export function ignoreErrors(stream: NodeJS.WriteStream): void {
  stream.on('error', () => {})
}

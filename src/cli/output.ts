// Standard output for long results: gathers lines into large writes when piped on, waits for a slow reader, and takes
// it as a good end when the reader goes away, as `head` does.

export interface Output {
  /** False once the reader has gone: there is no one to write for. */
  write(text: string): Promise<boolean>
  flush(): Promise<boolean>
}

const gatheredCharacters = 32 * 1024

export function openOutput(stream: NodeJS.WriteStream): Output {
  let gathered = ''
  let isGone = false
  const flush = (): Promise<boolean> =>
    new Promise((resolve, reject) => {
      if (isGone || gathered === '') return resolve(!isGone)
      const text = gathered
      gathered = ''
      stream.write(text, (error) => {
        if (error === null || error === undefined) return resolve(true)
        isGone = true
        if ('code' in error && error.code === 'EPIPE') resolve(false)
        else reject(error)
      })
    })
  // The failed write has told of it already; without a listener the same error would end the process.
  stream.on('error', () => {})
  return {
    write: (text) => {
      gathered += text
      return stream.isTTY || gathered.length > gatheredCharacters ? flush() : Promise.resolve(!isGone)
    },
    flush,
  }
}

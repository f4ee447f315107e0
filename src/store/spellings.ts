// Texts that come again and again among the bytes of rows, such as the names of municipalities: each is decoded once,
// and the text that is given for it is the same one every time, which maps find sooner than an equal one.

const places = 1 << 14

export class Spellings {
  /** The texts met last, each in the one place that its hash allows. */
  readonly #texts = new Array<string>(places).fill('')
  readonly #bytes = new Array<Buffer>(places).fill(Buffer.alloc(0))

  read(bytes: Buffer, from: number, to: number): string {
    let hash = 0
    for (let at = from; at < to; at++) hash = (Math.imul(hash, 31) + (bytes[at] as number)) | 0
    const place = (hash ^ (hash >>> 14)) & (places - 1)
    const known = this.#bytes[place] as Buffer
    if (isSame(known, bytes, from, to)) return this.#texts[place] as string
    const text = bytes.toString('utf8', from, to)
    this.#texts[place] = text
    this.#bytes[place] = Buffer.from(bytes.subarray(from, to))
    return text
  }
}

function isSame(known: Buffer, bytes: Buffer, from: number, to: number): boolean {
  if (known.length !== to - from) return false
  for (let at = 0; at < known.length; at++) if (known[at] !== bytes[from + at]) return false
  return true
}

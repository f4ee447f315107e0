// Decides who may use the desk: the browser that was opened with the token of this run, and no other page, host or
// machine. It looks at every request before anything else does.
import { randomBytes, timingSafeEqual } from 'node:crypto'
import type { IncomingMessage } from 'node:http'

/** The path that takes the token and gives the cookie. */
export const entrancePath = '/entrar'

/** What becomes of a request. `redirect` has the cookie if the token was right. */
export type Verdict =
  | { readonly kind: 'allowed' }
  | { readonly kind: 'redirect'; readonly cookie?: string }
  | { readonly kind: 'refused'; readonly reason: Refusal }

/** `host`: another name or port. `origin`: another page. `key`: no cookie, or a token that is wrong or was used. */
export type Refusal = 'host' | 'origin' | 'key'

export class Guard {
  /** 256 bits; in the address that opens the desk, and worth nothing once it has been used. */
  readonly token: string = newSecret()
  readonly #session: string = newSecret()
  readonly #host: string
  readonly #cookieName: string
  #isTokenUsed = false

  /** Browsers send the cookies of one port to all ports of a host, so the name of the cookie has the port. */
  constructor(port: number) {
    this.#host = `127.0.0.1:${port}`
    this.#cookieName = `desk-${port}`
  }

  judge({ method = '', url = '', headers }: IncomingMessage): Verdict {
    // Another name may be one of an attacker's that resolves to this computer (DNS rebinding).
    if (headers.host !== this.#host) return { kind: 'refused', reason: 'host' }
    const hasCookie = isEqual(this.#readCookie(headers.cookie), this.#session)
    const { pathname, searchParams } = new URL(url, `http://${this.#host}`)
    if (pathname === entrancePath && method === 'GET') {
      if (hasCookie) return { kind: 'redirect' }
      if (this.#isTokenUsed || !isEqual(searchParams.get('token') ?? '', this.token)) {
        return { kind: 'refused', reason: 'key' }
      }
      this.#isTokenUsed = true
      const cookie = `${this.#cookieName}=${this.#session}; Path=/; HttpOnly; SameSite=Strict`
      return { kind: 'redirect', cookie }
    }
    if (!hasCookie) return { kind: 'refused', reason: 'key' }
    return this.#isOfOurPage(method, headers) ? { kind: 'allowed' } : { kind: 'refused', reason: 'origin' }
  }

  /**
   * A page of another port is of the same site, so its requests have the cookie: `Origin` tells it apart, and
   * `Sec-Fetch-Site` in requests that only read.
   */
  #isOfOurPage(method: string, headers: IncomingMessage['headers']): boolean {
    const site = headers['sec-fetch-site']
    if (site !== undefined && site !== 'same-origin' && site !== 'none') return false
    const isOurs = headers.origin === `http://${this.#host}`
    return method === 'GET' || method === 'HEAD' ? isOurs || headers.origin === undefined : isOurs
  }

  #readCookie(header = ''): string {
    const pairs = header.split(';').map((pair) => pair.trim().split('='))
    return pairs.find(([name]) => name === this.#cookieName)?.[1] ?? ''
  }
}

function newSecret(): string {
  return randomBytes(32).toString('base64url')
}

/** Takes as long for a guess that is nearly right as for any other. */
function isEqual(guess: string, secret: string): boolean {
  const [a, b] = [Buffer.from(guess), Buffer.from(secret)]
  return a.length === b.length && timingSafeEqual(a, b)
}

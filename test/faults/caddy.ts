// A real Caddy in front of the service, configured by deploy/Caddyfile.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { type ServeProcess, until } from '../server/serve.ts'

export interface Caddy extends AsyncDisposable {
  /** The base address of the service through Caddy. */
  readonly base: string
  /** The certificate of Caddy's own certificate authority, which clients must trust. Undefined without TLS. */
  readonly authority: string | undefined
}

/** Starts Caddy with deploy/Caddyfile on a free port, without TLS or with a certificate of Caddy's own authority. */
export async function startCaddy(serve: ServeProcess, scheme: 'http' | 'https'): Promise<Caddy> {
  const port = await findFreePort()
  const origin = `${scheme}://localhost:${port}`
  const site = readFileSync(new URL('../../deploy/Caddyfile', import.meta.url), 'utf8')
    .replace(/^example\.org \{$/m, `${origin} {\n${scheme === 'https' ? 'tls internal' : ''}`)
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${serve.port}`)
  const file = join(serve.folder, 'Caddyfile')
  const storage = join(serve.folder, 'caddy')
  // Without the first three options Caddy would open its admin port, install its authority on the machine, and open
  // port 80. The last one keeps its certificates in the folder of the test.
  const globalOptions = `admin off\nskip_install_trust\nauto_https disable_redirects\nstorage file_system ${storage}`
  await writeFile(file, `{\n${globalOptions}\n}\n${site}`)
  const child = spawn('caddy', ['run', '--config', file, '--adapter', 'caddyfile'], {
    stdio: ['ignore', 'ignore', 'pipe'],
    env: { ...process.env, XDG_DATA_HOME: storage, XDG_CONFIG_HOME: storage },
  })
  let log = ''
  child.stderr.setEncoding('utf8').on('data', (chunk: string) => {
    log += chunk
  })
  const authority = await until(async () => {
    if (child.exitCode !== null) throw new Error(`caddy did not start: ${log}`)
    if (!log.includes('serving initial configuration')) return false
    // Without TLS there is no certificate. The empty text stands for that, because `until` would take undefined for
    // "not yet".
    if (scheme === 'http') return ''
    const authorityFile = join(storage, 'pki/authorities/local/root.crt')
    // The certificate of the site is issued after the start, so Caddy is ready only then.
    return log.includes('certificate obtained successfully') && readFile(authorityFile, 'utf8')
  })
  return {
    base: `${origin}/registry`,
    authority: authority === '' ? undefined : authority,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

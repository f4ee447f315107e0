// A real nginx in front of the service, configured by deploy/nginx.conf.
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { findFreePort } from '../free-port.ts'
import { type ServeProcess, until } from '../server/serve.ts'

export interface Nginx extends AsyncDisposable {
  /** The base address of the service through nginx. */
  readonly base: string
}

/** Starts nginx with the configuration of deploy/nginx.conf, on a free port and without TLS. */
export async function startNginx(serve: ServeProcess): Promise<Nginx> {
  const port = await findFreePort()
  /** The port of the server that redirects HTTP to HTTPS, instead of port 80. The tests do not use it. */
  const redirectPort = await findFreePort()
  const site = readFileSync(new URL('../../deploy/nginx.conf', import.meta.url), 'utf8')
    .replace(/listen 80;/, `listen 127.0.0.1:${redirectPort};`)
    .replace(/listen 443 .*;/, `listen 127.0.0.1:${port};`)
    .replaceAll(/^ *ssl_.*;$/gm, '')
    .replaceAll('127.0.0.1:8080', `127.0.0.1:${serve.port}`)
  const file = join(serve.folder, 'nginx.conf')
  // Folders for temporary files. By default nginx creates them outside the folder of the test.
  const paths = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'].map(
    (name) => `${name}_temp_path ${join(serve.folder, name)};`,
  )
  await writeFile(
    file,
    `daemon off; pid ${join(serve.folder, 'nginx.pid')}; worker_processes 2; events {}
    http { access_log off; ${paths.join(' ')} ${site} }`,
  )
  const child = spawn('nginx', ['-c', file, '-e', join(serve.folder, 'nginx-error.log')], { stdio: 'inherit' })
  const base = `http://127.0.0.1:${port}/registry`
  await until(async () => {
    if (child.exitCode !== null) throw new Error('nginx did not start')
    return fetch(`${base}/record?limit=1`).then(
      ({ ok }) => ok,
      () => false,
    )
  })
  return {
    base,
    [Symbol.asyncDispose]: async () => {
      const ended = once(child, 'exit')
      child.kill('SIGTERM')
      await ended
    },
  }
}

// The machine's limit: nginx, one worker, sending a file. Absent where nginx is not installed.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { join } from 'node:path'
import { type Contestant, cpuSecondsOf, residentBytesOf, stop } from './start.ts'

export async function startNginx(folder: string): Promise<Contestant | null> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return null
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(
    configuration,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
http { access_log off; keepalive_requests 100000000; sendfile on; tcp_nopush on; open_file_cache max=10; default_type application/json;
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c; uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const start = performance.now()
  const child = spawn('nginx', ['-c', configuration, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const origin = `http://127.0.0.1:${port}`
  await untilAnswers(origin)
  return {
    name: 'nginx, a file',
    origin,
    startMs: performance.now() - start,
    residentBytes: () => residentBytesOf(child),
    cpuSeconds: () => cpuSecondsOf(child),
    stop: () => stop(child),
  }
}

export async function freePort(): Promise<number> {
  const server = createServer()
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const address = server.address()
  await new Promise((resolve) => server.close(resolve))
  if (address === null || typeof address === 'string') throw new Error('no free port')
  return address.port
}

/** Waits until something answers, a minute at most. */
export async function untilAnswers(url: string, secondsMax = 60): Promise<void> {
  const deadline = performance.now() + secondsMax * 1000
  for (;;) {
    try {
      await (await fetch(url)).arrayBuffer()
      return
    } catch (error) {
      if (performance.now() > deadline) throw error
      await new Promise((resolve) => setTimeout(resolve, 50))
    }
  }
}

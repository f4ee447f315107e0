// Baseline for the cached responses of the service: nginx as a single process, which sends the body of such a response
// from a file.
import { spawn, spawnSync } from 'node:child_process'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Contestant, freePort, toContestant, waitUntilReady } from './start.ts'

/** Serves the files of the folder, where nginx also keeps its temporary files. Null if nginx is not installed. */
export async function startNginx(folder: string): Promise<Contestant | null> {
  if (spawnSync('nginx', ['-v']).error !== undefined) return null
  const port = await freePort()
  const configuration = join(folder, 'nginx.conf')
  writeFileSync(
    configuration,
    `daemon off; master_process off; worker_processes 1; pid ${folder}/nginx.pid; error_log stderr crit;
events { worker_connections 1024; }
# By default nginx closes a connection after 1,000 requests.
http { access_log off; keepalive_requests 100000000; sendfile on; tcp_nopush on; open_file_cache max=10;
  default_type application/json;
  # The default folders of temporary files belong to root.
  client_body_temp_path ${folder}/a; proxy_temp_path ${folder}/b; fastcgi_temp_path ${folder}/c;
  uwsgi_temp_path ${folder}/d; scgi_temp_path ${folder}/e;
  server { listen 127.0.0.1:${port}; root ${folder}; } }`,
  )
  const start = performance.now()
  const child = spawn('nginx', ['-c', configuration, '-p', folder], { stdio: ['ignore', 'ignore', 'inherit'] })
  const origin = `http://127.0.0.1:${port}`
  await waitUntilReady(origin)
  return toContestant('nginx, a file', origin, performance.now() - start, child)
}

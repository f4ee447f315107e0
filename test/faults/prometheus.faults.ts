// Tests the files for monitoring with the real programs (Debian package prometheus). promtool checks and tests the
// rules. A Prometheus that scrapes the service evaluates the rules and every query of the dashboard.
import assert from 'node:assert/strict'
import { execFile, spawn } from 'node:child_process'
import { once } from 'node:events'
import { readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { findFreePort } from '../free-port.ts'
import { distinctRecords } from '../server/checked-load.ts'
import { startServe, until } from '../server/serve.ts'
import { requireTool } from './tools.ts'

const run = promisify(execFile)
const rulesPath = fileURLToPath(new URL('../../deploy/prometheus-rules.yml', import.meta.url))
const readText = (path: string): string => readFileSync(new URL(path, import.meta.url), 'utf8')

test('promtool accepts the alerts, each fault raises its alert, and a healthy service raises none', async () => {
  await requireTool('promtool')
  await run('promtool', ['check', 'rules', rulesPath])
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-rules-'))
  try {
    const testsPath = join(folder, 'tests.yml')
    // The tests of the rules have the same file name as the rules, but are in test/faults. `[RULES]` in them stands for
    // the path of the rules.
    await writeFile(testsPath, readText('prometheus-rules.yml').replace('[RULES]', JSON.stringify([rulesPath])))
    await run('promtool', ['test', 'rules', testsPath])
  } finally {
    await rm(folder, { recursive: true })
  }
})

interface Dashboard {
  readonly panels: readonly { readonly title: string; readonly targets: readonly { readonly expr: string }[] }[]
}

test('Prometheus scrapes the service and evaluates every alert and every query of the dashboard', async () => {
  await requireTool('prometheus')
  await using serve = await startServe(distinctRecords, { flags: ['--workers', '2'] })
  // The metrics of a route exist from its first request on.
  assert.equal((await fetch(`${serve.base}/record/A-1`)).status, 200)
  // The job that scrapes the service is copied from docs/operating.md, where the admin port of the service is 9464.
  const job = /^```yaml\n([\s\S]*?)^```$/m.exec(readText('../../docs/operating.md'))?.[1] ?? ''
  assert.match(job, /127\.0\.0\.1:9464/)
  const configPath = join(serve.folder, 'prometheus.yml')
  await writeFile(
    configPath,
    `global: { scrape_interval: 1s, evaluation_interval: 1s }\n${job}`
      .replace('127.0.0.1:9464', new URL(serve.admin).host)
      .replace('/etc/prometheus/planning-registry-rules.yml', rulesPath),
  )
  await run('promtool', ['check', 'config', configPath])
  const address = `127.0.0.1:${await findFreePort()}`
  const storage = join(serve.folder, 'prometheus')
  const args = [`--config.file=${configPath}`, `--storage.tsdb.path=${storage}`, `--web.listen-address=${address}`]
  const prometheus = spawn('prometheus', [...args, '--log.level=error'], { stdio: ['ignore', 'ignore', 'inherit'] })
  const ended = once(prometheus, 'exit')
  try {
    /** The response of the HTTP API of Prometheus. */
    const callApi = async (path: string): Promise<{ status: string; data: Record<string, unknown[]> }> =>
      (await fetch(`http://${address}/api/v1/${path}`)).json()
    const query = (expression: string) => callApi(`query?query=${encodeURIComponent(expression)}`)
    await until(async () => {
      if (prometheus.exitCode !== null) throw new Error('prometheus did not start')
      // A rate needs at least two scrapes. This waits for three.
      const scrapes = await query('count_over_time(planning_registry_ready[1m]) >= 3').catch(() => undefined)
      return (scrapes?.data?.result?.length ?? 0) > 0
    })
    const dashboard: Dashboard = JSON.parse(readText('../../deploy/grafana-dashboard.json'))
    for (const { title, targets } of dashboard.panels) {
      for (const { expr } of targets) {
        // `$instance` is a variable of the dashboard.
        const { status, data } = await query(expr.replaceAll('$instance', '.*'))
        assert.equal(status, 'success', `${title}: ${expr}`)
        assert.ok((data.result ?? []).length > 0, `${title} is empty: ${expr}`)
      }
    }
    const evaluatedRules = await until(async () => {
      const { data } = await callApi('rules')
      const reported = (data.groups as { rules: { name: string; health: string }[] }[]).flatMap((group) => group.rules)
      return reported.every(({ health }) => health !== 'unknown') && reported
    })
    assert.deepEqual(
      evaluatedRules.filter(({ health }) => health !== 'ok'),
      [],
    )
    const alerts = readText('../../deploy/prometheus-rules.yml').match(/^ *- alert: /gm) ?? []
    assert.equal(evaluatedRules.length, alerts.length)
  } finally {
    prometheus.kill('SIGTERM')
    await ended
  }
})

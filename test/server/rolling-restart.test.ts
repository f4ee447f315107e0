// A rolling restart: SIGUSR2 replaces the workers one after the other, and no request fails. A worker may die or the
// service may end during the restart. First the successor of a worker starts and listens, then the old worker drains:
// it finishes its requests and ends.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { manyRecords } from './many-records.ts'
import { requestUntilStopped } from './requests.ts'
import { isAlive, killWorker, readMetric, startServe, until, untilReadyWorkers } from './serve.ts'

const twoWorkers = { flags: ['--workers', '2'] }

test('SIGUSR2 replaces all workers, and no request fails', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  const before = await serve.workers()
  let isStopped = false
  const requesting = requestUntilStopped(serve, () => isStopped)
  serve.child.kill('SIGUSR2')
  await until(async () => serve.log().some((entry) => entry.msg === 'all workers restarted'))
  isStopped = true
  assert.deepEqual(await requesting, { failed: [] })
  const after = await serve.workers()
  assert.equal(after.length, 2)
  assert.ok(after.every((pid) => !before.includes(pid)))
})

// The workers are replaced in the order in which they were started, which is also the order of `serve.workers()`.
for (const [index, which] of ['the one whose successor is starting', 'one that is restarted later'].entries()) {
  test(`a worker that dies during a rolling restart has one successor: ${which}`, async () => {
    await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
    const before = await serve.workers()
    serve.child.kill('SIGUSR2')
    // The third worker is the successor of the first one.
    await until(async () => (await serve.workers()).length === 3)
    killWorker(before[index])
    await until(async () => serve.log().some((entry) => entry.msg === 'all workers restarted'))
    await untilReadyWorkers(serve, 2)
    const after = await serve.workers()
    assert.equal(after.length, 2)
    assert.ok(after.every((pid) => !before.includes(pid)))
    assert.equal(await readMetric(serve, 'planning_registry_worker_deaths_total'), 1)
  })
}

test('SIGTERM during a rolling restart also ends the successor that is starting', async () => {
  await using serve = await startServe([{ code: 'A-1' }], twoWorkers)
  serve.child.kill('SIGUSR2')
  const processes = await until(async () => {
    const workers = await serve.workers()
    return workers.length === 3 && workers
  })
  serve.child.kill('SIGTERM')
  assert.equal(await serve.ended, 0)
  assert.deepEqual(processes.filter(isAlive), [])
  const messages = serve.log().map(({ msg }) => msg)
  assert.ok(!messages.includes('rolling restart failed, the old workers stay'), messages.join('\n'))
  assert.ok(!messages.includes('all workers restarted'), messages.join('\n'))
})

test('SIGTERM during a rolling restart waits for the old worker that is draining', async () => {
  await using serve = await startServe(manyRecords, twoWorkers)
  const before = await serve.workers()
  // The responses are not read before SIGTERM is sent. A worker with unread responses keeps draining.
  const responses = await Promise.all(Array.from({ length: 8 }, () => fetch(`${serve.base}/record`)))
  serve.child.kill('SIGUSR2')
  // The old worker drains as soon as its successor listens. The successor is the third worker that starts, and every
  // worker that starts logs its snapshot.
  await until(async () => serve.log().filter(({ msg }) => msg === 'snapshot in service').length > 2)
  serve.child.kill('SIGTERM')
  for (const response of responses) {
    assert.equal(JSON.parse(await response.text()).resultadoBusqueda.length, manyRecords.length)
  }
  assert.equal(await serve.ended, 0)
  assert.deepEqual(before.filter(isAlive), [])
})

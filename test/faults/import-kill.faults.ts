// kill -9 during an import, at a hundred random times and at every step of publishing. `fixture` is an
// `InterruptedImport` (test/import/interrupted.ts): `prepare` builds an old and a new registry of `records` records
// each, to learn the content of both. `restoreOld` puts the old one in service, and `importNew` runs the import that
// will replace it. `searchDuring` searches the registry in service until the import ends. `checkServed` checks it, and
// tells which of the two it is.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InterruptedImport, killAtRandomMoments } from '../import/interrupted.ts'
import { requireTool } from './tools.ts'

test('kill -9 at 100 random times: the old or the new registry is served, and the next import succeeds', async (t) => {
  const fixture = await InterruptedImport.prepare(t, { records: 2000 })
  const killed = await killAtRandomMoments(fixture, { rounds: 100, seed: 7 })
  // run.ts reads the number of injected faults from this text.
  t.diagnostic(`100 injections: ${killed} imports killed before their end, and the next import succeeded each time`)
  assert.ok(killed >= 50, `only ${killed} of 100 imports were still running when they were to be killed`)
})

// Publishing calls fsync for the new file, renames it to the name of the old one, and calls fsync for the folder. So
// the rename decides which registry is in service. In the syntax of strace, `when=2` is the second call.
for (const [call, served] of [
  ['fsync:when=1', 'old'],
  ['rename:when=1', 'old'],
  ['fsync:when=2', 'new'],
] as const) {
  test(`kill -9 on entering ${call} leaves the ${served} registry in service`, async (t) => {
    await requireTool('strace')
    const fixture = await InterruptedImport.prepare(t, { records: 500 })
    await fixture.restoreOld()
    const [name, when] = call.split(':')
    const inject = `inject=${name}:signal=KILL:${when}`
    const wrapper = ['strace', '-f', '-qq', '-o', '/dev/null', '-e', `trace=${name}`, '-e', inject]
    // strace counts calls per thread, so only one thread may make them.
    const { signal } = await fixture.searchDuring(fixture.importNew({ wrapper, env: { UV_THREADPOOL_SIZE: '1' } }))
    assert.equal(signal, 'SIGKILL')
    assert.equal(await fixture.checkServed(), served)
    await fixture.checkNextImport()
  })
}

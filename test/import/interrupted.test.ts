// Kills a few imports at random moments. After each kill `killAtRandomMoments` checks the registry and runs the next
// import to its end. It returns how many imports it has killed. `npm run test:all faults` kills a hundred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InterruptedImport, killAtRandomMoments } from './interrupted.ts'

test('an import that is killed leaves the old or the new registry in service, and the next one succeeds', async (t) => {
  const fixture = await InterruptedImport.prepare(t, { records: 1500 })
  const arbitrarySeed = 20_041
  const killed = await killAtRandomMoments(fixture, { rounds: 4, seed: arbitrarySeed })
  assert.ok(killed > 0, 'every import ended before it was killed')
})

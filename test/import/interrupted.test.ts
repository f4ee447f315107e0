// Kills a few imports at random moments. `killAtRandomMoments` checks the registry after each kill and returns how many
// imports it has killed. `npm run test:faults` kills a hundred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InterruptedImport, killAtRandomMoments } from './interrupted.ts'

test('an import that is killed leaves the old or the new registry in service, and the next one succeeds', async (t) => {
  const scene = await InterruptedImport.prepare(t, { records: 1500 })
  const arbitrarySeed = 20_041
  const killed = await killAtRandomMoments(scene, { rounds: 4, seed: arbitrarySeed })
  assert.ok(killed > 0, 'every import ended before it was killed')
})

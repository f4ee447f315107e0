// A few of the moments that test/faults goes through by the hundred.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { InterruptedImport, killAtMoments } from './interrupted.ts'

test('an import killed at any moment leaves the old registry in service, and the next one converges', async (t) => {
  const scene = await InterruptedImport.prepare(t, 1500)
  const killed = await killAtMoments(scene, 4, 20_041)
  assert.ok(killed > 0, 'no import lived long enough to be killed')
})

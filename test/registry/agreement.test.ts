// Compares searches with a naive scan on a few random registries (agreement.ts), always the same ones unless SEED is
// set. `npm run test:all agreement` runs thousands of requests with a random seed.
import { test } from 'node:test'
import { seed } from '../seed.ts'
import { checkFewRecords, checkManyRecords, checkTitles } from './agreement.ts'

test('random requests on small registries are answered like by a naive scan', async () => {
  await checkFewRecords({ seed, registries: 10, requestsPerRegistry: 40 })
})

test('random requests on a large registry are answered like by a naive scan', async () => {
  await checkManyRecords({ seed, registries: 1, requestsPerRegistry: 50 })
})

test('realistic titles are found by each of their words like by a naive scan', checkTitles)

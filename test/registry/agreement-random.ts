// `npm run test:all agreement`: compares searches with a naive scan (agreement.ts) on thousands of random requests. The
// seed is random; the variable AGREEMENT_SEED repeats a run.
import { test } from 'node:test'
import { checkFewRecords, checkManyRecords } from './agreement.ts'

const seed = Number(process.env.AGREEMENT_SEED ?? Math.floor(Math.random() * 2 ** 31))
process.stderr.write(`AGREEMENT_SEED=${seed}\n`)

test(`random requests on small registries are answered like by a naive scan (seed ${seed})`, async () => {
  await checkFewRecords({ seed, registries: 60, requestsPerRegistry: 50 })
})

test(`random requests on large registries are answered like by a naive scan (seed ${seed})`, async () => {
  await checkManyRecords({ seed, registries: 4, requestsPerRegistry: 250 })
})

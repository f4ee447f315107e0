// `npx node test/search-quality/score.ts`: prints how many of the judged queries are answered exactly, with precision,
// recall and the errors. With `--held-back`, also those of registers that nobody looks at while changing the analyser.
import { parseArgs } from 'node:util'
import { createRegistry } from '../create-registry.ts'
import { readJudgements, readRecords, score } from './judged-set.ts'

const { values } = parseArgs({ options: { 'held-back': { type: 'boolean', default: false } } })
const sets = [
  ['records.txt', 'queries.txt'],
  ['languages-records.txt', 'languages-queries.txt'],
  ['registers-records.txt', 'registers-queries.txt'],
  ...(values['held-back'] ? [['held-back-records.txt', 'held-back-queries.txt']] : []),
] as const

for (const [recordsFile = '', queriesFile = ''] of sets) {
  await using registry = await createRegistry()
  const judgements = readJudgements(queriesFile, recordsFile)
  const { exact, precision, recall, errors } = await score(
    await registry.snapshotOf(readRecords(recordsFile)),
    judgements,
  )
  for (const error of errors) console.log(error)
  console.log(
    `${queriesFile}: ${judgements.length} queries, ${(exact * 100).toFixed(1)} % exact, ` +
      `precision ${precision.toFixed(4)}, recall ${recall.toFixed(4)}\n`,
  )
}

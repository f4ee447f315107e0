// Draws a bar chart of records per year, in cells like a notebook (editors run the parts between `%%` marks):
//
//   npx node examples/by-year.ts http://127.0.0.1:8080/registry --municipality Ávila --search edificabilidad

// %% The address of the registry and the filters
import { parseArgs } from 'node:util'
import { createClient } from '../src/client/client.ts'

const { values: filters, positionals } = parseArgs({
  allowPositionals: true,
  options: { municipality: { type: 'string' }, search: { type: 'string' } },
})
const registry = createClient(positionals[0] ?? 'http://127.0.0.1:8080/registry')

// %% One request counts all records
const { total, by_year, by_municipality } = await registry.summary(filters, {
  onEmpty: (problem) => console.log(problem.detail),
})
console.log(`${total} records in ${by_municipality.length} municipalities\n`)

// %% A bar for every year, including years without records
const barCellsMax = 60
const counts = new Map(by_year.map(({ year, records }) => [year, records]))
const largestCount = Math.max(...counts.values())
const first = by_year[0]?.year ?? 0
// Less than `first` if there are no records, so that nothing is drawn.
const last = by_year.at(-1)?.year ?? -1
for (let year = first; year <= last; year++) {
  const records = counts.get(year) ?? 0
  console.log(`${year} ${'█'.repeat(Math.ceil((records / largestCount) * barCellsMax))} ${records}`)
}

// %% The municipalities with most records
for (const { name, records } of by_municipality.slice(0, 5)) console.log(`\n${records} in ${name}`)

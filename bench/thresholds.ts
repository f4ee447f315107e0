// The command `npm run bench -- thresholds`: measures speed and memory against the thresholds that every version must
// meet.
import { benchExport } from './export.ts'
import { benchImport } from './import.ts'
import type { Rounds, Row } from './measure.ts'
import { benchPassages } from './passages.ts'
import { benchFairness, benchMemory, benchStart } from './process.ts'
import type { BenchRegistry } from './registries.ts'
import { benchRequests } from './requests.ts'
import { benchSuggestions } from './suggestions.ts'

/** The benchmarks by the names that the flag `--only` takes. */
const parts: Readonly<Record<string, (registry: BenchRegistry, rounds: Rounds) => Promise<Row[]>>> = {
  passages: benchPassages,
  requests: benchRequests,
  suggestions: benchSuggestions,
  fairness: benchFairness,
  memory: benchMemory,
  start: benchStart,
  export: benchExport,
  import: ({ records }) => benchImport(records),
}

/** Runs all parts, or those with the names `only`, one after the other. */
export async function benchThresholds(
  registry: BenchRegistry,
  rounds: Rounds,
  only: readonly string[] = Object.keys(parts),
): Promise<Row[]> {
  const rows: Row[] = []
  for (const name of only) {
    const part = parts[name]
    if (part === undefined) throw new Error(`Unknown part ${name}: expected ${Object.keys(parts).join(', ')}`)
    process.stderr.write(`${name} …\n`)
    rows.push(...(await part(registry, rounds)))
  }
  return rows
}

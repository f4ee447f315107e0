// Benchmark of one very large registry, ten million records by default. It measures the import that has built it, the
// size of its file, the start of the service, first pages of results, and memory.
import { type Rounds, type Row, toRow } from './measure.ts'
import { benchMemory, benchStart } from './process.ts'
import type { BenchRegistry } from './registries.ts'
import { benchRequests } from './requests.ts'

export async function benchLarge(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  const { records, build, bytes } = registry
  const row = (workload: string, unit: string, value: number): Row =>
    toRow({ records, workload, unit, samples: [value] })
  return [
    row('build: time', 's', build.seconds),
    row('build: rate', 'records/s', records / build.seconds),
    row('build: peak resident memory', 'MB', build.residentMegabytes),
    row('file', 'MB', bytes / 1e6),
    ...(await benchStart(registry, rounds)),
    ...(await benchRequests(registry, rounds)),
    ...(await benchMemory(registry)),
  ]
}

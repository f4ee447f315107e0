// Benchmark of a full export over HTTP, which is a response with all records of the registry. The baseline is plain
// node:http that streams the same bytes from a file.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startBare, startOurs } from './contestants/start.ts'
import { measureUndisturbed, median, type Rounds, type Row, toRow } from './measure.ts'
import type { BenchRegistry } from './registries.ts'

export async function benchExport({ path }: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-export-'))
  const exportPath = join(folder, 'export.json')
  const ours = await startOurs(`sqlite:${path}`)
  const bare = await startBare({ streamPath: exportPath })
  try {
    const address = `${ours.baseUrl}/record`
    // One export in the file that the baseline streams.
    const { body } = await fetch(address)
    await pipeline(Readable.from(body ?? []), createWriteStream(exportPath))
    const rates: { readonly ours: number; readonly bare: number }[] = []
    // The first round is the warm-up.
    for (let round = 0; round <= rounds; round++) {
      const measured = await measureUndisturbed(async () => ({
        ours: await measureRate(address),
        bare: await measureRate(`${bare.baseUrl}/stream`),
      }))
      if (round > 0) rates.push(measured)
    }
    const ratio = median(rates.map((rate) => rate.ours / rate.bare))
    return [
      {
        ...toRow(
          'full export',
          'MB/s',
          rates.map((rate) => rate.ours),
        ),
        ratio,
      },
    ]
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

/** Downloads the address. Returns megabytes per second. A response that is cut off rejects. */
async function measureRate(address: string): Promise<number> {
  const start = performance.now()
  const response = await fetch(address, { headers: { 'Accept-Encoding': 'identity' } })
  let bytes = 0
  for await (const chunk of response.body ?? []) bytes += chunk.length
  return bytes / 1e3 / (performance.now() - start)
}

// Benchmark of a full export over HTTP, which is a response with all records of the registry. The baseline is plain
// node:http that streams the same bytes from a file.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { startBare, startOurs } from './contestants/start.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import type { BenchRegistry } from './registries.ts'
import { measureUndisturbed } from './stolen-time.ts'

export async function benchExport(registry: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-export-'))
  const exportPath = join(folder, 'export.json')
  const ours = await startOurs(`sqlite:${registry.path}`)
  const bare = await startBare({ streamPath: exportPath })
  try {
    const address = `${ours.baseUrl}/record`
    // Saves one export in the file that the baseline streams.
    await pipeline(await request(address), createWriteStream(exportPath))
    const exports: Download[] = []
    const streams: Download[] = []
    // Round -1 is the warm-up.
    for (let round = -1; round < rounds; round++) {
      const { exported, streamed } = await measureUndisturbed(async () => ({
        exported: await download(address),
        streamed: await download(`${bare.baseUrl}/stream`),
      }))
      if (exported.bytes !== streamed.bytes) throw new Error('The export and the file stream differ in length')
      if (round < 0) continue
      exports.push(exported)
      streams.push(streamed)
    }
    const row = { records: registry.records, workload: 'full export', unit: 'MB/s' }
    const exportRates = exports.map(toRate)
    const streamRates = streams.map(toRate)
    // In each round, our rate is divided by the rate of the file stream. The ratio is the median of these quotients.
    const ratio = median(exportRates.map((rate, round) => rate / (streamRates[round] ?? Number.NaN)))
    return [
      toRow({ ...row, samples: exportRates, ratio, threshold: { atLeast: 0.5 } }),
      toRow({ ...row, contestant: 'file stream', samples: streamRates }),
    ]
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
    rmSync(folder, { recursive: true, force: true })
  }
}

interface Download {
  readonly bytes: number
  readonly seconds: number
}

/** The megabytes per second of a download. */
function toRate({ bytes, seconds }: Download): number {
  return bytes / 1e6 / seconds
}

async function download(address: string): Promise<Download> {
  const start = performance.now()
  const response = await request(address)
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length
  if (!response.complete) throw new Error(`${address} ended after ${bytes} bytes`)
  return { bytes, seconds: (performance.now() - start) / 1000 }
}

/** Sends a request on a new connection (`agent: false`). Resolves when the headers have arrived. */
function request(address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(address, { agent: false }, resolve).once('error', reject)
  })
}

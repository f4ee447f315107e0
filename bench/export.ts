// The export of everything over HTTP against bare node:http that pipes the same bytes from a file.
import { createWriteStream, mkdtempSync, rmSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pipeline } from 'node:stream/promises'
import { startBare, startOurs } from './contestants/start.ts'
import { median, type Rounds, type Row, toRow } from './measure.ts'
import type { BenchRegistry } from './registries.ts'

export async function benchExport(registry: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-export-'))
  const file = join(folder, 'export.json')
  const ours = await startOurs(`sqlite:${registry.path}`)
  const bare = await startBare(null, file)
  try {
    const address = `${ours.origin}/record`
    await pipeline(await request(address), createWriteStream(file))
    const exports: Download[] = []
    const pipes: Download[] = []
    // The first round warms up and does not count.
    for (let round = -1; round < rounds; round++) {
      const exported = await download(address)
      const piped = await download(`${bare.origin}/stream`)
      if (exported.bytes !== piped.bytes) throw new Error('the export and the pipe differ in length')
      if (round < 0) continue
      exports.push(exported)
      pipes.push(piped)
    }
    const row = { records: registry.records, work: 'export of everything', unit: 'MB/s' }
    const rates = exports.map(rateOf)
    const pipeRates = pipes.map(rateOf)
    const ratio = median(rates.map((rate, round) => rate / (pipeRates[round] ?? Number.NaN)))
    return [
      toRow({ ...row, figures: rates, ratio, bar: { atLeast: 0.5 } }),
      toRow({ ...row, contestant: 'bare pipe', figures: pipeRates }),
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

function rateOf({ bytes, seconds }: Download): number {
  return bytes / 1e6 / seconds
}

async function download(address: string): Promise<Download> {
  const start = performance.now()
  const response = await request(address)
  let bytes = 0
  for await (const chunk of response as AsyncIterable<Buffer>) bytes += chunk.length
  if (!response.complete) throw new Error(`${address} broke off after ${bytes} bytes`)
  return { bytes, seconds: (performance.now() - start) / 1000 }
}

function request(address: string): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(address, { agent: false }, resolve).once('error', reject)
  })
}

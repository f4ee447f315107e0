// The full export: time to the first byte, rate and memory, against the bare runtime streaming the same bytes from a
// file; and the content codings against Node piping the same bytes through zlib.
import { createReadStream, createWriteStream, mkdtempSync, statSync } from 'node:fs'
import { get, type IncomingMessage } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Writable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import * as zlib from 'node:zlib'
import { type Contestant, startBare, startOurs } from './contestants/start.ts'
import { median, type Rounds, type Row, rowsOf } from './measure.ts'
import type { BenchRegistry } from './registries.ts'

export async function benchExport(registry: BenchRegistry, { rounds }: Rounds): Promise<Row[]> {
  const { records } = registry
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const file = join(folder, 'export.json')
  const ours = await startOurs(`sqlite:${registry.path}`)
  const bare = await startBare(null, file)
  try {
    const address = `${ours.origin}/record`
    await pipeline(await request(address), createWriteStream(file))
    const exports: Download[] = []
    const references: Download[] = []
    let residentMost = 0
    const watch = (): void => {
      residentMost = Math.max(residentMost, ours.residentBytes())
    }
    for (let round = 0; round < rounds; round++) {
      exports.push(await download(address, {}, watch))
      references.push(await download(`${bare.origin}/stream`))
    }
    const row = rowsOf(records)
    const bytes = exports[0]?.bytes ?? 0
    if (bytes !== references[0]?.bytes) throw new Error('the export and its reference differ in length')
    const rate = median(exports.map((each) => each.megabytesPerSecond))
    const reference = median(references.map((each) => each.megabytesPerSecond))
    return [
      row(
        'full export',
        ours,
        exports.map((each) => each.megabytesPerSecond),
        'MB/s',
        rate / reference,
        { atLeast: 0.5 },
      ),
      row(
        'full export',
        bare,
        references.map((each) => each.megabytesPerSecond),
        'MB/s',
      ),
      row(
        'full export, first byte',
        ours,
        exports.map((each) => each.firstByteMs),
        'ms',
        undefined,
        {
          atMost: 20,
          of: 'median',
        },
      ),
      row('full export, resident memory', ours, [residentMost / 1e6], 'MB', undefined, { atMost: 200, of: 'median' }),
      ...(await benchCodings(records, ours, address, file, rounds)),
    ]
  } finally {
    await Promise.all([ours.stop(), bare.stop()])
  }
}

/** The rate counts bytes before they are compressed. */
async function benchCodings(
  records: number,
  ours: Contestant,
  address: string,
  file: string,
  rounds: number,
): Promise<Row[]> {
  const rows: Row[] = []
  const pipes = {
    gzip: () => zlib.createGzip({ level: 1 }),
    zstd: () => zlib.createZstdCompress({ params: { [zlib.constants.ZSTD_c_compressionLevel]: 3 } }),
  }
  for (const [coding, create] of Object.entries(pipes)) {
    const exports: number[] = []
    const piped: number[] = []
    for (let round = 0; round < rounds; round++) {
      const start = performance.now()
      await download(address, { 'Accept-Encoding': coding })
      exports.push(performance.now() - start)
      const pipeStart = performance.now()
      await pipeline(createReadStream(file), create(), new Writable({ write: (_chunk, _encoding, done) => done() }))
      piped.push(performance.now() - pipeStart)
    }
    const megabytes = statSync(file).size / 1e6
    const row = rowsOf(records)
    const toRates = (times: readonly number[]): number[] => times.map((ms) => megabytes / (ms / 1000))
    const ratio = median(toRates(exports)) / median(toRates(piped))
    rows.push(row(`full export, ${coding}`, ours, toRates(exports), 'MB/s', ratio, { atLeast: 1 }))
    rows.push(row(`full export, ${coding}`, { name: `node:zlib pipe, ${coding}` }, toRates(piped), 'MB/s'))
  }
  return rows
}

interface Download {
  readonly firstByteMs: number
  readonly bytes: number
  readonly megabytesPerSecond: number
}

async function download(
  address: string,
  headers: Record<string, string> = {},
  onChunk: () => void = () => {},
): Promise<Download> {
  const start = performance.now()
  const response = await request(address, headers)
  let firstByteMs = Number.NaN
  let bytes = 0
  let chunks = 0
  for await (const chunk of response as AsyncIterable<Buffer>) {
    if (bytes === 0) firstByteMs = performance.now() - start
    bytes += chunk.length
    if (chunks++ % 500 === 0) onChunk()
  }
  if (!response.complete) throw new Error(`${address} broke off after ${bytes} bytes`)
  return { firstByteMs, bytes, megabytesPerSecond: bytes / 1e6 / ((performance.now() - start) / 1000) }
}

function request(address: string, headers: Record<string, string> = {}): Promise<IncomingMessage> {
  return new Promise((resolve, reject) => {
    get(address, { headers, agent: false }, resolve).once('error', reject)
  })
}

// Benchmark of passages, the pieces of text around the words that a search has found. It measures the CPU time of a
// page of results with passages, compared with the same page without passages; the latency of a page of results whose
// passages come from long documents, and of lookups meanwhile; and how much passages enlarge a snapshot, the file of a
// registry.
import { rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordDocument } from '../src/domain/document.ts'
import { type RegistryRecord, toStoredRecord } from '../src/domain/record.ts'
import { openTarget } from '../src/registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../src/registry/publish.ts'
import { drawDocument } from '../src/sample/prose.ts'
import { Random, toSeed } from '../src/sample/random.ts'
import { sampleRecords } from '../src/sample/records.ts'
import { startOurs } from './contestants/start.ts'
import { measureLoads, type Rounds, type Row, toRow } from './measure.ts'
import { benchLookupsDuring } from './process.ts'
import { drawQueries } from './query-kinds.ts'
import { type BenchRegistry, benchFolder, contentWordRange } from './registries.ts'

/** Threshold of the ratio: the CPU time of a page of results without passages, divided by the time with passages. */
const pageThreshold = { atLeast: 0.25 }
/** Threshold of the p99 latency of a page of results with passages from long documents, in milliseconds. */
const longDocumentThreshold = { atMost: 60, of: 'p99Ms' } as const
/** Threshold of the size of a snapshot with passages, divided by the size of the same snapshot without passages. */
const growthThreshold = { atMost: 1.4, of: 'median' } as const

const connections = 8
/** Names of kinds of queries (query-kinds.ts). All have a query string, to which `include` is appended. */
const kinds = ['rare word', 'very common word', 'two words', 'phrase']

export async function benchPassages(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  return [
    ...(await benchPages(registry, rounds)),
    ...(await benchLongDocuments(registry, rounds)),
    ...(await benchGrowth(registry.records)),
  ]
}

/** The same pages of results with and without passages. */
async function benchPages(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    const { origin, pathname } = new URL(ours.baseUrl)
    const rows: Row[] = []
    for (const { workload, queries } of drawQueries(registry, { only: kinds })) {
      const paths = queries.map(({ path }) => `${pathname}/${path}`)
      const systems = [
        { name: ours.name, load: { origin, paths: paths.map((path) => `${path}&include=passages`), connections } },
        { name: 'without passages', load: { origin, paths, connections } },
      ].map((system) => ({ ...system, cpuSeconds: ours.cpuSeconds }))
      const measurement = { records: registry.records, workload: `passages, ${workload}`, systems, rounds }
      rows.push(...(await measureLoads({ ...measurement, threshold: pageThreshold })))
    }
    return rows
  } finally {
    await ours.stop()
  }
}

/** Number of records, each with one long document. */
const longDocuments = 100
const longDocumentPages = 500

/**
 * Pages of results with passages from long documents, each of about 1 MB of text. The records have no documents of the
 * sample (`documents: 0`); each gets one from `toLongDocument`.
 */
async function benchLongDocuments({ words }: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  const path = join(benchFolder('passages'), 'long.db')
  // A fixed seed and stream of random numbers, so that every run has the same documents.
  const random = new Random(toSeed('long'), 0)
  const lookupPaths: string[] = []
  await publishFile(path, async function* () {
    for await (const { record } of sampleRecords({ records: longDocuments, documents: 0, seed: 'long' })) {
      lookupPaths.push(`record/${encodeURIComponent(record.code)}`)
      yield { record: toStoredRecord(record), content: { text: '', documents: [toLongDocument(random, record)] } }
    }
  })
  const ours = await startOurs(`sqlite:${path}`)
  try {
    const { origin, pathname } = new URL(ours.baseUrl)
    // Many different pairs of words, so that few responses come from the cache.
    const paths = words.common.flatMap((first) =>
      words.all.slice(0, 200).map((second) => {
        const search = encodeURIComponent(`${first} ${second}`)
        return `record?search=${search}&limit=20&include=passages`
      }),
    )
    const load = { origin, paths: paths.map((path) => `${pathname}/${path}`), connections }
    const workload = `passages, documents of ${longDocumentPages} pages`
    const systems = [{ name: ours.name, load, cpuSeconds: ours.cpuSeconds }]
    const measurement = { records: longDocuments, workload, systems, rounds, threshold: longDocumentThreshold }
    const heavyLoad = { name: workload, paths, connections }
    return [
      ...(await measureLoads(measurement)),
      ...(await benchLookupsDuring(heavyLoad, ours, lookupPaths, longDocuments, rounds)),
    ]
  } finally {
    await ours.stop()
    rmSync(path, { force: true })
  }
}

/** A document of at least `longDocumentPages` pages: several fictional documents, one after the other. */
function toLongDocument(random: Random, { title, municipality }: RegistryRecord): RecordDocument {
  const texts: RecordDocument['texts'][number][] = []
  while (texts.length < longDocumentPages) {
    // A fictional document names a place, which this number selects, so each of these documents names another place.
    const documentNumber = texts.length
    for (const lines of drawDocument(random, title, municipality, documentNumber)) {
      texts.push({ page: texts.length + 1, text: lines.join('\n'), recognised: false })
    }
  }
  const pages = texts.length
  return { href: null, sha256: null, pages, read: pages, recognised: 0, unread: 0, reason: null, texts }
}

/** More records would take longer without changing the result. */
const growthRecordsMax = 20_000

/** Writes the same records with and without passages and compares the sizes of the files. */
async function benchGrowth(registryRecords: number): Promise<Row[]> {
  const records = Math.min(registryRecords, growthRecordsMax)
  const measureFileBytes = async ({ withPassages }: { readonly withPassages: boolean }): Promise<number> => {
    const path = join(benchFolder('passages'), `growth-${withPassages}.db`)
    const options = { records, documents: 0, seed: 'growth', contentWords: contentWordRange }
    await publishFile(
      path,
      async function* () {
        for await (const { record, content } of sampleRecords(options)) {
          yield { record: toStoredRecord(record), content: { text: content, documents: [] } }
        }
      },
      withPassages,
    )
    const { size } = statSync(path)
    rmSync(path)
    return size
  }
  const bytesWith = await measureFileBytes({ withPassages: true })
  const bytesWithout = await measureFileBytes({ withPassages: false })
  const growth = bytesWith / bytesWithout
  const workload = 'size of a snapshot with passages, relative to one without'
  return [toRow({ records, workload, unit: 'times', samples: [growth], threshold: growthThreshold })]
}

/** Builds a registry file. */
async function publishFile(
  path: string,
  readEntries: () => AsyncIterable<RegistryEntry>,
  withPassages = true,
): Promise<void> {
  rmSync(path, { force: true })
  const target = await openTarget(`sqlite:${path}`)
  await publishRegistry(target, readEntries, { fictional: true, withPassages })
  await target.release()
}

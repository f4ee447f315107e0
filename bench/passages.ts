// Benchmark of passages, the pieces of text around the words that a search has found: a page of results with passages,
// compared with the same page without; pages whose passages come from documents of 500 pages, and lookups meanwhile.
import { rmSync } from 'node:fs'
import { join } from 'node:path'
import type { RecordDocument } from '../src/domain/document.ts'
import { type RegistryRecord, toStoredRecord } from '../src/domain/record.ts'
import { openTarget } from '../src/registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../src/registry/publish.ts'
import { drawDocument } from '../src/sample/prose.ts'
import { Random, toSeed } from '../src/sample/random.ts'
import { sampleRecords } from '../src/sample/records.ts'
import { startOurs } from './contestants/start.ts'
import { measureLoads, type Rounds, type Row } from './measure.ts'
import { benchLookupsDuring } from './process.ts'
import { drawQueries } from './query-kinds.ts'
import { type BenchRegistry, benchFolder } from './registries.ts'

const connections = 8
/** Names of kinds of queries (query-kinds.ts). All have a query string, to which `include` is appended. */
const kinds = ['rare word', 'very common word', 'two words', 'phrase']

export async function benchPassages(registry: BenchRegistry, rounds: Rounds): Promise<Row[]> {
  return [...(await benchPages(registry, rounds)), ...(await benchLongDocuments(registry, rounds))]
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
      rows.push(...(await measureLoads(`passages, ${workload}`, systems, rounds)))
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
    const heavyLoad = { name: workload, paths, connections }
    return [
      ...(await measureLoads(workload, systems, rounds)),
      await benchLookupsDuring(heavyLoad, ours, lookupPaths, rounds),
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

/** Builds a registry file. */
async function publishFile(path: string, readEntries: () => AsyncIterable<RegistryEntry>): Promise<void> {
  rmSync(path, { force: true })
  const target = await openTarget(`sqlite:${path}`)
  await publishRegistry(target, readEntries, { fictional: true })
  await target.release()
}

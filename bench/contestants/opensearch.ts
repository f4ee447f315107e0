// A peer, which is another server that answers the same queries on the same records: OpenSearch (from Maven), one node
// with one shard. It has the Spanish analyser and keyword fields for the filters, and does not count all matches. The
// index is sorted in the order of results, so that a search ends when it has the first page.
import { spawnSync } from 'node:child_process'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { type BenchQuery, pageRecords } from '../query-kinds.ts'
import { type BenchRegistry, benchFolder } from '../registries.ts'
import { generatePeerRecords, type Peer } from './peer.ts'
import { freePort, startProcess } from './start.ts'

const sourceFolder: string = fileURLToPath(new URL('./opensearch/', import.meta.url))
/** Number of records per bulk request. */
const batchRecords = 2000

/**
 * Downloads OpenSearch if it is missing, starts a node and loads the records. Resolves to the reason, as a text, if
 * Java is missing or the download fails.
 */
export async function startOpenSearch(registry: BenchRegistry): Promise<Peer | string> {
  const libraries = join(benchFolder('opensearch'), 'libraries')
  if (spawnSync('java', ['-version']).error !== undefined) return 'Java is not installed'
  if (!existsSync(libraries)) {
    const mavenArgs = ['-q', '-f', join(sourceFolder, 'pom.xml'), 'dependency:copy-dependencies']
    const { status } = spawnSync('mvn', [...mavenArgs, `-DoutputDirectory=${libraries}`], { stdio: 'ignore' })
    if (status !== 0) return 'Maven cannot download OpenSearch'
  }
  const folder = mkdtempSync(join(tmpdir(), 'opensearch-'))
  const port = String(await freePort())
  // Search.java runs the node, which stores its data in `folder`.
  const args = ['-Xmx2g', '-cp', `${libraries}/*`, join(sourceFolder, 'Search.java'), folder, port]
  const node = await startProcess('OpenSearch', 'java', args)
  await load(node.baseUrl, registry)
  return {
    origin: node.baseUrl,
    toPath,
    supportsPassages: true,
    cpuSeconds: node.cpuSeconds,
    stop: async () => {
      await node.stop()
      rmSync(folder, { recursive: true, force: true })
    },
  }
}

/** Creates the index and loads the records into it. */
async function load(origin: string, registry: BenchRegistry): Promise<void> {
  const keyword = { type: 'keyword' }
  const spanish = { type: 'text', analyzer: 'spanish' }
  await send(`${origin}/record`, 'PUT', {
    settings: {
      number_of_shards: 1,
      number_of_replicas: 0,
      // No refresh while records are loaded: `load` refreshes the index once at the end.
      refresh_interval: '-1',
      'index.sort.field': ['checkinDate', 'code'],
      'index.sort.order': ['desc', 'asc'],
    },
    mappings: {
      properties: {
        code: keyword,
        municipality: keyword,
        year: keyword,
        checkinDate: { type: 'date' },
        title: spanish,
        // Offsets make passages faster.
        content: { ...spanish, index_options: 'offsets' },
        area: { type: 'text', index: false },
        inscriptionDate: { type: 'date', index: false },
        links: { type: 'text', index: false },
      },
    },
  })
  // The bulk operation takes two lines for each record: an action and the record.
  let lines: string[] = []
  const sendBatch = async (): Promise<void> => {
    if (lines.length > 0) await send(`${origin}/record/_bulk`, 'POST', `${lines.join('\n')}\n`)
    lines = []
  }
  for await (const record of generatePeerRecords(registry)) {
    const action = { index: { _id: record.code } }
    lines.push(JSON.stringify(action), JSON.stringify({ ...record, year: record.checkinDate.slice(0, 4) }))
    if (lines.length >= batchRecords * 2) await sendBatch()
  }
  await sendBatch()
  // One segment is the fastest to search. The refresh makes the records visible to searches.
  await send(`${origin}/record/_forcemerge?max_num_segments=1`, 'POST', '')
  await send(`${origin}/record/_refresh`, 'POST', '')
}

/** Sends a text as it is (newline-delimited JSON), anything else as JSON. Rejects if the node refuses it. */
async function send(url: string, method: string, body: unknown): Promise<void> {
  const isText = typeof body === 'string'
  const response = await fetch(url, {
    method,
    headers: { 'Content-Type': isText ? 'application/x-ndjson' : 'application/json' },
    body: isText ? body : JSON.stringify(body),
  })
  const result = (await response.json()) as { errors?: boolean }
  if (!response.ok || result.errors)
    throw new Error(`OpenSearch refused ${url}: ${JSON.stringify(result).slice(0, 500)}`)
}

/** The path of the query. The load generator sends no bodies, so the body of a search is in the parameter `source`. */
function toPath({ code, search, municipality, year, withPassages }: BenchQuery): string {
  if (code !== undefined) return `/record/_source/${encodeURIComponent(code)}?_source_excludes=content`
  // The search is a filter too, because filters are not scored. `cross_fields` and `and`: each word must be in the
  // title or in the content.
  const filter = [
    ...(municipality === undefined ? [] : [{ term: { municipality } }]),
    ...(year === undefined ? [] : [{ term: { year } }]),
    ...(search === undefined
      ? []
      : [{ multi_match: { query: search, fields: ['title', 'content'], type: 'cross_fields', operator: 'and' } }]),
  ]
  const body = {
    size: pageRecords,
    track_total_hits: false,
    _source: { excludes: ['content'] },
    sort: [{ checkinDate: 'desc' }, { code: 'asc' }],
    query: { bool: { filter } },
    // At most three passages of about 200 characters, as in our lists.
    ...(withPassages ? { highlight: { fields: { content: { number_of_fragments: 3, fragment_size: 200 } } } } : {}),
  }
  const parameters = new URLSearchParams({ source: JSON.stringify(body), source_content_type: 'application/json' })
  return `/record/_search?${parameters}`
}

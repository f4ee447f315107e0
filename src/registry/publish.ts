// Publishes the records of an import as a registry file: compares them with the registry in service, builds the new
// file beside it, verifies it, and puts it in service in one step. If nothing has changed, nothing is built. A failure
// before the last step leaves the registry in service as it was.
import { existsSync, statSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import type { RecordContent } from '../domain/document.ts'
import type { StoredRecord } from '../domain/record.ts'
import { RegistryBuilder } from './build.ts'
import { writeLog } from './change-log.ts'
import { verifyFile, verifyInThread } from './check.ts'
import { Candidate, type Comparison, type RecordKey, toNotComparedWarning, toRecordKey } from './compare.ts'
import type { NameResolution, Publication, PublishOptions, SnapshotMetadata } from './contract.ts'
import { RegistryId } from './digest.ts'
import { MunicipalityIndex } from './municipality-index.ts'
import type { RegistryTarget } from './stores/target.ts'

/** A record of an import, and everything that is searched besides its fields. */
export interface RegistryEntry {
  readonly record: StoredRecord
  readonly content: RecordContent
}

type Records<T> = Iterable<T> | AsyncIterable<T>

/**
 * `readEntries` yields the records in canonical order (`compareCanonically` in domain/record.ts) each time it is called,
 * and `readKeys` their keys. The keys are read twice if the registry in service has other records.
 */
export async function publishRegistry(
  target: RegistryTarget,
  readEntries: () => Records<RegistryEntry>,
  options: PublishOptions,
  readKeys: () => Records<RecordKey> = () => toKeys(readEntries()),
): Promise<Publication> {
  const { path } = target
  const hasPrevious = existsSync(path) && statSync(path).size > 0
  if (!hasPrevious && !options.dryRun) {
    return { ...(await build(target, readEntries, null, options)), difference: null, outcome: 'published' }
  }
  const [inService, { metadata, names }] = await Promise.all([
    hasPrevious && options.rebuilds !== true ? readMetadata(path) : null,
    identify(readKeys(), options),
  ])
  if (inService?.id === metadata.id) return { metadata: inService, difference: null, names, outcome: 'unchanged' }
  using candidate = hasPrevious ? new Candidate(path) : null
  if (candidate !== null) for await (const key of readKeys()) candidate.add(key)
  const { outcome, comparison, difference } = decide(candidate, options)
  if (outcome !== 'published') return { metadata, difference, names, outcome }
  return { ...(await build(target, readEntries, comparison, options)), difference, outcome }
}

async function* toKeys(entries: Records<RegistryEntry>): AsyncGenerator<RecordKey, void, undefined> {
  for await (const { record, content } of entries) yield toRecordKey(record, content)
}

/** What a registry of these records would say about itself. */
async function identify(
  keys: Records<RecordKey>,
  { fictional, codePattern = null, withPassages = true, fields = [] }: PublishOptions,
): Promise<{ readonly metadata: SnapshotMetadata; readonly names: NameResolution }> {
  const id = new RegistryId()
  const municipalities = new MunicipalityIndex()
  let records = 0
  for await (const key of keys) {
    id.add(key.digest, key.publishedNames)
    municipalities.add(key, Number(key.checkinDate.slice(0, 4)))
    records++
  }
  const options = { fictional, codePattern, withPassages, fields }
  const metadata = { id: id.finish(options), records, fictional, codePattern, fields, publishedAt: new Date() }
  return { metadata, names: municipalities.toNameResolution() }
}

/** The options that a registry can be copied with: everything else is fixed in the file. */
export type CopyOptions = Pick<PublishOptions, 'dryRun' | 'accepts' | 'rebuilds' | 'onProgress' | 'onWarning'>

/** Publishes a copy of a registry file, which is not built anew. Throws `StoreFault` if the file is damaged. */
export async function publishCopy(path: string, target: RegistryTarget, options: CopyOptions): Promise<Publication> {
  const metadata = verifyFile(path)
  const buildPath = toBuildPath(target)
  const hasPrevious = existsSync(target.path)
  const inService = hasPrevious && options.rebuilds !== true ? await readMetadata(target.path) : null
  if (inService?.id === metadata.id) return { metadata: inService, difference: null, names: null, outcome: 'unchanged' }
  using candidate = hasPrevious ? new Candidate(target.path) : null
  try {
    candidate?.addFile(path)
    const { outcome, comparison, difference } = decide(candidate, options)
    if (outcome !== 'published') return { metadata, difference, names: null, outcome }
    await copyFile(path, buildPath)
    // Without a registry in service, the copy keeps its own log.
    if (comparison !== null) writeLog(buildPath, target.path, comparison, (warning) => options.onWarning?.(warning))
    const published = verifyFile(buildPath)
    await putInService(target, options)
    return { metadata: published, difference, names: null, outcome }
  } finally {
    await rm(buildPath, { force: true })
  }
}

/** The comparison with the registry in service, and whether the candidate may replace it: then it is `published`. */
function decide(
  candidate: Candidate | null,
  { accepts, dryRun, onWarning }: CopyOptions,
): Pick<Publication, 'difference' | 'outcome'> & { readonly comparison: Comparison | null } {
  const comparison = candidate?.compare((reason) => onWarning?.(toNotComparedWarning(reason))) ?? null
  const difference = comparison === null ? null : comparison.difference
  const isAccepted = difference === null || accepts === undefined || accepts(difference)
  return { comparison, difference, outcome: isAccepted ? (dryRun ? 'checked' : 'published') : 'refused' }
}

function toBuildPath({ path }: RegistryTarget): string {
  return `${path}.building`
}

/** Puts the file at the build path in service. */
async function putInService(target: RegistryTarget, { onProgress, onWarning }: CopyOptions): Promise<void> {
  const onUpload = (done: number, total: number): void => onProgress?.('load', done, total)
  await target.publish(toBuildPath(target), { onProgress: onUpload, onWarning })
}

/**
 * What the file in service says about itself; null if it cannot stay in service, because it is damaged or of an old
 * format.
 */
async function readMetadata(path: string): Promise<SnapshotMetadata | null> {
  try {
    return await verifyInThread(path)
  } catch {
    return null
  }
}

/** Builds the file, and puts it in service. */
async function build(
  target: RegistryTarget,
  readEntries: () => Iterable<RegistryEntry> | AsyncIterable<RegistryEntry>,
  comparison: Comparison | null,
  options: PublishOptions,
): Promise<{ readonly metadata: SnapshotMetadata; readonly names: NameResolution }> {
  // The lock of the target is held, so a file there was left by an import that was killed. The builder replaces it.
  const { withPassages = true, fictional, codePattern = null, fields = [], onProgress, onWarning } = options
  const buildPath = toBuildPath(target)
  const builder = new RegistryBuilder(buildPath, withPassages, fields)
  try {
    for await (const { record, content } of readEntries()) {
      // Awaiting undefined would cost a microtask for each record.
      const untilReady = builder.add(record, content)
      if (untilReady !== undefined) await untilReady
    }
    const names = await builder.finish({ fictional, codePattern }, (done, total) => onProgress?.('index', done, total))
    writeLog(buildPath, target.path, comparison, (warning) => onWarning?.(warning))
    const metadata = verifyFile(buildPath)
    await putInService(target, options)
    return { metadata, names }
  } finally {
    await builder.discard()
  }
}

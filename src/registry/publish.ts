// Publishes the records of an import as a registry file: compares them with the registry in service, builds the new
// file beside it, verifies it, and puts it in service in one step. If nothing has changed, nothing is built. A failure
// before the last step leaves the registry in service as it was.
import { existsSync, statSync } from 'node:fs'
import { copyFile, rm } from 'node:fs/promises'
import type { RecordContent } from '../domain/document.ts'
import type { StoredRecord } from '../domain/record.ts'
import { RegistryBuilder } from './build.ts'
import { writeLog } from './change-log.ts'
import { verifyFile } from './check.ts'
import { Candidate, type Comparison, toNotComparedWarning } from './compare.ts'
import type { NameResolution, Publication, PublishOptions, SnapshotMetadata } from './contract.ts'
import type { RegistryTarget } from './stores/target.ts'

/** A record of an import, and everything that is searched besides its fields. */
export interface RegistryEntry {
  readonly record: StoredRecord
  readonly content: RecordContent
}

/**
 * `readEntries` yields the records in canonical order (`compareCanonically` in domain/record.ts), each time it is
 * called: once for the comparison, and once more if a file is built.
 */
export async function publishRegistry(
  target: RegistryTarget,
  readEntries: () => Iterable<RegistryEntry> | AsyncIterable<RegistryEntry>,
  options: PublishOptions,
): Promise<Publication> {
  const { path } = target
  const hasPrevious = existsSync(path) && statSync(path).size > 0
  if (!hasPrevious && !options.dryRun) {
    return { ...(await build(target, readEntries, null, options)), difference: null, outcome: 'published' }
  }
  const candidate = new Candidate(hasPrevious ? path : null)
  try {
    for await (const { record, content } of readEntries()) candidate.add(record, content)
    const { fictional, codePattern = null, withPassages = true } = options
    const id = candidate.toId({ fictional, codePattern, withPassages })
    const names = candidate.toNameResolution()
    const metadata = { id, records: candidate.records, fictional, codePattern, publishedAt: new Date() }
    const decision = decide(candidate, metadata, hasPrevious ? path : null, options)
    if ('outcome' in decision) return { ...decision, names }
    const { comparison, difference } = decision
    return { ...(await build(target, readEntries, comparison, options)), difference, outcome: 'published' }
  } finally {
    candidate.close()
  }
}

/** The options that a registry can be copied with: everything else is fixed in the file. */
export type CopyOptions = Pick<PublishOptions, 'dryRun' | 'accepts' | 'rebuilds' | 'onProgress' | 'onWarning'>

/** Publishes a copy of a registry file, which is not built anew. Throws `StoreFault` if the file is damaged. */
export async function publishCopy(path: string, target: RegistryTarget, options: CopyOptions): Promise<Publication> {
  const metadata = verifyFile(path)
  const buildPath = toBuildPath(target)
  const hasPrevious = existsSync(target.path)
  const candidate = new Candidate(hasPrevious ? target.path : null)
  try {
    candidate.addFile(path)
    const decision = decide(candidate, metadata, hasPrevious ? target.path : null, options)
    if ('outcome' in decision) return { ...decision, names: null }
    const { comparison, difference } = decision
    await copyFile(path, buildPath)
    // Without a registry in service, the copy keeps its own log.
    if (comparison !== null) writeLog(buildPath, target.path, comparison, (warning) => options.onWarning?.(warning))
    const published = verifyFile(buildPath)
    await putInService(target, options)
    return { metadata: published, difference, names: null, outcome: 'published' }
  } finally {
    candidate.close()
    await rm(buildPath, { force: true })
  }
}

/** The outcome of an import that publishes nothing, or the comparison with the registry in service. */
type Decision =
  | Omit<Publication, 'names'>
  | { readonly comparison: Comparison | null; readonly difference: Publication['difference'] }

/** Decides whether the candidate, of which `metadata` says what it would be, replaces the registry in service. */
function decide(
  candidate: Candidate,
  metadata: SnapshotMetadata,
  previousPath: string | null,
  { rebuilds, accepts, dryRun, onWarning }: CopyOptions,
): Decision {
  const inService = previousPath === null || rebuilds === true ? null : readMetadata(previousPath)
  if (inService?.id === metadata.id) return { metadata: inService, difference: null, outcome: 'unchanged' }
  const comparison = candidate.compare((reason) => onWarning?.(toNotComparedWarning(reason)))
  const difference = comparison === null ? null : comparison.difference
  const isAccepted = difference === null || accepts === undefined || accepts(difference)
  if (!isAccepted) return { metadata, difference, outcome: 'refused' }
  if (dryRun) return { metadata, difference, outcome: 'checked' }
  return { comparison, difference }
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
function readMetadata(path: string): SnapshotMetadata | null {
  try {
    return verifyFile(path)
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
  const { withPassages = true, fictional, codePattern = null, onProgress, onWarning } = options
  const buildPath = toBuildPath(target)
  const builder = new RegistryBuilder(buildPath, withPassages)
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

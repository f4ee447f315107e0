// Publishes the records of an import as a registry file: compares them with the registry in service, builds the new file
// beside it, verifies it, and puts it in service in one step. If nothing has changed, nothing is built. A failure before
// the last step leaves the registry in service as it was.
import { existsSync, statSync } from 'node:fs'
import type { RecordContent } from '../domain/document.ts'
import type { StoredRecord } from '../domain/record.ts'
import { RegistryBuilder } from './build.ts'
import { writeLog } from './change-log.ts'
import { verifyNewFile } from './check.ts'
import { Candidate, type Comparison, toNotComparedWarning } from './compare.ts'
import type { NameResolution, Publication, PublishOptions, SnapshotMetadata } from './contract.ts'
import { RegistryFile } from './registry-file.ts'
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
  const candidate = new Candidate()
  try {
    for await (const { record, content } of readEntries()) candidate.add(record, content)
    const warn = (reason: string): void => options.onWarning?.(toNotComparedWarning(reason))
    const comparison = hasPrevious ? candidate.compareWith(path, warn) : null
    const difference = comparison === null ? null : comparison.difference
    const { fictional, codePattern = null, withPassages = true } = options
    const id = candidate.toId({ fictional, codePattern, withPassages })
    const { records } = candidate
    const metadata = { id, records, fictional, codePattern, publishedAt: new Date() }
    const names = candidate.toNameResolution()
    const isAccepted = difference === null || options.accepts === undefined || options.accepts(difference)
    if (!isAccepted) return { metadata, difference, names, outcome: 'refused' }
    const inService = hasPrevious && options.rebuilds !== true ? readMetadata(path) : null
    if (inService?.id === id) return { metadata: inService, difference, names, outcome: 'unchanged' }
    if (options.dryRun) return { metadata, difference, names, outcome: 'checked' }
    return { ...(await build(target, readEntries, comparison, options)), difference, outcome: 'published' }
  } finally {
    candidate.close()
  }
}

/** What the file in service says about itself; null if it cannot be opened, for example because it is of an old format. */
function readMetadata(path: string): SnapshotMetadata | null {
  try {
    const file = new RegistryFile(path)
    file.closeWhenUnused()
    return file.metadata
  } catch {
    return null
  }
}

/** Builds the file, and puts it in service. */
async function build(
  target: RegistryTarget,
  readEntries: () => Iterable<RegistryEntry> | AsyncIterable<RegistryEntry>,
  comparison: Comparison | null,
  { withPassages = true, fictional, codePattern = null, onProgress, onWarning }: PublishOptions,
): Promise<{ readonly metadata: SnapshotMetadata; readonly names: NameResolution }> {
  // The lock of the target is held, so a file there was left by an import that was killed. The builder replaces it.
  const buildPath = `${target.path}.building`
  const builder = new RegistryBuilder(buildPath, withPassages)
  try {
    for await (const { record, content } of readEntries()) {
      // Awaiting undefined would cost a microtask for each record.
      const untilReady = builder.add(record, content)
      if (untilReady !== undefined) await untilReady
    }
    const names = await builder.finish({ fictional, codePattern }, (done, total) => onProgress?.('index', done, total))
    writeLog(buildPath, target.path, comparison, (warning) => onWarning?.(warning))
    const metadata = verifyNewFile(buildPath)
    await target.publish(buildPath, {
      version: metadata.id,
      onProgress: (done, total) => onProgress?.('load', done, total),
      onWarning,
    })
    return { metadata, names }
  } finally {
    await builder.discard()
  }
}

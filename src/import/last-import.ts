// What follows an import, whether it has published or not: notes its outcome beside the registry, and exports the file
// and its pointer for `--export`. command.ts calls it once the registry is in service.
import { t } from '../language.ts'
import { StoreFault } from '../registry/contract.ts'
import { readyFile, saveLastImport, showDatabase } from '../registry/open.ts'
import { exportLastImport, exportRegistry } from '../registry/stores/export.ts'
import type { LastImport } from '../registry/stores/remote.ts'
import { systemReasonOf } from '../system-reason.ts'
import type { ImportPlan } from './plan.ts'
import type { ImportReport } from './report.ts'

/** Does nothing after a dry run. Throws `StoreFault` if the registry cannot be exported. */
export async function finishImport(
  { database, dataDir, dryRun, export: exportFolder }: ImportPlan,
  report: ImportReport,
): Promise<void> {
  if (dryRun) return
  const lastImport = toLastImport(report)
  // The outcome is only shown to people, so it is no reason to fail if it cannot be written, or there is no registry.
  await saveLastImport(database, lastImport).catch(() => undefined)
  if (exportFolder === undefined) return
  try {
    if (lastImport.outcome === 'refused') await exportLastImport(exportFolder, lastImport)
    else await exportRegistry(await readyFile(database, { dataDir }), exportFolder, lastImport)
  } catch (error) {
    const reason = systemReasonOf(error)
    const message =
      lastImport.outcome === 'refused'
        ? t`Cannot write to the folder of --export, ${exportFolder}: ${reason}`
        : t`Cannot write to the folder of --export, ${exportFolder}: ${reason}; the records are in service in ${showDatabase(database)}`
    throw new StoreFault(message, { cause: error })
  }
}

function toLastImport(report: ImportReport): LastImport {
  const { fault, published, records, rows_refused: rejected, kept, refused_by_reason: reasons } = report.toJson()
  const outcome = fault !== null ? 'refused' : published ? 'published' : 'unchanged'
  const counts = { records, rejected, kept: kept.length, reasons }
  return { at: new Date().toISOString(), outcome, ...counts, ...(fault === null ? {} : { fault }) }
}

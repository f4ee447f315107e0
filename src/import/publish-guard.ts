// Keeps an import from removing many records or texts by accident, as with a truncated export or a forgotten
// `--documents`. import.ts calls it after the new snapshot is compared with the one in service, which it would replace
// (`PublishOptions.accepts`).
import type { ImportValues } from '../cli/import-settings.ts'
import { t, toQuantity } from '../language.ts'
import type { SnapshotDifference } from '../registry/contract.ts'
import { exceeds, toFlagValue } from './share.ts'

/** How many records may be missing, and how many may lose their whole text or the text of their documents. */
export type LossLimits = Pick<ImportValues, 'maxGone' | 'maxTextsGone'>

/**
 * Says what would be lost, if it is more than the limits allow; otherwise returns undefined. A fictional sample may
 * always be replaced. `rejectsFiles` is set only if every source is a rejects file, which lacks the accepted rows. It
 * has the paths of these files, quoted for a shell and separated by spaces, for the advice.
 */
export function describeLoss(
  difference: SnapshotDifference,
  limits: LossLimits,
  rejectsFiles?: string,
): string | undefined {
  const { gone, textsGone, documentTextsGone, previous } = difference
  if (previous.fictional) return undefined
  const goneMax = toFlagValue(limits.maxGone)
  const textsMax = toFlagValue(limits.maxTextsGone)
  const faults: string[] = []
  if (exceeds(gone, previous.records, limits.maxGone)) {
    const isOtherRegistry = gone === previous.records && rejectsFiles === undefined
    faults.push(
      isOtherRegistry
        ? t`all records in service would be missing (${gone}), but --max-gone is ${goneMax} (is this the file of another registry?)`
        : t`${gone} of the ${toQuantity(previous.records, 'record')} in service would be missing, but --max-gone is ${goneMax}`,
    )
  }
  // If every record with text has text of documents, and as many lose their whole text as lose the text of documents,
  // these are the same records. They are reported once, as losing the text of documents, which says what was forgotten.
  const haveOnlyDocumentTexts =
    textsGone === documentTextsGone && previous.recordsWithText === previous.recordsWithDocumentText
  if (!haveOnlyDocumentTexts && exceeds(textsGone, previous.recordsWithText, limits.maxTextsGone))
    faults.push(
      t`${textsGone} of the ${toQuantity(previous.recordsWithText, 'record')} with text would lose it, but --max-texts-gone is ${textsMax}`,
    )
  if (exceeds(documentTextsGone, previous.recordsWithDocumentText, limits.maxTextsGone))
    faults.push(
      t`${documentTextsGone} of the ${toQuantity(previous.recordsWithDocumentText, 'record')} with text of documents would lose it, but --max-texts-gone is ${textsMax} (was --documents or --fetch-documents forgotten?)`,
    )
  if (faults.length === 0) return undefined
  if (rejectsFiles !== undefined)
    return t`${faults.join('; ')}; import the corrected rows together with their source: import SOURCE ${rejectsFiles} --max-rejects N`
  return t`${faults.join('; ')}; check the source, or raise the limit if this is intended`
}

/**
 * Says that the source is probably old, if it lacks records in service and all its own records are older than the
 * newest record in service; otherwise returns undefined.
 */
export function describeOldSource({ gone, newest, previous }: SnapshotDifference): string | undefined {
  if (gone === 0 || previous.fictional || newest === null || previous.newest === null) return undefined
  if (newest >= previous.newest) return undefined
  return t`${toQuantity(gone, 'record')} in service missing in the source, whose newest record is of ${newest}, while one in service is of ${previous.newest}: is this an old file?`
}

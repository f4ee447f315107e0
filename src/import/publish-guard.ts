// Keeps an import from removing many records or texts by accident, as with a truncated export or a forgotten
// `--documents`. import.ts calls it after the new snapshot is compared with the one in service, which it would replace
// (`PublishOptions.accepts`).
import { UsageFault } from '../cli/config.ts'
import { t, toQuantity } from '../language.ts'
import type { SnapshotDifference } from '../registry/contract.ts'

/** A percentage from 0 to 100 with at most three decimals, or a number of records. */
export type LossMax = { readonly percent: number } | { readonly records: number }

export interface LossLimits {
  /** `--max-gone`: how many records may be missing. A percentage is of all records in service. */
  readonly gone: LossMax
  /**
   * `--max-texts-gone`: how many records may lose their whole text, and how many may lose the text of documents. A
   * percentage is of the records in service that have such a text.
   */
  readonly textsGone: LossMax
}

/** Parses `10%`, `2.5 %` or `25`. Throws `UsageFault` for other texts; its message names `flag`, such as `max-gone`. */
export function parseLossMax(flag: string, text: string): LossMax {
  const percent = /^(\d{1,3}(?:[.,]\d{1,3})?) ?%$/.exec(text)?.[1]?.replace(',', '.')
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent) }
  if (/^\d{1,9}$/.test(text)) return { records: Number(text) }
  throw new UsageFault(t`Cannot read --${flag}: expected a share such as 10% or a number of records, got "${text}"`)
}

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
  const textsMax = toFlagValue(limits.textsGone)
  const faults: string[] = []
  if (exceeds(gone, previous.records, limits.gone)) {
    const max = toFlagValue(limits.gone)
    // If all records would be missing, the source may be the file of another registry, unless it is a rejects file,
    // which has other advice (below).
    if (gone < previous.records || rejectsFiles !== undefined) {
      faults.push(
        previous.records === 1
          ? t`the only record in service would be missing, but --max-gone is ${max}`
          : t`${gone} of the ${toQuantity(previous.records, 'record')} in service would be missing, but --max-gone is ${max}`,
      )
    } else {
      faults.push(
        gone === 1
          ? t`the only record in service would be missing, but --max-gone is ${max} (is this the file of another registry?)`
          : t`all ${toQuantity(gone, 'record')} in service would be missing, but --max-gone is ${max} (is this the file of another registry?)`,
      )
    }
  }
  // If every record with text has text of documents, and as many lose their whole text as lose the text of documents,
  // these are the same records. They are reported once, as losing the text of documents, which says what was forgotten.
  const haveOnlyDocumentTexts =
    textsGone === documentTextsGone && previous.recordsWithText === previous.recordsWithDocumentText
  if (!haveOnlyDocumentTexts && exceeds(textsGone, previous.recordsWithText, limits.textsGone)) {
    faults.push(
      previous.recordsWithText === 1
        ? t`the only record with text would lose it, but --max-texts-gone is ${textsMax}`
        : t`${textsGone} of the ${toQuantity(previous.recordsWithText, 'record')} with text would lose it, but --max-texts-gone is ${textsMax}`,
    )
  }
  if (exceeds(documentTextsGone, previous.recordsWithDocumentText, limits.textsGone)) {
    faults.push(
      previous.recordsWithDocumentText === 1
        ? t`the only record with text of documents would lose it, but --max-texts-gone is ${textsMax} (was --documents or --fetch-documents forgotten?)`
        : t`${documentTextsGone} of the ${toQuantity(previous.recordsWithDocumentText, 'record')} with text of documents would lose it, but --max-texts-gone is ${textsMax} (was --documents or --fetch-documents forgotten?)`,
    )
  }
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

/** `all` is the number that a percentage refers to. */
function exceeds(lost: number, all: number, max: LossMax): boolean {
  if ('records' in max) return lost > max.records
  // Compares lost / all with percent / 100, both times 100,000 * all. `percent` has at most three decimals, so both
  // sides are whole numbers. Fractions would not be exact: 0.29 * 100 is less than 29.
  return lost * 100_000 > Math.round(max.percent * 1000) * all
}

/** Returns `10%` or `25`, as `parseLossMax` takes it. */
function toFlagValue(max: LossMax): string {
  return 'percent' in max ? `${max.percent}%` : String(max.records)
}

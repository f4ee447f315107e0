// Compares a new snapshot with the one in service, for the report of an import and for the decision whether to publish
// it. Two records are compared by their digests, which cover code, wire format (the JSON that clients receive),
// documents and text. If the snapshots have different storage formats, only the wire formats of records are compared.
import { t } from '../language.ts'
import type { SnapshotDifference } from './contract.ts'

/** The most codes that are listed for each kind of change. */
const exampleCodesMax = 20

/**
 * A snapshot of another format is compared only if its table `record` has these columns. The column `documents` is read
 * too if the formats are the same.
 */
export const comparedColumns: readonly string[] = [
  'position',
  'code',
  'folded_code',
  'checkin_date',
  'has_text',
  'digest',
  'wire',
]

export interface Comparison {
  /** Runs a query on a connection that reads both snapshots. Rows are arrays. */
  readonly select: (sql: string) => readonly unknown[][] | Promise<readonly unknown[][]>
  /** Names of the schemas of the new snapshot and of the one in service, with their dots, such as `main.`. */
  readonly next: string
  readonly previous: string
  /** Whether both have the same `formatVersion`. */
  readonly isSameFormat: boolean
}

/** The warning of an import that is published without a comparison because the snapshot in service is damaged. */
export function toNotComparedWarning(reason: string): string {
  return t`The registry in service is damaged and was not compared: ${reason}`
}

/** Counts the differences in SQL, so that no records are loaded. */
export async function compareSnapshots(comparison: Comparison): Promise<SnapshotDifference> {
  const { next, previous } = comparison
  const conditions = toConditions(comparison)
  const { counts, newest, newestBefore } = await selectCounts(comparison, conditions)
  const added = counts.inNext - counts.inBoth
  const gone = counts.inPrevious - counts.inBoth
  const selectExamples = async (count: number, query: string): Promise<string[]> => {
    if (count === 0) return []
    const rows = await comparison.select(`${query} LIMIT ${exampleCodesMax}`)
    return rows.map(([code]) => String(code))
  }
  return {
    added,
    changed: counts.changed,
    gone,
    textsGone: counts.textsGone,
    documentTextsGone: counts.documentTextsGone,
    previous: {
      records: counts.inPrevious,
      recordsWithText: counts.previousWithText,
      recordsWithDocumentText: counts.previousWithDocumentText,
      fictional: counts.previousIsFictional > 0,
      newest: newestBefore,
    },
    newest,
    examples: {
      added: await selectExamples(added, toOnlyInQuery(next, previous)),
      changed: await selectExamples(counts.changed, toChangedQuery(comparison, conditions)),
      gone: await selectExamples(gone, toOnlyInQuery(previous, next)),
    },
  }
}

/** SQL conditions about a record that both snapshots have: `old` is its previous row, `new` its next one. */
interface Conditions {
  readonly isChanged: string
  /** The record had text of a document. Unlike the other two conditions, it needs only the row `old`. */
  readonly hadDocumentText: string
  /** The record had text of a document and has none now. It may still have the text of its column `content`. */
  readonly lostDocumentText: string
}

function toConditions({ isSameFormat }: Comparison): Conditions {
  if (isSameFormat) {
    return {
      isChanged: 'old.digest <> new.digest',
      hadDocumentText: hasDocumentText('old'),
      lostDocumentText: `${hasDocumentText('old')} AND NOT ${hasDocumentText('new')}`,
    }
  }
  // Another format may compute digests in another way, so the wire formats are compared. It may also lack the column
  // `documents`, so no loss of document text is reported.
  const never = '1 = 0'
  return { isChanged: 'old.wire <> new.wire', hadDocumentText: never, lostDocumentText: never }
}

/**
 * SQL condition: some page of a document was read, or recognised from its image. The column `documents` is JSON such as
 * `[{"read":12,"recognised":0}]`; text functions read it in the same way on both engines.
 */
function hasDocumentText(row: 'old' | 'new'): string {
  // After every `"read":0` is removed, the JSON still contains `"read":` only if a document has another number there.
  const conditions = ['read', 'recognised'].map(
    (name) => `replace(${row}.documents, '"${name}":0', '') LIKE '%"${name}":%'`,
  )
  return `(${conditions.join(' OR ')})`
}

/** Selects the numbers of records, whether the previous snapshot is fictional, and the latest dates, with one query. */
async function selectCounts(comparison: Comparison, { isChanged, hadDocumentText, lostDocumentText }: Conditions) {
  const { select, next, previous } = comparison
  const countColumns = {
    inBoth: 'count(*)',
    changed: countWhere(isChanged),
    // `has_text` is 1 or 0.
    textsGone: countWhere('old.has_text > new.has_text'),
    documentTextsGone: countWhere(lostDocumentText),
    inNext: `(SELECT count(*) FROM ${next}record)`,
    inPrevious: `(SELECT count(*) FROM ${previous}record)`,
    previousWithText: `(SELECT count(*) FROM ${previous}record WHERE has_text = 1)`,
    previousWithDocumentText: `(SELECT count(*) FROM ${previous}record AS old WHERE ${hadDocumentText})`,
    previousIsFictional: `(SELECT count(*) FROM ${previous}property WHERE name = 'fictional' AND value = '1')`,
  }
  const columns = [...Object.values(countColumns), newestDay(next), newestDay(previous)]
  const [row = []] = await select(`SELECT ${columns.join(', ')} FROM ${toRecordsInBoth(comparison)}`)
  const names = Object.keys(countColumns)
  const counts = Object.fromEntries(names.map((name, column) => [name, Number(row[column] ?? 0)]))
  // The two days are the columns after the counts.
  const [newest, newestBefore] = row.slice(names.length)
  return {
    counts: counts as Record<keyof typeof countColumns, number>,
    newest: toDay(newest),
    newestBefore: toDay(newestBefore),
  }
}

/** SQL expression: the number of rows for which the condition is true. */
function countWhere(condition: string): string {
  return `count(CASE WHEN ${condition} THEN 1 END)`
}

/** SQL expression: the latest `checkin_date`, which the first record has, because records are stored newest first. */
function newestDay(schema: string): string {
  return `(SELECT checkin_date FROM ${schema}record ORDER BY position LIMIT 1)`
}

/** The value of `newestDay`: a day, or null if the snapshot has no records. */
function toDay(value: unknown): string | null {
  return typeof value === 'string' ? value : null
}

/** SQL after `FROM`: the records that both snapshots have, as rows of `new` and `old`. */
function toRecordsInBoth({ next, previous }: Comparison): string {
  return `${next}record AS new JOIN ${previous}record AS old USING (folded_code)`
}

/** Selects the codes of the changed records. */
function toChangedQuery(comparison: Comparison, { isChanged }: Conditions): string {
  return `SELECT new.code FROM ${toRecordsInBoth(comparison)} WHERE ${isChanged} ORDER BY new.position`
}

/** Selects the codes that the snapshot in `schema` has and the one in `otherSchema` lacks. */
function toOnlyInQuery(schema: string, otherSchema: string): string {
  return `SELECT code FROM ${schema}record AS one WHERE NOT EXISTS (
    SELECT 1 FROM ${otherSchema}record AS other WHERE other.folded_code = one.folded_code) ORDER BY position`
}

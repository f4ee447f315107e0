// Difference between a new snapshot and the one in service, for the report of an import and for the decision whether to
// publish it. Two records are compared by their digests, which cover code, wire format, documents and text.
import type { SnapshotDifference } from './contract.ts'

/** Codes listed for each kind of change. */
const exampleCodesMax = 20

/** The columns that the comparison reads. A snapshot of another format can be compared if it has them. */
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
  /** Names of the schemas with their dots, such as `main.`. */
  readonly next: string
  readonly previous: string
  /**
   * Whether both have the same `formatVersion`. Another format may compute digests in another way; then records are
   * compared by their wire format.
   */
  readonly isSameFormat: boolean
}

/** Counts the differences in SQL, so that no records are loaded. */
export async function compareSnapshots({
  select,
  next,
  previous,
  isSameFormat,
}: Comparison): Promise<SnapshotDifference> {
  // A record that keeps the text of its column `content` may still lose the text of its documents. Another format may
  // lack the column `documents`; then no loss is reported.
  const never = '1 = 0'
  const hadPages = isSameFormat ? hasReadPages('old') : never
  const lostPages = isSameFormat ? `${hadPages} AND NOT ${hasReadPages('new')}` : never
  const isChanged = isSameFormat ? 'old.digest <> new.digest' : 'old.wire <> new.wire'
  const inBoth = `${next}record AS new JOIN ${previous}record AS old USING (folded_code)`
  const [counts = []] = await select(`
    SELECT count(*), count(CASE WHEN ${isChanged} THEN 1 END),
      count(CASE WHEN old.has_text > new.has_text THEN 1 END), count(CASE WHEN ${lostPages} THEN 1 END),
      (SELECT count(*) FROM ${next}record), (SELECT count(*) FROM ${previous}record),
      (SELECT count(*) FROM ${previous}record WHERE has_text = 1),
      (SELECT count(*) FROM ${previous}record AS old WHERE ${hadPages}),
      (SELECT count(*) FROM ${previous}property WHERE name = 'fictional' AND value = '1'),
      ${newestDay(next)}, ${newestDay(previous)}
    FROM ${inBoth}`)
  // The names are in the order of the columns above. The last two columns are the days.
  const [both = 0, changed = 0, textsGone = 0, documentTextsGone = 0, inNext = 0, inPrevious = 0, ...ofPrevious] =
    counts.map(Number)
  const [withText = 0, withDocumentText = 0, fictional = 0] = ofPrevious
  const [newest, newestBefore] = counts.slice(-2).map((day) => (typeof day === 'string' ? day : null))
  const added = inNext - both
  const gone = inPrevious - both
  const selectCodes = async (count: number, codesFrom: string): Promise<string[]> => {
    if (count === 0) return []
    return (await select(`SELECT ${codesFrom} LIMIT ${exampleCodesMax}`)).map(([code]) => String(code))
  }
  /** The rest of a `SELECT` of the codes that only one of the snapshots has. */
  const onlyIn = (schema: string, other: string): string =>
    `code FROM ${schema}record AS one WHERE NOT EXISTS (
      SELECT 1 FROM ${other}record AS two WHERE two.folded_code = one.folded_code) ORDER BY position`
  return {
    added,
    changed,
    gone,
    textsGone,
    documentTextsGone,
    previous: {
      records: inPrevious,
      recordsWithText: withText,
      recordsWithDocumentText: withDocumentText,
      fictional: fictional > 0,
      newest: newestBefore ?? null,
    },
    newest: newest ?? null,
    examples: {
      added: await selectCodes(added, onlyIn(next, previous)),
      changed: await selectCodes(changed, `new.code FROM ${inBoth} WHERE ${isChanged} ORDER BY new.position`),
      gone: await selectCodes(gone, onlyIn(previous, next)),
    },
  }
}

/** SQL expression: the latest date of entry. Records are stored in canonical order, newest first. */
function newestDay(schema: string): string {
  return `(SELECT checkin_date FROM ${schema}record ORDER BY position LIMIT 1)`
}

/**
 * SQL condition: the text of some page was read from a document or recognised from its image. The column `documents` is
 * JSON such as `[{"read":12,"recognised":0}]`; text functions read it in the same way on both engines.
 */
function hasReadPages(row: 'old' | 'new'): string {
  // After `"read":0` is removed, the JSON still contains `"read":` only if another document has such pages.
  const conditions = ['read', 'recognised'].map(
    (name) => `replace(${row}.documents, '"${name}":0', '') LIKE '%"${name}":%'`,
  )
  return `(${conditions.join(' OR ')})`
}

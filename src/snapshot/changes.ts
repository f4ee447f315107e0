// Difference between a new snapshot and the one in service, for the report of an import and for the decision whether to
// publish it. The digest of a record covers its code, its wire form and its text.
import type { Changes } from './contract.ts'

/** Codes listed for each kind of change. */
const exampleCodesMax = 20

/** The columns that the comparison reads. A snapshot of another format can be compared if it has them. */
export const comparedColumns: readonly string[] = ['position', 'code', 'folded_code', 'has_text', 'digest', 'wire']

export interface Comparison {
  /** Runs a query on a connection that reads both snapshots. Rows are arrays. */
  readonly select: (sql: string) => readonly unknown[][] | Promise<readonly unknown[][]>
  /** Names of the schemas with their dots, such as `main.`. */
  readonly next: string
  readonly previous: string
  /** Another format may compute digests in another way; then records are compared by their wire form. */
  readonly isSameFormat: boolean
}

export async function compareSnapshots({ select, next, previous, isSameFormat }: Comparison): Promise<Changes> {
  // A record that keeps its `content` may still lose the text of its documents.
  const hadPages = isSameFormat ? hasReadPages('old') : '1 = 0'
  const lostPages = isSameFormat ? `${hadPages} AND NOT ${hasReadPages('new')}` : '1 = 0'
  const isChanged = isSameFormat ? 'old.digest <> new.digest' : 'old.wire <> new.wire'
  const inBoth = `${next}record AS new JOIN ${previous}record AS old USING (folded_code)`
  const [counts = []] = await select(`
    SELECT count(*), count(CASE WHEN ${isChanged} THEN 1 END),
      count(CASE WHEN old.has_text > new.has_text THEN 1 END), count(CASE WHEN ${lostPages} THEN 1 END),
      (SELECT count(*) FROM ${next}record), (SELECT count(*) FROM ${previous}record),
      (SELECT count(*) FROM ${previous}record WHERE has_text = 1),
      (SELECT count(*) FROM ${previous}record AS old WHERE ${hadPages}),
      (SELECT count(*) FROM ${previous}property WHERE name = 'fictional' AND value = '1')
    FROM ${inBoth}`)
  const [both = 0, changed = 0, textsGone = 0, documentTextsGone = 0, inNext = 0, inPrevious = 0, ...rest] =
    counts.map(Number)
  const [withText = 0, withDocumentText = 0, fictional = 0] = rest
  const added = inNext - both
  const gone = inPrevious - both
  const selectCodes = async (count: number, rows: string): Promise<string[]> => {
    if (count === 0) return []
    return (await select(`SELECT ${rows} LIMIT ${exampleCodesMax}`)).map(([code]) => String(code))
  }
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
    },
    examples: {
      added: await selectCodes(added, onlyIn(next, previous)),
      changed: await selectCodes(changed, `new.code FROM ${inBoth} WHERE ${isChanged} ORDER BY new.position`),
      gone: await selectCodes(gone, onlyIn(previous, next)),
    },
  }
}

/** SQL condition: a page of a document was read or recognised, by the JSON in `documents`, equal on both engines. */
function hasReadPages(row: 'old' | 'new'): string {
  // Without its zero counts, the JSON names a count only if some document has such pages.
  const counts = ['read', 'recognised'].map((name) => `replace(${row}.documents, '"${name}":0', '')`)
  return `(${counts.map((text, index) => `${text} LIKE '%"${['read', 'recognised'][index]}":%'`).join(' OR ')})`
}

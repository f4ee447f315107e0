// The operation `changes`, for clients that keep a copy of the registry. A client first lists all current records, page
// by page, and then reads the change log. The `Link` header of each response has the token for the next request, an
// opaque text. For example, if the log had 7 changes when the client began:
//
//     since                      the response lists         token in its Link header
//     none                       the first records          change 7, listed to record A
//     change 7, listed to A      the other records          change 7
//     change 7                   changes 8 and 9            change 9
import { type ChangeToken, parseToken, toTokenText } from '../domain/change.ts'
import type { Deadline } from '../domain/deadline.ts'
import type { Query } from '../domain/query.ts'
import { limitMax } from '../domain/query-limits.ts'
import type { WireRecord } from '../domain/record.ts'
import type { WireChange, WireIncluded } from '../domain/wire.ts'
import { t } from '../language.ts'
import { Problem } from '../problems.ts'
import { type Snapshot, StoreUnavailable } from '../registry/contract.ts'
import type { OperationCode } from './operation.ts'
import { hasConditions, type ParsedParameters, toMalformedProblem, toRelativeUrl } from './parameters.ts'
import { explainPlace } from './unknown-place.ts'

/**
 * What a response that shows changes depends on besides the id of the snapshot: two snapshots with the same records
 * have the same id, but their logs and times can differ. `lineage` is the random id of the log, `last` its last change.
 */
export function toLogState({ changes, metadata }: Snapshot): string[] {
  const { lineage, last } = changes.facts
  return [lineage, String(last), metadata.publishedAt.toISOString()]
}

export const listChanges: OperationCode = {
  // What `include=record` shows of a record.
  includable: { record: ['cod_archivo', 'place', 'fields'] },
  answer: async (parameters, snapshot, deadline) => {
    const token = await parseSince(parameters, snapshot)
    if (token instanceof Problem) return token
    const { query, values } = parameters
    const isFirstRequest = !values.has('since')
    const readPage = isFirstRequest || token.listedTo !== undefined ? listRecords : readLog
    return {
      variant: toLogState(snapshot),
      make: async () => {
        const page = await readPage(token, query, snapshot, deadline)
        const url = toRelativeUrl('changes', new Map([...values, ['since', toTokenText(page.token)]]))
        return {
          body: JSON.stringify({ changes: page.changes }),
          // A client requests `next` at once; it saves `latest` and requests it later, for later changes.
          links: [{ relation: page.isLast ? 'latest' : 'next', url }],
          // A response without a data version is not cached: a token ahead of the log soon expires.
          dataVersion: isAhead(token, snapshot) ? undefined : snapshot,
        }
      },
    }
  },
}

interface ChangesPage {
  readonly changes: readonly WireChange[]
  /** The value of `since` for the next request, which after the last page asks for newer changes. */
  readonly token: ChangeToken
  readonly isLast: boolean
}

/** The token of the request, or its problem. Without `since`, the token of a listing of all records that begins now. */
async function parseSince({ query, values }: ParsedParameters, snapshot: Snapshot): Promise<ChangeToken | Problem> {
  const since = values.get('since')
  if (since === undefined) {
    const { lineage, last } = snapshot.changes.facts
    // `explainPlace` returns a problem if a place in the filters has no records, for example because its name is
    // misspelt. The place is checked only when a copy begins: later, all its records may be gone.
    return explainPlace(query, snapshot) ?? { lineage, number: last, atMs: await findTime(snapshot, last) }
  }
  const token = parseToken(since)
  if (token === undefined) return toMalformedProblem('since', since)
  if (await canContinueFrom(token, snapshot)) return token
  const detail = 'The change log does not reach back to this token; copy the registry again, starting without since'
  return new Problem('expired-since', detail, { parameter: 'since' })
}

async function canContinueFrom(token: ChangeToken, snapshot: Snapshot): Promise<boolean> {
  if (token.lineage !== snapshot.changes.facts.lineage) return false
  return isAhead(token, snapshot) ? await isPlausiblyAhead(token, snapshot) : await logReachesBackTo(token, snapshot)
}

/** Whether the token names a change that this process does not have: another process may serve a newer snapshot. */
function isAhead({ number }: ChangeToken, snapshot: Snapshot): boolean {
  return number > snapshot.changes.facts.last
}

/**
 * Whether another process can have given out a token that is ahead of the log. Otherwise the registry must have been
 * restored from a backup: this process should have the change by now, or the change is older than the last one here.
 */
async function isPlausiblyAhead({ atMs }: ChangeToken, snapshot: Snapshot): Promise<boolean> {
  const isRecent = Date.now() - atMs < aheadMsMax
  return isRecent && atMs >= (await findTime(snapshot, snapshot.changes.facts.last))
}

/** A new snapshot should reach every process, and every machine with a copy of the database file, within this time. */
const aheadMsMax = 60 * 60 * 1000

/** Whether the log still has every change after the token. */
async function logReachesBackTo({ number, atMs }: ChangeToken, snapshot: Snapshot): Promise<boolean> {
  // The number 0 stands before the first change, so the log must still have change 1, if there are any changes.
  if (number === 0) return snapshot.changes.facts.last === 0 || (await snapshot.changes.find(1)) !== undefined
  // The log may have removed the change. The times differ if the registry was restored from a backup and then changed
  // again.
  const change = await snapshot.changes.find(number)
  return change !== undefined && Date.parse(change.at) === atMs
}

/** The time of a change in milliseconds since 1970; 0 for the number 0, and if the log does not have the change. */
async function findTime(snapshot: Snapshot, number: number): Promise<number> {
  const change = number === 0 ? undefined : await snapshot.changes.find(number)
  return change === undefined ? 0 : Date.parse(change.at)
}

/** Reads the change log after the token. */
async function readLog(
  token: ChangeToken,
  query: Query,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<ChangesPage> {
  const { limit = limitMax, include } = query
  const filters = hasConditions(query) ? query : undefined
  const page = await snapshot.changes.readAfter(token.number, { filters, limit, include }, deadline)
  // The number of the last change that was read. With filters, the record of that change may not match.
  const { reached } = page
  return {
    changes: page.changes.map(({ kind, code, at, wire }) => {
      const change: WireChange = { kind, cod_archivo: code, at }
      return wire === undefined ? change : { ...change, record: wire === null ? null : JSON.parse(wire) }
    }),
    token: reached === token.number ? token : { ...token, number: reached, atMs: await findTime(snapshot, reached) },
    isLast: reached >= snapshot.changes.facts.last,
  }
}

/**
 * Lists the current records that match the filters, page by page, in the order of search results. `listedTo` is the
 * last record of the page before; undefined for the first page. `logToken` stays the same until the listing ends: then
 * the client reads the log from the last change before the listing began.
 */
async function listRecords(
  { listedTo, ...logToken }: ChangeToken,
  { limit = limitMax, include, ...filters }: Query,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<ChangesPage> {
  // If the token is ahead, the listing began in another process. A record that is new there is missing in this
  // snapshot, and its change is not after the token, so the client would never get it. The response is a 503, so that
  // the client tries again. This process usually has the newer snapshot soon.
  if (isAhead(logToken, snapshot)) throw new StoreUnavailable(t`another process has newer records`)
  const included = include ?? ['cod_archivo']
  const page = await snapshot.page({ ...filters, include: included, after: listedTo, limit }, deadline)
  // The page is null if no record matches, or if a new snapshot has no matching record after `listedTo` any more. The
  // text of a page is JSON objects joined by commas.
  const records = page === null ? [] : (JSON.parse(`[${page.text}]`) as (WireRecord & WireIncluded)[])
  const at = snapshot.metadata.publishedAt.toISOString()
  const changes = records.map((record): WireChange => {
    const change: WireChange = { kind: 'new', cod_archivo: record.cod_archivo ?? '', at }
    return include === undefined ? change : { ...change, record }
  })
  const next = page?.next ?? undefined
  if (next !== undefined) return { changes, token: { ...logToken, listedTo: next }, isLast: false }
  // If a snapshot was published while the client was listing, the changes since the listing began are still to come.
  return { changes, token: logToken, isLast: logToken.number === snapshot.changes.facts.last }
}

// `record` and `record/{cod_archivo}`: the one operation of the specification (section 4.1), from the raw request to
// the answer.
import type { Batch, RegistryStore, Snapshot } from '../store/store.ts'
import type { Answer, Ask } from './answer.ts'
import { toJsonHeaders, toProblemAnswer, toStreamedAnswer, toTag, toWholeAnswer } from './answer.ts'
import { findUnchanged, isHeld, toEntityTag, toUnchanged } from './conditional.ts'
import type { Asked } from './parse.ts'
import { parseAsked, recordParameters, toAddress } from './parse.ts'
import { Problem } from './problems.ts'
import { whyEmpty } from './why-empty.ts'

type Batches = AsyncGenerator<Batch, void, undefined>

/** `rawCode` is what follows `record/`, still encoded; undefined for a search. */
export async function answerRecords(ask: Ask, store: RegistryStore, rawCode?: string): Promise<Answer> {
  const asked = parseAsked(ask.target.query, recordParameters, rawCode)
  if (asked instanceof Problem) return toProblemAnswer(asked, ask)

  const snapshot = store.current()
  const tag = toTag(snapshot.facts.id, toAddress('record', asked.values))
  const unchanged = findUnchanged(ask, tag, toJsonHeaders(snapshot))
  if (unchanged !== undefined) return unchanged

  const batches = snapshot.search(asked.query, ask.patience)
  const first = await batches.next()
  // An empty search is 404, so the first batch comes before the status.
  if (first.done) return toProblemAnswer(await whyEmpty(asked, snapshot), ask)
  return asked.query.limit === undefined
    ? toResult(ask, tag, snapshot, first.value, batches)
    : toPage(ask, tag, snapshot, asked, first.value, batches)
}

/** Everything that matches: whole where it is small, streamed where it is not. */
async function toResult(ask: Ask, tag: string, snapshot: Snapshot, first: Batch, rest: Batches): Promise<Answer> {
  const headers = toJsonHeaders(snapshot)
  const begun = [first]
  for (let bytes = first.bytes.byteLength; bytes < wholeBytesMax; ) {
    const next = await rest.next()
    if (next.done) return { ...(await toWholeAnswer(ask, tag, headers, toEnvelope(begun))), madeOf: snapshot }
    begun.push(next.value)
    bytes += next.value.bytes.byteLength
  }
  const entityTag = toEntityTag(tag, ask.coding.name)
  if (isHeld(ask, entityTag, headers)) {
    await rest.return()
    return toUnchanged(entityTag, headers)
  }
  ask.patience?.begin()
  return toStreamedAnswer(ask, tag, headers, streamEnvelope(begun, rest), () => rest.return())
}

/** One page, and the address of the next where there is one: no `Link` ever leads to a 404. */
async function toPage(
  ask: Ask,
  tag: string,
  snapshot: Snapshot,
  asked: Asked,
  first: Batch,
  rest: Batches,
): Promise<Answer> {
  const page = [first]
  for await (const batch of rest) page.push(batch)
  const answer = await toWholeAnswer(ask, tag, toJsonHeaders(snapshot), toEnvelope(page))
  const cursor = page.at(-1)?.next
  if (!cursor) return { ...answer, madeOf: snapshot }
  return { ...answer, next: toAddress('record', asked.values, cursor), madeOf: snapshot }
}

/** Up to here an answer is worth holding whole, for its Content-Length and for the cache. */
const wholeBytesMax = 256 * 1024

const opening = Buffer.from('{"resultadoBusqueda":[')
const comma = Buffer.from(',')
const closing = Buffer.from(']}')

function toEnvelope(batches: readonly Batch[]): Buffer {
  const parts: Uint8Array[] = []
  for (const batch of batches) parts.push(parts.length === 0 ? opening : comma, batch.bytes)
  return Buffer.concat([...parts, closing])
}

/** Separators go as chunks of their own: copying megabytes to put a comma before them costs more. */
async function* streamEnvelope(begun: readonly Batch[], rest: Batches): AsyncGenerator<Uint8Array, void, undefined> {
  let separator = opening
  for (const { bytes } of begun) {
    yield separator
    yield bytes
    separator = comma
  }
  for await (const { bytes } of rest) {
    yield comma
    yield bytes
  }
  yield closing
}

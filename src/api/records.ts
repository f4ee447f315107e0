// The operations `record` and `record/{cod_archivo}`: search for records, and get one record (section 4.1 of the
// specification of the interface, see docs/decisions/specification-gaps.md). A snapshot, the published copy of the
// registry, already has the records as the JSON that clients receive, so a response joins their bytes in an envelope,
// `{"resultadoBusqueda":[…]}`.

import type { Deadline } from '../domain/deadline.ts'
import type { Query } from '../domain/query.ts'
import { type Content, toBody } from '../http/respond.ts'
import type { Link } from '../http/response.ts'
import { type ResponseHeaders, toTotalCountHeaders } from '../http/response-headers.ts'
import { Problem } from '../problems.ts'
import type { Batch, PageQuery, Snapshot } from '../registry/contract.ts'
import { toNamesakeLinks } from './namesakes.ts'
import type { OperationCode } from './operation.ts'
import { type ParameterValues, toRelativeUrl } from './parameters.ts'

export const searchRecords: OperationCode = {
  answer: ({ query, values }, snapshot, deadline) => {
    const { include = [] } = query
    if (include.includes('passages') && !snapshot.hasPassages) {
      const detail = 'Cannot include passages: this registry was imported with --no-passages'
      return new Problem('passages-unavailable', detail, { parameter: 'include' })
    }
    // The addresses of documents depend on the service. Any other response is the same on every host, with its tag.
    const hasAddresses = include.includes('documents') || include.includes('passages')
    return {
      variant: hasAddresses ? [String(snapshot.documentBase)] : [],
      make: async () => {
        // With `count=exact`: the number of matching records on all pages.
        const headers = values.has('count') ? await countMatches(query, snapshot, deadline) : {}
        // A code belongs to one record at most, so its result is a page of one. Without a limit, the result is whole.
        const limit = query.cod_archivo === undefined ? query.limit : (query.limit ?? 1)
        const content =
          limit === undefined
            ? await readAll(query, snapshot, deadline)
            : await readPage({ ...query, limit }, values, snapshot, deadline)
        if (content === undefined) return undefined
        const links = [...(content.links ?? []), ...toNamesakeLinks('record', { query, values }, snapshot)]
        return { ...content, headers, links }
      },
    }
  },
}

async function countMatches(
  { limit: _limit, after: _after, include: _include, ...filters }: Query,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<ResponseHeaders> {
  const { total } = await snapshot.summarise(filters, deadline)
  return toTotalCountHeaders(total)
}

/** One page. It links to the next page only if that has records. */
async function readPage(
  query: PageQuery,
  values: ParameterValues,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Content | undefined> {
  const page = await snapshot.page(query, deadline)
  if (page === null) return undefined
  const links: Link[] =
    page.next === null ? [] : [{ relation: 'next', url: toRelativeUrl('record', values, page.next) }]
  return { body: opening + page.text + closing, links }
}

async function readAll(query: Query, snapshot: Snapshot, deadline: Deadline | undefined): Promise<Content | undefined> {
  const body = await toBody(toChunks(snapshot.search(query, deadline)))
  return body && { body }
}

const opening = '{"resultadoBusqueda":['
const closing = ']}'

const openingBytes = Buffer.from(opening)
const commaBytes = Buffer.from(',')
const closingBytes = Buffer.from(closing)

/** Yields no chunk if there is no record. Separators are chunks of their own: joining them to a batch would copy it. */
async function* toChunks(batches: AsyncGenerator<Batch, void, undefined>): AsyncGenerator<Uint8Array, void, undefined> {
  let separator = openingBytes
  for await (const { bytes } of batches) {
    yield separator
    yield bytes
    separator = commaBytes
  }
  const hasRecords = separator === commaBytes
  if (hasRecords) yield closingBytes
}

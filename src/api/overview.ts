// The operations `municipality` and `summary`: the list of municipalities and the counts of matching records.
import { countedValuesMax } from '../domain/own-fields.ts'
import { type Province, provinceOf } from '../domain/province.ts'
import type { WireMunicipality, WireSummary } from '../domain/wire.ts'
import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { MunicipalityFacts, Snapshot, SnapshotSource, Summary } from '../registry/contract.ts'
import { currentSnapshot } from './current-snapshot.ts'
import { explainEmptyResult } from './empty-result.ts'
import { toJsonHeaders, toTag } from './json-response.ts'
import { withNamesakeLinks } from './namesakes.ts'
import { parseParameters, summaryParameters, toCacheKey } from './parameters.ts'

/** Lists the municipalities that have records, in order of name. */
export async function handleMunicipalities(request: ApiRequest, store: SnapshotSource): Promise<ApiResponse> {
  const parameters = parseParameters(request.target.query, [])
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  const tag = toTag(snapshot.metadata.id, ['municipality'])
  const notModified = findNotModified(request, tag, toJsonHeaders(snapshot))
  if (notModified !== undefined) return notModified
  const body = { municipalities: snapshot.municipalities.map(toWireMunicipality) }
  return toWholeResponse(request, tag, toJsonHeaders(snapshot), toJson(body), snapshot)
}

/** Counts the records that match the filters, by year, municipality and province. */
export async function handleSummary(request: ApiRequest, store: SnapshotSource): Promise<ApiResponse> {
  // The path has no inscription code, and `include` may only be `documents`.
  const parameters = parseParameters(request.target.query, summaryParameters, currentSnapshot(store)?.metadata, {
    includable: { documents: ['documents'] },
  })
  if (parameters instanceof Problem) return toProblemResponse(parameters, request)
  const snapshot = store.current()
  const tag = toTag(snapshot.metadata.id, toCacheKey('summary', parameters.values))
  const notModified = findNotModified(request, tag, toJsonHeaders(snapshot))
  if (notModified !== undefined) return notModified
  const { include, facets = [], ...filters } = parameters.query
  const problem = findUncountable(facets, snapshot)
  if (problem !== undefined) return toProblemResponse(problem, request)
  const withDocuments = include !== undefined
  const summary = await snapshot.summarise(filters, request.deadline, { withDocuments, facets })
  if (summary.total === 0) {
    return toProblemResponse(await explainEmptyResult(parameters, snapshot, request.deadline), request)
  }
  const body = toSummaryBody(summary, snapshot)
  const response = await toWholeResponse(request, tag, toJsonHeaders(snapshot), body, snapshot)
  // If several municipalities have the requested name, such as Cieza, the response links to each of them.
  return withNamesakeLinks(response, 'summary', parameters, snapshot)
}

export function toWireMunicipality(facts: MunicipalityFacts): WireMunicipality {
  return {
    name: facts.name,
    ine_code: facts.ineCode,
    other_names: [...facts.otherNames],
    records: facts.records,
    first_year: facts.firstYear,
    last_year: facts.lastYear,
  }
}

/**
 * Bodies of summaries. A snapshot returns the same object each time for the summary without filters and without
 * `include=documents`, so its body, with up to 8,000 municipalities, is built once. Building it for each request made
 * requests for single records at the same time take 17 ms (p99) instead of 3.
 */
const summaryBodies = new WeakMap<Summary, Buffer>()

function toSummaryBody(summary: Summary, snapshot: Snapshot): Buffer {
  const cached = summaryBodies.get(summary)
  if (cached !== undefined) return cached
  const body = toJson(toWireSummary(summary, snapshot))
  summaryBodies.set(summary, body)
  return body
}

function toWireSummary(
  { total, byYear, byMunicipality, documents, byField }: Summary,
  snapshot: Snapshot,
): WireSummary {
  return {
    total,
    by_year: byYear.map(({ year, records }) => ({ year, records })),
    // A summary has the index of each municipality in `snapshot.municipalities`.
    by_municipality: byMunicipality.map(({ municipality: index, records }) => {
      const { name, ineCode } = snapshot.municipalities[index] as MunicipalityFacts
      return { name, ine_code: ineCode, records }
    }),
    by_province: countProvinces(byMunicipality, snapshot),
    ...(documents === undefined ? {} : { documents }),
    ...(byField === undefined ? {} : { by_field: byField }),
  }
}

/** The problem of a field that has too many values to be counted. */
function findUncountable(facets: readonly string[], snapshot: Snapshot): Problem | undefined {
  const name = facets.find((each) => snapshot.readFieldValues(each, countedValuesMax + 1).length > countedValuesMax)
  if (name === undefined) return undefined
  const detail = `Cannot count the field ${name}: it has more than ${countedValuesMax} different values; leave it out`
  return new Problem('malformed-value', detail, { parameter: 'facets' })
}

/**
 * Counts records by province: most records first, then by code. Municipalities without an INE code, the number in the
 * national list that begins with the province, are left out.
 */
function countProvinces(
  byMunicipality: Summary['byMunicipality'],
  { municipalities }: Snapshot,
): WireSummary['by_province'] {
  const counts = new Map<Province, number>()
  for (const { municipality: index, records } of byMunicipality) {
    const province = provinceOf(municipalities[index]?.ineCode ?? '')
    if (province !== undefined) counts.set(province, (counts.get(province) ?? 0) + records)
  }
  return [...counts]
    .sort(([a, recordsOfA], [b, recordsOfB]) => recordsOfB - recordsOfA || (a.code < b.code ? -1 : 1))
    .map(([{ name, code }, records]) => ({ name, ine_code: code, records }))
}

function toJson(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body))
}

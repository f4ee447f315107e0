// `municipality` and `summary`: what there is in the registry, and how much of it matches.
import type { WireMunicipality, WireSummary } from '../domain/wire.ts'
import { findNotModified } from '../http/conditional.ts'
import type { ApiRequest, ApiResponse } from '../http/response.ts'
import { toProblemResponse, toWholeResponse } from '../http/response.ts'
import { Problem } from '../problems.ts'
import type { MunicipalityFacts, RegistryStore, Snapshot, Summary } from '../snapshot/contract.ts'
import { explainEmptyResult } from './empty-result.ts'
import { toJsonHeaders, toTag } from './json-response.ts'
import { filterParameters, parseRequest, toQuestion } from './parameters.ts'

/** The municipalities that have records, by name. */
export async function handleMunicipalities(request: ApiRequest, store: RegistryStore): Promise<ApiResponse> {
  const asked = parseRequest(request.target.query, [])
  if (asked instanceof Problem) return toProblemResponse(asked, request)
  const snapshot = store.current()
  const tag = toTag(snapshot.facts.id, ['municipality'])
  const unchanged = findNotModified(request, tag, toJsonHeaders(snapshot))
  if (unchanged !== undefined) return unchanged
  const body = { municipalities: snapshot.municipalities.map(toWireMunicipality) }
  return toWholeResponse(request, tag, toJsonHeaders(snapshot), toJson(body), snapshot)
}

/** How many records match the filters, by year and by municipality. */
export async function handleSummary(request: ApiRequest, store: RegistryStore): Promise<ApiResponse> {
  const asked = parseRequest(request.target.query, filterParameters)
  if (asked instanceof Problem) return toProblemResponse(asked, request)
  const snapshot = store.current()
  const tag = toTag(snapshot.facts.id, toQuestion('summary', asked.values))
  const unchanged = findNotModified(request, tag, toJsonHeaders(snapshot))
  if (unchanged !== undefined) return unchanged
  const summary = await snapshot.summarise(asked.query, request.deadline)
  if (summary.total === 0)
    return toProblemResponse(await explainEmptyResult(asked, snapshot, request.deadline), request)
  return toWholeResponse(request, tag, toJsonHeaders(snapshot), toJson(toWireSummary(summary, snapshot)), snapshot)
}

function toWireMunicipality(facts: MunicipalityFacts): WireMunicipality {
  return {
    name: facts.name,
    ine_code: facts.ineCode,
    other_names: [...facts.otherNames],
    records: facts.records,
    first_year: facts.firstYear,
    last_year: facts.lastYear,
  }
}

function toWireSummary({ total, byYear, byMunicipality }: Summary, snapshot: Snapshot): WireSummary {
  return {
    total,
    by_year: byYear.map(({ year, records }) => ({ year, records })),
    by_municipality: byMunicipality.map(({ municipality, records }) => {
      const { name, ineCode } = snapshot.municipalities[municipality] as MunicipalityFacts
      return { name, ine_code: ineCode, records }
    }),
  }
}

function toJson(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body))
}

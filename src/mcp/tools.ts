// The MCP tools that AI assistants can call. They use the typed client of the service, so that the rules and error
// messages are the same. Results have a maximum size, because an assistant has a limited context window.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import {
  type IncludeName,
  type RegistryClient,
  RegistryError,
  type SearchFilters,
  type WireMunicipality,
  type WireProblem,
} from '../client/client.ts'
import { outputSchemas } from './output-schemas.ts'

/** The most records of a result of `search_records`, and how many it has if the assistant does not say. */
const recordsMax = 50
const recordsDefault = 10
/** The most municipalities of `list_municipalities` and of `summarise`. */
const municipalitiesMax = 100
const summaryMunicipalitiesMax = 25

/** Included in every record: the code, to get and cite it, and the place, which tells namesakes apart. */
const includeAlways = ['cod_archivo', 'place'] as const

/** The JSON Schema of the filters, which `search_records` and `summarise` share. */
const filterProperties = {
  search: {
    type: 'string',
    description:
      'All words must occur in the title or the text, in any inflected form; "quotes" for a phrase, word* for a prefix',
  },
  municipality: {
    type: 'string',
    description: 'Whole name of a municipality, or its five-digit INE code; case and accents are ignored',
  },
  province: { type: 'string', description: 'Name of a province, or its two-digit INE code' },
  community: { type: 'string', description: 'Name of an autonomous community, or its two-digit INE code' },
  checkin_date: { type: 'string', pattern: '^[0-9]{4}$', description: 'Year of entry, four digits' },
  checkin_from: { type: 'string', description: 'Entered on this day or later: YYYY, YYYY-MM or YYYY-MM-DD' },
  checkin_to: {
    type: 'string',
    description: 'Entered on this day or earlier: YYYY (its last day), YYYY-MM or YYYY-MM-DD',
  },
  registration_number: { type: 'string', description: 'Complete registration number' },
  id: { type: 'string', description: 'Complete record code (the field id, not the inscription code)' },
} as const

const codeProperty = { type: 'string', description: 'Inscription code, <prefix>-<number>' } as const

export const tools: readonly Tool[] = [
  {
    name: 'search_records',
    title: 'Search records',
    description:
      'Searches the urban-planning records of the registry. A record must match all filters. Title matches come ' +
      'first, then text matches, each newest first. Each record has its inscription code, cod_archivo, for ' +
      'get_record and for citing it, and with search up to three passages of its documents, each with page and link, ' +
      'to quote from.',
    inputSchema: {
      type: 'object',
      properties: {
        ...filterProperties,
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: recordsMax,
          default: recordsDefault,
          description: 'Maximum number of records',
        },
        cursor: { type: 'string', description: 'The cursor of the previous result, for the next page' },
      },
      additionalProperties: false,
    },
    outputSchema: outputSchemas.search_records,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'get_record',
    title: 'Get one record',
    description: 'The record with an inscription code, such as 03082-1001, and what of its documents can be searched.',
    inputSchema: {
      type: 'object',
      properties: { code: codeProperty },
      required: ['code'],
      additionalProperties: false,
    },
    outputSchema: outputSchemas.get_record,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'read_passages',
    title: 'Read passages of one record',
    description:
      'All passages of the documents of one record in which the words of search stand, in reading order, at most ' +
      '100, each with page and link. Put a quotation in quotation marks to check it: no result means that the record ' +
      'does not contain it, unless documents lists unread pages.',
    inputSchema: {
      type: 'object',
      properties: { code: codeProperty, search: filterProperties.search },
      required: ['code', 'search'],
      additionalProperties: false,
    },
    outputSchema: outputSchemas.read_passages,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'list_municipalities',
    title: 'List municipalities',
    description:
      `Municipalities that have records, with counts and years: at most ${municipalitiesMax}, those with most ` +
      'records first.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Only municipalities with this text in one of their names' } },
      additionalProperties: false,
    },
    outputSchema: outputSchemas.list_municipalities,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'summarise',
    title: 'Count records',
    description:
      `Counts the matching records by year, by province and by municipality (at most ${summaryMunicipalitiesMax} ` +
      'municipalities), and the pages of their documents: read, recognised and unread.',
    inputSchema: { type: 'object', properties: filterProperties, additionalProperties: false },
    outputSchema: outputSchemas.summarise,
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
]

/**
 * Calls a tool. Wrong arguments and problems of the registry are results for the assistant; other errors are thrown.
 */
export async function callTool(
  client: RegistryClient,
  name: string,
  input: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) {
    return toErrorResult(`Cannot call ${name}: the tools are ${tools.map((each) => each.name).join(', ')}`)
  }
  const args = parseArguments(tool, input)
  if (typeof args === 'string') return toErrorResult(args)
  try {
    return await runTool(client, tool.name, args, signal)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    if (error.problem === null) return toErrorResult('Cannot reach the registry; try again later')
    return toErrorResult(toReason(error.problem))
  }
}

/** The arguments of a call by name. */
type Arguments = ReadonlyMap<string, string>

async function runTool(
  client: RegistryClient,
  toolName: string,
  args: Arguments,
  signal: AbortSignal,
): Promise<CallToolResult> {
  /** Why a result is empty, such as an unknown municipality; an assistant can then correct its call. */
  let reason: WireProblem | undefined
  const options = {
    signal,
    onEmpty: (problem: WireProblem): void => {
      reason = problem
    },
  }
  switch (toolName) {
    case 'search_records': {
      const limit = Number(args.get('limit') ?? recordsDefault)
      const cursor = args.get('cursor') ?? null
      const filters = toFilters(args)
      const page = await withPassages(filters.search, (names) =>
        client.page(filters, { ...options, limit, cursor, include: names }),
      )
      return toResult({ records: page.records, cursor: page.cursor }, reason)
    }
    case 'get_record': {
      const record = await client.get(args.get('code') ?? '', { ...options, include: [...includeAlways, 'documents'] })
      return toResult({ record }, reason)
    }
    case 'read_passages': {
      const search = args.get('search') ?? ''
      const names = [...includeAlways, 'documents', 'passages'] as const
      const record = await client.get(args.get('code') ?? '', { ...options, search, include: names })
      return toResult({ record }, reason)
    }
    case 'list_municipalities': {
      const namePart = fold(args.get('name') ?? '')
      const all = toListed(await client.municipalities(options))
      const found = all.filter(({ foldedNames }) => foldedNames.some((each) => each.includes(namePart)))
      const municipalities = found.slice(0, municipalitiesMax).map(({ municipality }) => municipality)
      // The whole list is never a 404, so there is no reason.
      return toResult({ municipalities, omitted: found.length - municipalities.length }, undefined)
    }
    // `summarise`: callTool has checked the name.
    default: {
      const { by_municipality, ...summary } = await client.summary(toFilters(args), {
        ...options,
        include: ['documents'],
      })
      // The service lists the municipalities with most records first.
      const largest = by_municipality.slice(0, summaryMunicipalitiesMax)
      const omitted = by_municipality.length - largest.length
      return toResult({ ...summary, by_municipality: largest, municipalities_omitted: omitted }, reason)
    }
  }
}

interface ListedMunicipality {
  readonly municipality: WireMunicipality
  /** All its names, as `fold` returns them. */
  readonly foldedNames: readonly string[]
}

/** The results of `toListed`: over HTTP the client returns the same array until the next import. */
const listedMunicipalities = new WeakMap<WireMunicipality[], readonly ListedMunicipality[]>()

/** The municipalities with most records first. Folding thousands of names takes milliseconds, so it is done once. */
function toListed(municipalities: WireMunicipality[]): readonly ListedMunicipality[] {
  const cached = listedMunicipalities.get(municipalities)
  if (cached !== undefined) return cached
  const listed = municipalities
    .toSorted((a, b) => b.records - a.records)
    .map((municipality) => ({ municipality, foldedNames: [municipality.name, ...municipality.other_names].map(fold) }))
  listedMunicipalities.set(municipalities, listed)
  return listed
}

/**
 * Calls `read` with the names to include: with passages if there is a search, and again without them if the registry
 * was imported without passages.
 */
async function withPassages<Result>(
  search: string | undefined,
  read: (include: readonly IncludeName[]) => Promise<Result>,
): Promise<Result> {
  if (search === undefined) return await read(includeAlways)
  try {
    return await read([...includeAlways, 'passages'])
  } catch (error) {
    const hasNoPassages = error instanceof RegistryError && error.problem?.type.endsWith('/passages-unavailable')
    if (!hasNoPassages) throw error
    return await read(includeAlways)
  }
}

/** Returns the arguments as strings, or an error message. The service checks the values, except `limit`. */
function parseArguments(tool: Tool, input: Readonly<Record<string, unknown>>): Arguments | string {
  const properties = Object.keys(tool.inputSchema.properties ?? {})
  const args = new Map<string, string>()
  for (const [name, value] of Object.entries(input)) {
    if (!properties.includes(name)) return `Cannot read ${name}: ${tool.name} takes ${properties.join(', ')}`
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' && typeof value !== 'number') return `Cannot read ${name}: expected a string`
    args.set(name, String(value))
  }
  for (const name of tool.inputSchema.required ?? []) {
    if (!args.has(name)) return `Cannot call ${tool.name}: ${name} is missing`
  }
  const limit = args.get('limit')
  if (limit !== undefined && !isLimit(limit)) {
    return `Cannot read limit: expected a whole number from 1 to ${recordsMax}, got "${limit.slice(0, 20)}"`
  }
  return args
}

function isLimit(text: string): boolean {
  return /^\d{1,3}$/.test(text) && Number(text) >= 1 && Number(text) <= recordsMax
}

/** The arguments that are filters. They have the same names in the client. */
function toFilters(args: Arguments): SearchFilters {
  const filters: Record<string, string> = {}
  for (const name of Object.keys(filterProperties)) {
    const value = args.get(name)
    if (value !== undefined) filters[name] = value
  }
  return filters
}

/** A result as text and as data, because some assistants read only the text. `reason` says why it is empty. */
function toResult(result: Record<string, unknown>, reason: WireProblem | undefined): CallToolResult {
  const body = reason === undefined ? result : { ...result, reason: toReason(reason) }
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body }
}

function toErrorResult(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] }
}

/** A problem as a sentence for the assistant. */
function toReason({ detail, suggestions = [] }: WireProblem): string {
  return suggestions.length === 0 ? detail : `${detail} (nearest: ${suggestions.join(', ')})`
}

/** Removes accents and case. */
function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

// Calls the MCP tools, which tools.ts defines, for server.ts. They use the typed client of the service, so that they
// have the rules and error messages of the HTTP API.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import {
  type IncludeName,
  type RegistryClient,
  RegistryError,
  type SearchFilters,
  type WireMunicipality,
  type WireProblem,
} from '../client/client.ts'
import {
  filterProperties,
  listedMunicipalitiesMax,
  recordsDefault,
  recordsMax,
  summaryMunicipalitiesMax,
  tools,
} from './tools.ts'

/**
 * Included in every record: its code, to get and cite the record, and its place, which tells municipalities with the
 * same name apart.
 */
const includeAlways = ['cod_archivo', 'place'] as const

/**
 * Calls the tool with this name. Wrong arguments and errors of the registry become error results, which tell the AI
 * assistant what to do; other errors are thrown. `input` are the arguments as the assistant sent them.
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
    const { kind, problem, status, message } = error
    if (problem !== null) return toErrorResult(toSentence(problem))
    // A failed connection or a timeout is temporary. If the kind is `unexpected`, the response is not from a registry.
    // With 429 or 5xx it is from a proxy while the registry is down, so another try may help; with any other status the
    // address is wrong. An `unexpected` error always has a status; the type only allows null.
    const isTemporary = kind !== 'unexpected' || status === null || status === 429 || status >= 500
    return toErrorResult(isTemporary ? 'Cannot reach the registry; try again later' : message)
  }
}

/**
 * The checked arguments of a call, by name. A number is kept as a string. Required arguments are always present, so
 * `?? ''` after them is only for the compiler.
 */
type Arguments = ReadonlyMap<string, string>

/** Why a result is empty, or lacks something. */
type Reason = Pick<WireProblem, 'detail' | 'suggestions'>

/** Calls the tool with checked arguments. Rejects with a `RegistryError` if the registry refuses them or fails. */
async function runTool(
  client: RegistryClient,
  toolName: string,
  args: Arguments,
  signal: AbortSignal,
): Promise<CallToolResult> {
  /** Why the result is empty, such as an unknown municipality, so that the assistant can correct its call. */
  let emptyReason: WireProblem | undefined
  const options = {
    signal,
    onEmpty: (problem: WireProblem): void => {
      emptyReason = problem
    },
  }
  switch (toolName) {
    case 'search_records': {
      const limit = Number(args.get('limit') ?? recordsDefault)
      const cursor = args.get('cursor') ?? null
      const filters = toFilters(args)
      const page = await withPassages(filters.search, (include) =>
        client.page(filters, { ...options, limit, cursor, include }),
      )
      return toResult({ records: page.records, cursor: page.cursor }, emptyReason)
    }
    case 'get_record': {
      const record = await client.get(args.get('code') ?? '', { ...options, include: [...includeAlways, 'documents'] })
      return toResult({ record }, emptyReason)
    }
    case 'read_passages': {
      const search = args.get('search') ?? ''
      const code = args.get('code') ?? ''
      const found = await withPassages(search, (include) =>
        client.get(code, { ...options, search, include: [...include, 'documents'] }),
      )
      // If the record does not match, `found` is null, and `emptyReason` says so. Then the record is read without the
      // search: its documents tell how many pages cannot be searched.
      const record = found ?? (await client.get(code, { ...options, include: [...includeAlways, 'documents'] }))
      // A found record has `passages`, which may be empty, unless `withPassages` has read it without them.
      const isWithoutPassages = found !== null && found.passages === undefined
      return toResult({ record }, isWithoutPassages ? noPassages : emptyReason)
    }
    case 'list_municipalities': {
      const namePart = fold(args.get('name') ?? '')
      const all = toSearchable(await client.municipalities(options))
      const found = all.filter(({ foldedNames }) => foldedNames.some((each) => each.includes(namePart)))
      const municipalities = found.slice(0, listedMunicipalitiesMax).map(({ municipality }) => municipality)
      // The service answers this request with 200 even if the list is empty, so there is no `emptyReason`.
      return toResult({ municipalities, omitted: found.length - municipalities.length }, undefined)
    }
    // `summarise` is the only other tool; callTool has checked the name.
    default: {
      const { by_municipality, ...summary } = await client.summary(toFilters(args), {
        ...options,
        include: ['documents'],
      })
      // The service lists the municipalities with most records first.
      const largest = by_municipality.slice(0, summaryMunicipalitiesMax)
      const omitted = by_municipality.length - largest.length
      return toResult({ ...summary, by_municipality: largest, municipalities_omitted: omitted }, emptyReason)
    }
  }
}

/** A municipality with what a search for a part of its name needs. */
interface SearchableMunicipality {
  readonly municipality: WireMunicipality
  /** All its names, as `fold` returns them. */
  readonly foldedNames: readonly string[]
}

/**
 * The results of `toSearchable`, by the array that the client returned. In the service (`serve --mcp`) the client
 * returns the same array until the next import.
 */
const searchableMunicipalities = new WeakMap<WireMunicipality[], readonly SearchableMunicipality[]>()

/** Sorts by number of records, most first. Folding thousands of names takes milliseconds, so the result is cached. */
function toSearchable(municipalities: WireMunicipality[]): readonly SearchableMunicipality[] {
  const cached = searchableMunicipalities.get(municipalities)
  if (cached !== undefined) return cached
  const searchable = municipalities
    .toSorted((a, b) => b.records - a.records)
    .map((municipality) => ({ municipality, foldedNames: toFoldedNames(municipality) }))
  searchableMunicipalities.set(municipalities, searchable)
  return searchable
}

/**
 * Calls `read` with the properties to include in each record: with passages (pieces of the documents around the words
 * of the search) if there is a search, and again without them if the registry was imported without passages.
 */
async function withPassages<Result>(
  search: string | undefined,
  read: (include: readonly IncludeName[]) => Promise<Result>,
): Promise<Result> {
  if (search === undefined) return await read(includeAlways)
  try {
    return await read([...includeAlways, 'passages'])
  } catch (error) {
    const hasNoPassages = error instanceof RegistryError && error.code === 'passages-unavailable'
    if (!hasNoPassages) throw error
    return await read(includeAlways)
  }
}

/** The reason for a record that matches but has no passages, because the registry was imported with --no-passages. */
const noPassages: Reason = { detail: 'The record matches, but this registry stores no passages' }

/**
 * Returns the arguments as strings, or an error message. An argument that is null counts as not given. Names and types
 * are checked, and the value of `limit`; the service checks all other values.
 */
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

/** Whether the text is a whole number from 1 to `recordsMax`. */
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

/** A result as text and as data, because some assistants read only the text. `reason` says what it lacks, and why. */
function toResult(result: Record<string, unknown>, reason: Reason | undefined): CallToolResult {
  const body = reason === undefined ? result : { ...result, reason: toSentence(reason) }
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body }
}

function toErrorResult(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] }
}

/** The detail of a problem, and its suggestions if it has some: `… did you mean "Ávila"? (nearest: Ávila)`. */
function toSentence({ detail, suggestions = [] }: Reason): string {
  return suggestions.length === 0 ? detail : `${detail} (nearest: ${suggestions.join(', ')})`
}

/**
 * The folded names of a municipality. A name with its article at the end, `Ejido, El` or `Ejido (El)`, is also listed
 * with the article in front. Any text after a comma or in parentheses at the end counts as an article.
 */
function toFoldedNames({ name, other_names }: WireMunicipality): string[] {
  return [name, ...other_names].flatMap((each) => {
    const [, rest, article] = /^(.+?)(?:, | \()([^,()]+)\)?$/.exec(each) ?? []
    return article === undefined ? [fold(each)] : [fold(each), fold(`${article} ${rest}`)]
  })
}

/** Removes accents, case and punctuation: `L’Alcúdia` becomes `l alcudia`. */
function fold(text: string): string {
  const letters = text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
  return letters.replace(/[^\p{L}\p{N}]+/gu, ' ').trim()
}

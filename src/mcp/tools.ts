// What an assistant can ask of the registry (Model Context Protocol): four tools, short descriptions, bounded answers.
// They go through the client, so the rules are those of the service, and its problems come back as they are.
import type { CallToolResult, Tool } from '@modelcontextprotocol/sdk/types.js'
import { type RegistryClient, RegistryError, type SearchFilters, type WireProblem } from '../client/client.ts'

/** More would fill an assistant's memory; `cursor` leads on. */
const recordsMax = 50
const recordsDefault = 10
const municipalitiesMax = 100
const summaryMunicipalitiesMax = 25

const filterProperties = {
  search: {
    type: 'string',
    description:
      'Words that must all occur in the title or the text, in any Spanish form; "in quotes" a phrase, word* a prefix',
  },
  municipality: { type: 'string', description: 'Whole name of a municipality; case and accents do not matter' },
  checkin_date: { type: 'string', pattern: '^[0-9]{4}$', description: 'Year of entry, four digits' },
} as const

export const tools: readonly Tool[] = [
  {
    name: 'search_records',
    title: 'Search records',
    description:
      'Searches the urban-planning records of the registry. All filters given must match; newest first, title matches before text matches.',
    inputSchema: {
      type: 'object',
      properties: {
        ...filterProperties,
        limit: {
          type: 'integer',
          minimum: 1,
          maximum: recordsMax,
          default: recordsDefault,
          description: 'Records to return',
        },
        cursor: { type: 'string', description: 'The cursor of the answer before, for what follows' },
      },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'get_record',
    title: 'Get one record',
    description: 'The record with an inscription code, such as 03082-1101.',
    inputSchema: {
      type: 'object',
      properties: { code: { type: 'string', description: 'Inscription code, <prefix>-<number>' } },
      required: ['code'],
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'list_municipalities',
    title: 'List municipalities',
    description: `Municipalities that have records, with counts and years: at most ${municipalitiesMax}, most records first.`,
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Only those whose name, or another name, contains this' } },
      additionalProperties: false,
    },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
  {
    name: 'summarise',
    title: 'Count records',
    description: `How many records match, by year and by municipality (the first ${summaryMunicipalitiesMax}).`,
    inputSchema: { type: 'object', properties: filterProperties, additionalProperties: false },
    annotations: { readOnlyHint: true, openWorldHint: false },
  },
]

export async function callTool(
  client: RegistryClient,
  name: string,
  given: Readonly<Record<string, unknown>>,
  signal: AbortSignal,
): Promise<CallToolResult> {
  const tool = tools.find((each) => each.name === name)
  if (tool === undefined) return refuse(`Cannot call ${name}: there are ${tools.map((each) => each.name).join(', ')}`)
  const args = parseArguments(tool, given)
  if (typeof args === 'string') return refuse(args)
  try {
    return await run(client, tool.name, args, signal)
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    return refuse(error.problem === null ? 'The registry cannot be reached; try again later' : toReason(error.problem))
  }
}

type Arguments = ReadonlyMap<string, string>

async function run(
  client: RegistryClient,
  name: string,
  args: Arguments,
  signal: AbortSignal,
): Promise<CallToolResult> {
  let reason: WireProblem | undefined
  const options = {
    signal,
    onEmpty: (problem: WireProblem): void => {
      reason = problem
    },
  }
  switch (name) {
    case 'search_records': {
      const limit = Number(args.get('limit') ?? recordsDefault)
      const page = await client.page(toFilters(args), { ...options, limit, cursor: args.get('cursor') ?? null })
      return toResult({ records: page.records, cursor: page.cursor }, reason)
    }
    case 'get_record': {
      const record = await client.get(args.get('code') ?? '', options)
      return toResult({ record }, record === null ? reason : undefined)
    }
    case 'list_municipalities': {
      const wanted = fold(args.get('name') ?? '')
      const all = await client.municipalities(options)
      const found = all.filter(({ name, other_names }) =>
        [name, ...other_names].some((each) => fold(each).includes(wanted)),
      )
      const municipalities = found.toSorted((a, b) => b.records - a.records).slice(0, municipalitiesMax)
      return toResult({ municipalities, omitted: found.length - municipalities.length }, undefined)
    }
    default: {
      const { by_municipality, ...summary } = await client.summary(toFilters(args), options)
      const first = by_municipality.slice(0, summaryMunicipalitiesMax)
      const omitted = by_municipality.length - first.length
      return toResult({ ...summary, by_municipality: first, municipalities_omitted: omitted }, reason)
    }
  }
}

/** The arguments as texts, or the sentence that says what is wrong; what a value means the service decides. */
function parseArguments(tool: Tool, given: Readonly<Record<string, unknown>>): Arguments | string {
  const properties = Object.keys(tool.inputSchema.properties ?? {})
  const args = new Map<string, string>()
  for (const [name, value] of Object.entries(given)) {
    if (!properties.includes(name)) return `Cannot read ${name}: ${tool.name} takes ${properties.join(', ')}`
    if (value === undefined || value === null) continue
    if (typeof value !== 'string' && typeof value !== 'number') return `Cannot read ${name}: expected a text`
    args.set(name, String(value))
  }
  for (const name of tool.inputSchema.required ?? []) {
    if (!args.has(name)) return `Cannot call ${tool.name}: ${name} is missing`
  }
  const limit = args.get('limit')
  if (limit !== undefined && !(/^\d{1,3}$/.test(limit) && Number(limit) >= 1 && Number(limit) <= recordsMax)) {
    return `Cannot read limit: expected a whole number from 1 to ${recordsMax}, got "${limit.slice(0, 20)}"`
  }
  return args
}

function toFilters(args: Arguments): SearchFilters {
  const filters: Record<string, string> = {}
  for (const name of Object.keys(filterProperties)) {
    const value = args.get(name)
    if (value !== undefined) filters[name] = value
  }
  return filters
}

function toResult(answer: Record<string, unknown>, reason: WireProblem | undefined): CallToolResult {
  const body = reason === undefined ? answer : { ...answer, reason: toReason(reason) }
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body }
}

function refuse(message: string): CallToolResult {
  return { isError: true, content: [{ type: 'text', text: message }] }
}

function toReason({ detail, suggestions = [] }: WireProblem): string {
  return suggestions.length === 0 ? detail : `${detail} (nearest: ${suggestions.join(', ')})`
}

function fold(text: string): string {
  return text.normalize('NFD').replace(/\p{M}/gu, '').toLowerCase()
}

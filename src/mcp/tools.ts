// The MCP tools (Model Context Protocol): what an AI assistant reads to choose one, and what each asks of the registry.
// They use the client of the service, so their rules and error messages are those of the API. Results have a maximum
// size, because the context window of an assistant is limited.
import { LRUCache } from 'lru-cache'
import {
  type IncludeName,
  type RegistryClient,
  RegistryError,
  type SearchFilters,
  type SearchOptions,
} from '../client/client.ts'
import { foldName } from '../domain/municipality-name.ts'
import { fieldPrefix } from '../domain/own-fields.ts'
import { type FilterName, filterNames, filters } from '../domain/parameters.ts'
import {
  municipalitiesSchema,
  type ObjectSchema,
  recordSchema,
  type Schema,
  summarySchema,
  toObjectSchema,
} from '../domain/response-schemas.ts'

export interface Tool {
  readonly name: string
  readonly title: string
  readonly description: string
  /** The JSON Schema of each argument. */
  readonly arguments: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly result: ObjectSchema
  /** Rejects with a `RegistryError` if the registry refuses the arguments or fails. */
  readonly call: (registry: RegistryClient, args: Arguments, options: SearchOptions) => Promise<Record<string, unknown>>
}

/** The arguments of a call by name. Required ones are always present. */
export type Arguments = Readonly<Record<string, string>>

/** The most records in a result of `search_records`, and the number of records if the assistant gives no `limit`. */
const recordsMax = 50
const recordsDefault = 10
/** The most municipalities in a result of `list_municipalities`. */
const listedMunicipalitiesMax = 100
/** The most municipalities in a result of `summarise`. */
const summaryMunicipalitiesMax = 25

/** The office's own columns differ between registries, so one argument has their values. */
const fieldsArgument: Schema = {
  type: 'string',
  description: `Values of the office's own fields, as name=value separated by ;, such as tipo=Plan Parcial;estado=Aprobado`,
}

/** The filters of the API, which `search_records` and `summarise` share. The term is the first. */
const filterArguments: Readonly<Record<string, Schema>> = {
  search: toArgument('search'),
  ...Object.fromEntries(filterNames.filter((name) => name !== 'cod_archivo').map((name) => [name, toArgument(name)])),
  fields: fieldsArgument,
}

/** The filters of a call: `fields` becomes a filter for each field that it names. */
function toFilters({ fields = '', ...given }: Arguments): SearchFilters {
  const pairs = fields.split(';').map((pair) => pair.split(/=(.*)/s).map((part) => part.trim()))
  const named = pairs.filter(([name = '']) => name !== '').map(([name, value = '']) => [fieldPrefix + name, value])
  return { ...given, ...Object.fromEntries(named) }
}

/** Only fixed values are in the schema: the service refuses other malformed values with an explanation. */
function toArgument(name: FilterName): Schema {
  const { schema, meaning } = filters[name]
  return { type: 'string', ...('enum' in schema ? { enum: schema.enum } : {}), description: meaning.en }
}

const code = toArgument('cod_archivo')

/** Every record has its code, to get and cite it, and its place: municipalities may have the same name. */
const includeAlways: readonly IncludeName[] = ['cod_archivo', 'place', 'fields']
const record = toObjectSchema(recordSchema.properties, ['agreement_link', 'documents', 'passages'])
const recordOrNull: Schema = { oneOf: [record, { type: 'null' }] }
const count: Schema = { type: 'integer', minimum: 0 }

/** Added to a result in which something is missing, such as every record: the explanation of the service. */
const reason: Schema = { type: 'string', description: 'Why there is no result, or why it has no passages' }

export const tools: readonly Tool[] = [
  {
    name: 'search_records',
    title: 'Search records',
    description:
      'Searches the urban-planning records of the registry. A record must match all filters. Title matches come ' +
      'first, then text matches, each newest first. Each record has its inscription code, cod_archivo, for ' +
      'get_record and for citing it, and with search up to three passages of its documents, each with page and link, ' +
      'to quote from.',
    arguments: {
      ...filterArguments,
      limit: {
        type: 'integer',
        minimum: 1,
        maximum: recordsMax,
        default: recordsDefault,
        description: 'Maximum number of records',
      },
      cursor: { type: 'string', description: 'The cursor of the previous result, for the next page' },
    },
    result: toObjectSchema(
      { records: { type: 'array', items: record }, cursor: { type: ['string', 'null'] }, reason },
      ['reason'],
    ),
    call: async (registry, { limit = String(recordsDefault), cursor, ...given }, options) => {
      if (!/^[1-9]\d?$/.test(limit) || Number(limit) > recordsMax) {
        throw new Error(
          `Cannot read limit: expected a whole number from 1 to ${recordsMax}, got "${limit.slice(0, 20)}"`,
        )
      }
      const page = await withPassages(given.search, (include) =>
        registry.page(toFilters(given), { ...options, limit: Number(limit), cursor: cursor ?? null, include }),
      )
      return { records: page.records, cursor: page.cursor }
    },
  },
  {
    name: 'get_record',
    title: 'Get one record',
    description: 'The record with an inscription code, such as 03082-1001, and what of its documents can be searched.',
    arguments: { code },
    required: ['code'],
    result: toObjectSchema({ record: recordOrNull, reason }, ['reason']),
    call: async (registry, args, options) => ({
      record: await registry.get(args.code ?? '', { ...options, include: [...includeAlways, 'documents'] }),
    }),
  },
  {
    name: 'read_passages',
    title: 'Read passages of one record',
    description:
      'All passages of the documents of one record in which the words of search stand, in reading order, at most ' +
      '100, each with page and link. Put a quotation in quotation marks to check it. If the result has a reason, it ' +
      'says whether the record lacks the words or this registry stores no passages; unread pages in documents may have ' +
      'the words too. A record without passages and without a reason has them in its title or area.',
    arguments: { code, search: toArgument('search') },
    required: ['code', 'search'],
    result: toObjectSchema({ record: recordOrNull, reason }, ['reason']),
    call: async (registry, { code: given = '', search = '' }, options) => {
      const found = await withPassages(search, (include) =>
        registry.get(given, { ...options, search, include: [...include, 'documents'] }),
      )
      // If the record does not match, the service has said so. Its documents tell how many pages cannot be searched.
      const include = [...includeAlways, 'documents'] as const
      if (found === null) return { record: await registry.get(given, { ...options, include }) }
      if (found.passages !== undefined) return { record: found }
      return { record: found, reason: 'The record matches, but this registry stores no passages' }
    },
  },
  {
    name: 'list_municipalities',
    title: 'List municipalities',
    description:
      `Municipalities that have records, with counts and years: at most ${listedMunicipalitiesMax}, those with most ` +
      'records first.',
    arguments: { name: { type: 'string', description: 'Only municipalities with this text in one of their names' } },
    result: toObjectSchema({ ...municipalitiesSchema.properties, omitted: count }),
    call: async (registry, { name = '' }, options) => {
      const part = foldName(name)
      const found = (await registry.municipalities(options))
        .filter(({ name, other_names }) => [name, ...other_names].some((each) => foldedNames.memo(each).includes(part)))
        .sort((a, b) => b.records - a.records)
      const municipalities = found.slice(0, listedMunicipalitiesMax)
      return { municipalities, omitted: found.length - municipalities.length }
    },
  },
  {
    name: 'summarise',
    title: 'Count records',
    description:
      `Counts the matching records by year, by province and by municipality (at most ${summaryMunicipalitiesMax} ` +
      'municipalities), and the pages of their documents: read, recognised and unread.',
    arguments: {
      ...filterArguments,
      facets: { type: 'string', description: 'Names of own fields to count by their values: tipo,estado' },
    },
    // The total of the API is at least 1, because it answers 404 if nothing matches.
    result: toObjectSchema({ ...summarySchema.properties, total: count, municipalities_omitted: count, reason }, [
      'documents',
      'by_field',
      'reason',
    ]),
    call: async (registry, { facets, ...given }, options) => {
      const counted = facets === undefined ? {} : { facets: facets.split(',') }
      const summary = await registry.summary(toFilters(given), { ...options, ...counted, include: ['documents'] })
      // The service lists the municipalities with most records first.
      const largest = summary.by_municipality.slice(0, summaryMunicipalitiesMax)
      const omitted = summary.by_municipality.length - largest.length
      return { ...summary, by_municipality: largest, municipalities_omitted: omitted }
    },
  },
]

/** Folding takes 10 µs a name, and a registry may have 12,000 of them. */
const foldedNames = new LRUCache<string, string>({ max: 20_000, memoMethod: foldName })

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

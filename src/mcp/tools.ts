// The definitions of the MCP tools: their names, descriptions and schemas, which an AI assistant reads to decide which
// tool to call. call-tool.ts runs them. Results have a maximum size, because the context window of an assistant is
// limited.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'
import { type FilterName, filterNames, filters } from '../domain/parameters.ts'
import { outputSchemas } from './output-schemas.ts'

/** The most records in a result of `search_records`, and the number of records if the assistant gives no `limit`. */
export const recordsMax = 50
export const recordsDefault = 10
/** The most municipalities in a result of `list_municipalities`. */
export const listedMunicipalitiesMax = 100
/** The most municipalities in a result of `summarise`. */
export const summaryMunicipalitiesMax = 25

/** The JSON Schema of the filters, which `search_records` and `summarise` share. The term is the first. */
export const filterProperties: Readonly<Record<string, object>> = {
  search: toProperty('search'),
  ...Object.fromEntries(filterNames.filter((name) => name !== 'cod_archivo').map((name) => [name, toProperty(name)])),
}

/** Only fixed values are in the schema: the service refuses other malformed values with an explanation. */
function toProperty(name: FilterName): object {
  const { schema, meaning } = filters[name]
  return { type: 'string', ...('enum' in schema ? { enum: schema.enum } : {}), description: meaning.en }
}

/** The same for all tools: they change nothing, and read nothing outside this registry. */
const annotations = { readOnlyHint: true, openWorldHint: false }

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
    annotations,
  },
  {
    name: 'get_record',
    title: 'Get one record',
    description: 'The record with an inscription code, such as 03082-1001, and what of its documents can be searched.',
    inputSchema: {
      type: 'object',
      properties: { code: toProperty('cod_archivo') },
      required: ['code'],
      additionalProperties: false,
    },
    outputSchema: outputSchemas.get_record,
    annotations,
  },
  {
    name: 'read_passages',
    title: 'Read passages of one record',
    description:
      'All passages of the documents of one record in which the words of search stand, in reading order, at most ' +
      '100, each with page and link. Put a quotation in quotation marks to check it. If the result has a reason, it ' +
      'says whether the record lacks the words or this registry stores no passages; unread pages in documents may have ' +
      'the words too. A record without passages and without a reason has them in its title or area.',
    inputSchema: {
      type: 'object',
      properties: { code: toProperty('cod_archivo'), search: toProperty('search') },
      required: ['code', 'search'],
      additionalProperties: false,
    },
    outputSchema: outputSchemas.read_passages,
    annotations,
  },
  {
    name: 'list_municipalities',
    title: 'List municipalities',
    description:
      `Municipalities that have records, with counts and years: at most ${listedMunicipalitiesMax}, those with most ` +
      'records first.',
    inputSchema: {
      type: 'object',
      properties: { name: { type: 'string', description: 'Only municipalities with this text in one of their names' } },
      additionalProperties: false,
    },
    outputSchema: outputSchemas.list_municipalities,
    annotations,
  },
  {
    name: 'summarise',
    title: 'Count records',
    description:
      `Counts the matching records by year, by province and by municipality (at most ${summaryMunicipalitiesMax} ` +
      'municipalities), and the pages of their documents: read, recognised and unread.',
    inputSchema: { type: 'object', properties: filterProperties, additionalProperties: false },
    outputSchema: outputSchemas.summarise,
    annotations,
  },
]

// The shapes of requests and answers as JSON Schema, written once: parse.ts checks parameters by them, openapi.ts
// publishes them, and the contract tests hold every answer against them.
import Type from 'typebox'
import { Compile } from 'typebox/compile'

export const valueCharactersMax = 200
export const termWordsMax = 16
export const limitMax = 1000
/** Room for the cursor of the longest code; its form is checked beside. */
const cursorCharactersMax = 2000

/** No control characters, and something beside spaces. */
const visibleText =
  '^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$'

/** One parameter of the query, or the code in the path. */
export interface Parameter {
  readonly name: ParameterName
  readonly schema: Type.TSchema
  readonly meaning: string
  readonly example: string | number
  readonly accepts: (value: unknown) => boolean
}

export type ParameterName = 'cod_archivo' | 'municipality' | 'checkin_date' | 'search' | 'limit' | 'cursor'

export const parameters: Readonly<Record<ParameterName, Parameter>> = {
  cod_archivo: parameter(
    'cod_archivo',
    Type.String({ minLength: 1, maxLength: valueCharactersMax, pattern: '^[A-Za-z0-9._/-]+-[0-9]+$' }),
    'Inscription code of one record, `<prefix>-<number>`, compared without regard to case; a slash is sent as `%2F`.',
    '03082-1101',
  ),
  municipality: parameter(
    'municipality',
    Type.String({ minLength: 1, maxLength: valueCharactersMax, pattern: visibleText }),
    'Name of the municipality, whole: case, accents, punctuation and the place of the article do not matter; either ' +
      'half of a bilingual name and former official names match.',
    'Alicante',
  ),
  checkin_date: parameter(
    'checkin_date',
    Type.String({ pattern: '^[0-9]{4}$' }),
    'Year of entry, four digits.',
    '2004',
  ),
  search: parameter(
    'search',
    Type.String({ minLength: 1, maxLength: valueCharactersMax, pattern: visibleText }),
    `Term looked for in the title and in the content; every word must occur, in any Spanish form of it. At most ${termWordsMax} ` +
      'words. `"in quotes"` is a phrase, a trailing `*` after three letters or more a prefix; nothing else is syntax.',
    'plan parcial',
  ),
  limit: parameter(
    'limit',
    Type.Integer({ minimum: 1, maximum: limitMax }),
    'Records a page. Without it everything that matches is sent. The `Link` header leads to the next page.',
    20,
  ),
  cursor: parameter(
    'cursor',
    Type.String({ minLength: 1, maxLength: cursorCharactersMax, pattern: '^[A-Za-z0-9_-]+$' }),
    'Where the page begins: opaque, taken from the `Link` header of the page before. It stays right when the registry ' +
      'has been refreshed in between.',
    'WzAsIjIwMDQtMDUtMTciLCIwMzA4Mi0xMTAxIl0',
  ),
}

function parameter(name: ParameterName, schema: Type.TSchema, meaning: string, example: string | number): Parameter {
  const validator = Compile(schema)
  return { name, schema, meaning, example, accepts: (value) => validator.Check(value) }
}

const closed = { additionalProperties: false }

export const recordSchema: Type.TSchema = Type.Object(
  {
    id: Type.String({ description: 'Record code.' }),
    registration_number: Type.String({ description: 'Registration (inscription) number.' }),
    title: Type.String({ description: 'Title of the record.' }),
    area: Type.String({ description: 'Area the record affects; empty where the registry has none.' }),
    checkin_date: Type.String({ format: 'date', description: 'Date the record entered the registry.' }),
    inscription_date: Type.Unsafe({
      type: ['string', 'null'],
      format: 'date',
      description: 'Date of inscription, null where there is none.',
    }),
    municipality: Type.String({ description: 'Municipality of the record.' }),
    links: Type.String({
      description:
        'URL of the technical (index) document, exactly as the registry holds it; empty where there is none.',
    }),
    agreement_link: Type.Optional(
      Type.String({ description: 'URL of the agreement; present only where a separate agreement exists.' }),
    ),
  },
  closed,
)

export const searchResultSchema: Type.TSchema = Type.Object(
  { resultadoBusqueda: Type.Array(Type.Unsafe({ $ref: '#/components/schemas/Record' }), { minItems: 1 }) },
  closed,
)

const ineCode = Type.Unsafe({
  type: ['string', 'null'],
  pattern: '^[0-9]{5}$',
  description: 'Five-digit code of the Instituto Nacional de Estadística, null where no list knows the name.',
})
const records = Type.Integer({ minimum: 1, description: 'Number of records.' })
const year = { minimum: 0, maximum: 9999 }

export const municipalitiesSchema: Type.TSchema = Type.Object(
  {
    municipalities: Type.Array(
      Type.Object(
        {
          name: Type.String({ description: 'As most of its records write it.' }),
          ine_code: ineCode,
          other_names: Type.Array(Type.String(), { description: 'Other names it is found by.' }),
          records,
          first_year: Type.Integer({ ...year, description: 'Year of entry of its oldest record.' }),
          last_year: Type.Integer({ ...year, description: 'Year of entry of its newest record.' }),
        },
        closed,
      ),
    ),
  },
  closed,
)

export const summarySchema: Type.TSchema = Type.Object(
  {
    total: Type.Integer({ minimum: 1, description: 'Number of records that match.' }),
    by_year: Type.Array(Type.Object({ year: Type.Integer(year), records }, closed), {
      description: 'Years of entry, ascending.',
    }),
    by_municipality: Type.Array(Type.Object({ name: Type.String(), ine_code: ineCode, records }, closed), {
      description: 'Most records first.',
    }),
  },
  closed,
)

export const problemSchema: Type.TSchema = Type.Object(
  {
    type: Type.String({ format: 'uri', description: 'Which problem it is; the address opens its page.' }),
    title: Type.String({ description: 'The same for every problem of the type.' }),
    status: Type.Integer({ minimum: 400, maximum: 599 }),
    detail: Type.String({ description: 'What is wrong with this very request.' }),
    parameter: Type.Optional(Type.String({ description: 'The parameter at fault.' })),
    suggestions: Type.Optional(
      Type.Array(Type.String(), { minItems: 1, description: 'What was probably meant, best first.' }),
    ),
  },
  closed,
)

// JSON Schemas of the responses (wire.ts has their types). OpenAPI and the tools for AI assistants publish them, and
// tests validate responses with them.

/** JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export type Schema = Readonly<Record<string, unknown>>

/** The schema of an object. */
export interface ObjectSchema extends Schema {
  readonly type: 'object'
  readonly properties: Readonly<Record<string, Schema>>
}

const textSchema = (description: string): Schema => ({ type: 'string', description })
const dateSchema = (description: string): Schema => ({ type: 'string', format: 'date', description })
/** A count of records. It is at least 1: an empty result is a 404, and lists leave out years and places without any. */
const countSchema = (description: string): Schema => ({ type: 'integer', minimum: 1, description })
const yearSchema = (description: string): Schema => ({ type: 'integer', minimum: 0, maximum: 9999, description })
/** A count of pages of documents, which may be 0. */
const pagesSchema = (description: string): Schema => ({ type: 'integer', minimum: 0, description })
/** The schema of a text, changed so that it also allows null. */
const nullable = (schema: Schema): Schema => ({ ...schema, type: ['string', 'null'] })

/** All properties except the `optional` ones are required. Further ones are allowed: later versions may add some. */
export function toObjectSchema(
  properties: Readonly<Record<string, Schema>>,
  optional: readonly string[] = [],
): ObjectSchema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}

export const recordSchema: ObjectSchema = toObjectSchema(
  {
    id: textSchema('Id of the record in the source, not its inscription code.'),
    registration_number: textSchema('Number of the inscription code, such as `1101` of `03082-1101`.'),
    title: textSchema('Title of the record.'),
    area: textSchema('Area that the record affects; empty if the registry has none.'),
    checkin_date: dateSchema('Date of entry into the registry.'),
    inscription_date: nullable(dateSchema('Date of inscription; null if there is none.')),
    municipality: textSchema('Municipality of the record.'),
    links: textSchema('URL of the technical document, as the source has it; empty if there is none.'),
    agreement_link: textSchema('URL of the agreement; present only if there is a separate agreement.'),
    cod_archivo: textSchema('Inscription code; present only with `include=cod_archivo`.'),
    place: {
      description:
        'Where the municipality is; present only with `include=place`. Null if the name is in no official list, or may mean several municipalities.',
      oneOf: [
        toObjectSchema({
          ine_code: { type: 'string', pattern: '^[0-9]{5}$', description: 'INE code of the municipality.' },
          province: textSchema('Province.'),
          community: textSchema('Autonomous community.'),
        }),
        { type: 'null' },
      ],
    },
    documents: {
      description: 'What of each document can be searched; present only with `include=documents`.',
      type: 'array',
      items: toObjectSchema({
        href: nullable(
          textSchema('Public address, which may be relative to the base address of the service; null if it has none.'),
        ),
        pages: pagesSchema('Number of pages; 1 for text without pages.'),
        read: pagesSchema('Pages with text of their own.'),
        recognised: pagesSchema('Pages whose text was recognised from an image (OCR).'),
        unread: pagesSchema('Pages that cannot be searched.'),
        reason: nullable(textSchema('Why pages are unread; null if none is.')),
        sha256: nullable({
          type: 'string',
          pattern: '^[0-9a-f]{64}$',
          description: 'SHA-256 of the file; null if the file is not known.',
        }),
      }),
    },
    fields: {
      description:
        'The own columns of the office, by label, in their order; present only with `include=fields`. Empty ones are left out.',
      type: 'object',
      additionalProperties: { type: 'string' },
    },
    passages: {
      description:
        'Where the words of `search` stand in the documents; present only with `include=passages`. In a list at most ' +
        '3, the best first; of a single record at most 100, in reading order. Empty if only the title matches.',
      type: 'array',
      maxItems: 100,
      items: toObjectSchema({
        document: {
          type: ['integer', 'null'],
          minimum: 1,
          description: 'Number of the document in the record; null for text of the source itself.',
        },
        page: { type: ['integer', 'null'], minimum: 1, description: 'Page of the file; null for text without pages.' },
        text: textSchema('About 200 characters of plain text, cut at word ends.'),
        marks: {
          type: 'array',
          description: 'Start and end (excluded) of each match in `text`, in UTF-16 code units.',
          items: { type: 'array', items: { type: 'integer', minimum: 0 }, minItems: 2, maxItems: 2 },
        },
        href: nullable(
          textSchema('Address of the document at the page, as in `documents`; null if it has no public address.'),
        ),
        recognised: { type: 'boolean', description: 'The text was recognised from an image (OCR).' },
      }),
    },
  },
  ['agreement_link', 'cod_archivo', 'place', 'documents', 'fields', 'passages'],
)

export const csvSchema: Schema = textSchema('A line with the names of the columns, then a line for each record.')

export const searchResultSchema: Schema = toObjectSchema({
  resultadoBusqueda: { type: 'array', items: { $ref: '#/components/schemas/Record' }, minItems: 1 },
})

/** The INE code of a municipality. */
const ineCodeSchema: Schema = {
  type: ['string', 'null'],
  pattern: '^[0-9]{5}$',
  description:
    'Five-digit code of the Instituto Nacional de Estadística; null if the name is in no official list, or may mean several municipalities.',
}

export const municipalitiesSchema: ObjectSchema = toObjectSchema({
  municipalities: {
    type: 'array',
    items: toObjectSchema({
      name: textSchema('The spelling that most of its records use.'),
      ine_code: ineCodeSchema,
      other_names: { type: 'array', items: { type: 'string' }, description: 'Other names that find the municipality.' },
      records: countSchema('Number of records.'),
      first_year: yearSchema('Year of entry of its oldest record.'),
      last_year: yearSchema('Year of entry of its newest record.'),
    }),
  },
})

export const changesSchema: Schema = toObjectSchema({
  changes: {
    type: 'array',
    items: toObjectSchema(
      {
        kind: {
          type: 'string',
          enum: ['new', 'changed', 'gone'],
          description: 'With filters, a record that changed and does not match them now is gone.',
        },
        cod_archivo: textSchema('Inscription code of the record.'),
        at: { type: 'string', format: 'date-time', description: 'When the change was published.' },
        record: {
          description:
            'The record as it is now; present only with `include=record`, and not if the kind is gone. Null if it is ' +
            'no longer in service: a later change says so.',
          oneOf: [{ $ref: '#/components/schemas/Record' }, { type: 'null' }],
        },
      },
      ['record'],
    ),
    description: 'Oldest first.',
  },
})

export const summarySchema: ObjectSchema = toObjectSchema(
  {
    total: countSchema('Number of matching records.'),
    by_year: {
      type: 'array',
      items: toObjectSchema({ year: yearSchema('Year of entry.'), records: countSchema('Number of records.') }),
      description: 'Years of entry, ascending.',
    },
    by_municipality: {
      type: 'array',
      items: toObjectSchema({
        name: textSchema('Municipality.'),
        ine_code: ineCodeSchema,
        records: countSchema('Number of records.'),
      }),
      description: 'Municipalities, most records first.',
    },
    by_province: {
      type: 'array',
      items: toObjectSchema({
        name: textSchema('Province.'),
        ine_code: { type: 'string', pattern: '^[0-9]{2}$', description: 'Two-digit INE code.' },
        records: countSchema('Number of records.'),
      }),
      description: 'Provinces, most records first. Records of a municipality without an INE code are in none of them.',
    },
    documents: {
      ...toObjectSchema({
        pages: pagesSchema('Number of pages.'),
        read: pagesSchema('Pages with text of their own.'),
        recognised: pagesSchema('Pages whose text was recognised from an image (OCR).'),
        unread: pagesSchema('Pages that cannot be searched.'),
      }),
      description: 'The documents of the matching records; present only with `include=documents`.',
    },
    by_field: {
      description: 'Values of the fields that `facets` names, most records first; present only with `facets`.',
      type: 'object',
      additionalProperties: {
        type: 'array',
        items: toObjectSchema({
          value: textSchema('Value, as the newest record writes it.'),
          records: countSchema('Number of records.'),
        }),
      },
    },
  },
  ['documents', 'by_field'],
)

export const problemSchema: Schema = toObjectSchema(
  {
    type: { ...textSchema('Identifies the problem; the address opens its documentation.'), format: 'uri' },
    title: textSchema('Summary of the problem, the same for every problem of this type.'),
    status: { type: 'integer', minimum: 400, maximum: 599 },
    detail: textSchema('What went wrong with this request.'),
    parameter: textSchema('The name of the wrong parameter.'),
    suggestions: {
      type: 'array',
      items: { type: 'string' },
      minItems: 1,
      description: 'Values that were probably meant, best match first.',
    },
    queries: {
      type: 'array',
      items: toObjectSchema({
        text: textSchema('What the query asks for, in Spanish.'),
        query: textSchema('The query string: the address is `record?` and this text.'),
      }),
      minItems: 1,
      description: 'Queries that were probably meant by the term or the code, and that find something.',
    },
  },
  ['parameter', 'suggestions', 'queries'],
)

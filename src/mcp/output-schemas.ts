// JSON Schemas of the results of the MCP tools (`outputSchema` in tools.ts), so that a client can validate and type
// them. call-tool.ts builds the results.
import type { Tool } from '@modelcontextprotocol/sdk/types.js'

type Schema = NonNullable<Tool['outputSchema']>
type Property = Record<string, unknown>

const text = { type: 'string' } as const
/** A text, or null if there is none. */
const nullableText = { type: ['string', 'null'] } as const
const wholeNumber = { type: 'integer', minimum: 0 } as const
/** A number from 1, of a document or a page; null if there is none. */
const nullableOrdinal = { type: ['integer', 'null'], minimum: 1 } as const

/** All properties are required except the `optional` ones. */
function object(properties: Record<string, Property>, optional: readonly string[] = []): Schema {
  const required = Object.keys(properties).filter((name) => !optional.includes(name))
  return { type: 'object', properties, required }
}

const list = (items: Property): Property => ({ type: 'array', items })

const passage = object({
  document: { ...nullableOrdinal, description: 'Number of the document, from 1; null for text of the registry itself' },
  page: { ...nullableOrdinal, description: 'Page of the file; null for text without pages' },
  text: { ...text, description: 'About 200 characters of the document' },
  marks: { ...list(list({ type: 'integer' })), description: 'Start and end (excluded) of each match in the text' },
  href: { ...nullableText, description: 'Address of the document at the page' },
  recognised: { type: 'boolean', description: 'Recognised from an image; may contain errors' },
})

const document = object({
  href: nullableText,
  pages: wholeNumber,
  read: { ...wholeNumber, description: 'Pages with text of their own' },
  recognised: { ...wholeNumber, description: 'Pages recognised from an image' },
  unread: { ...wholeNumber, description: 'Pages that cannot be searched' },
  reason: { ...nullableText, description: 'Why pages are unread' },
  sha256: { ...nullableText, description: 'SHA-256 of the file' },
})

const place = object({ ine_code: text, province: text, community: text })

const recordProperties = {
  id: text,
  registration_number: text,
  title: text,
  area: text,
  checkin_date: text,
  inscription_date: nullableText,
  municipality: text,
  links: text,
  agreement_link: text,
  cod_archivo: { ...text, description: 'Inscription code' },
  place: { oneOf: [place, { type: 'null' }] },
  documents: list(document),
  passages: { ...list(passage), description: 'Where the words of the term stand in the documents' },
}

/** `cod_archivo` and `place` are required, because every tool that returns records includes them. */
const record = object(recordProperties, ['agreement_link', 'documents', 'passages'])

/**
 * Present if nothing matches. `read_passages` then still returns the record with the requested code, if there is one,
 * without passages. Its result also has a reason if the record matches, but the registry stores no passages.
 */
const reason = { ...text, description: 'Why there is no result, or why it has no passages' }

export const outputSchemas: Readonly<
  Record<'search_records' | 'get_record' | 'read_passages' | 'list_municipalities' | 'summarise', Schema>
> = {
  search_records: object({ records: list(record), cursor: nullableText, reason }, ['reason']),
  get_record: object({ record: { oneOf: [record, { type: 'null' }] }, reason }, ['reason']),
  read_passages: object({ record: { oneOf: [record, { type: 'null' }] }, reason }, ['reason']),
  list_municipalities: object({
    municipalities: list(
      object({
        name: text,
        ine_code: nullableText,
        other_names: list(text),
        records: wholeNumber,
        first_year: wholeNumber,
        last_year: wholeNumber,
      }),
    ),
    omitted: wholeNumber,
  }),
  summarise: object(
    {
      total: wholeNumber,
      by_year: list(object({ year: wholeNumber, records: wholeNumber })),
      by_province: list(object({ name: text, ine_code: text, records: wholeNumber })),
      by_municipality: list(object({ name: text, ine_code: nullableText, records: wholeNumber })),
      municipalities_omitted: wholeNumber,
      documents: object({ pages: wholeNumber, read: wholeNumber, recognised: wholeNumber, unread: wholeNumber }),
      reason,
    },
    // If nothing matches, there are no `documents`, but a `reason`.
    ['documents', 'reason'],
  ),
}

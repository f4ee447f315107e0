// The parameters of the interface, one entry each. From this table follow: strict parsing, the type `Filters`, cache
// keys and URLs, OpenAPI and the reference page, the types of the client, the flags of the command `search`, the
// properties of the MCP tools, hints for misspelt names, the tokens of filters, and the tables of the documents. It
// imports only types and limits, because the client takes its types from it.
import { countedValuesMax, type OwnField } from './own-fields.ts'
import { cursorCharactersMax, limitMax, termCharactersMax, termWordsMax, valueCharactersMax } from './query-limits.ts'
import type { WireRecord } from './record.ts'

/** The filters and the term (`search`), in the order of a URL. Every operation that selects records takes them all. */
export type FilterName =
  | 'cod_archivo'
  | 'municipality'
  | 'province'
  | 'community'
  | 'checkin_date'
  | 'checkin_from'
  | 'checkin_to'
  | 'registration_number'
  | 'id'
  | 'agreement'
  | 'search'

/** All parameters. Those that are no filters choose a page, or what a record of it has. */
export type ParameterName = FilterName | 'limit' | 'cursor' | 'include' | 'count' | 'facets' | 'since'

/** A text in both languages. It may have Markdown for code, except where it is said to be plain. */
export interface BilingualText {
  readonly en: string
  readonly es: string
}

/** The keywords of JSON Schema that parameters use. */
export type ParameterSchema =
  | { readonly type: 'string'; readonly minLength?: number; readonly maxLength?: number; readonly pattern: string }
  | { readonly type: 'string'; readonly enum: readonly string[] }
  | { readonly type: 'integer'; readonly minimum: number; readonly maximum: number }

/** The kinds of value that have a problem of their own (problem-kinds.ts), such as `malformed-year`. */
type MalformedKind = 'value' | 'year' | 'date' | 'limit' | 'cursor' | 'since'

/** A parameter of the query string or of the path. */
export interface Parameter {
  readonly schema: ParameterSchema
  /** One plain sentence without its full stop: for `--help`, MCP and the tables of the documents. */
  readonly meaning: BilingualText
  /** Further sentences, for OpenAPI and the reference page. */
  readonly details?: BilingualText
  /** The problem of a value that cannot be read, and what was expected, with an example; absent if any text can be. */
  readonly malformed?: { readonly code: `malformed-${MalformedKind}`; readonly expected: string }
  /** Other names that people try. The nearest spelling is suggested for names that are not listed. */
  readonly synonyms?: readonly string[]
}

/** A filter: a record must match all that are given. */
export interface Filter extends Parameter {
  /** The flag of the command `search`; by default the name with hyphens. Null: the words after the command. */
  readonly flag?: string | null
  /** Stands for the value in the help of the flag. */
  readonly placeholder: BilingualText
  /** The filter with its value in words, to follow `records`; `{}` is the value. By default the value alone. */
  readonly words?: BilingualText
  /** The same for a filter with fixed values, by value. */
  readonly choices?: Readonly<Record<string, BilingualText>>
  /**
   * A filter on a field as a whole, without regard to case. Each record then has a token in the full-text index: this
   * letter (tokens.ts has those of other tokens) and the value, which may be computed from the record.
   */
  readonly token?: { readonly letter: string; readonly toValue: (record: WireRecord) => string }
}

/**
 * The longest token of `since`: the id of the change log (16 digits), the number of a change (10) and its time in
 * milliseconds (15), three full stops and a cursor.
 */
const sinceCharactersMax = cursorCharactersMax + 44

/**
 * Properties that a request can add to each record, in the order in which they follow those of the wire format. `place`
 * has the INE code, the province and the community of the municipality (`WireIncluded` in wire.ts explains all).
 */
export const includeNames = ['cod_archivo', 'place', 'documents', 'fields', 'passages'] as const

export type IncludeName = (typeof includeNames)[number]

/**
 * Text without control characters (U+0000 to U+001F, U+007F to U+009F) and with at least one character that is not
 * white space.
 */
const visibleTextPattern =
  '^[^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F][^\\u0000-\\u001F\\u007F-\\u009F]*$'

/** Like `visibleTextPattern`, but with line breaks and tabs allowed: a title may be pasted with them. */
const termPattern = visibleTextPattern.replaceAll('\\u0000-\\u001F', '\\u0000-\\u0008\\u000B\\u000C\\u000E-\\u001F')

/**
 * The format that `isInscriptionCode` (inscription-code.ts) checks, such as `05019-PU-20110520-202255`. The look-ahead
 * refuses characters outside the basic multilingual plane, because databases would sort them differently.
 */
const codePattern = '^(?!.*[^\\u0000-\\uFFFF])[\\p{L}\\p{N}._/-]+-[0-9]+$'

/**
 * A cursor, for example `t3.2011-07-18.05019-202266`: tier, date and code of the last record of a page. The tier, from
 * 1 to 3, tells how well the title of the record matches the term. The date need not exist, and no record need have the
 * code. The code may be any text without control characters, and has no white space at its ends.
 */
const cursorPattern =
  '^t[123]\\.[0-9]{4}-[0-9]{2}-[0-9]{2}\\.[^\\s\\u0000-\\u001F\\u007F-\\u009F]' +
  '([^\\u0000-\\u001F\\u007F-\\u009F]*[^\\s\\u0000-\\u001F\\u007F-\\u009F])?$'

/**
 * A token of `since` (changes.ts). It has a cursor at the end only while a client lists all records page by page, which
 * begins without `since`. The pattern of the cursor is used without its anchors `^` and `$`.
 */
const sincePattern = `^[0-9a-f]{16}\\.[0-9]{1,10}\\.[0-9]{1,15}(\\.${cursorPattern.slice(1, -1)})?$`

/** Names separated by commas, in any order: `place,cod_archivo`. */
const includePattern = `^(${includeNames.join('|')})(,(${includeNames.join('|')}))*$`

const anyText: ParameterSchema = {
  type: 'string',
  minLength: 1,
  maxLength: valueCharactersMax,
  pattern: visibleTextPattern,
}

/** A filter with fixed values. `choices` has the words for each of them. */
function oneOf(choices: Readonly<Record<string, BilingualText>>): Omit<Filter, 'meaning'> {
  const values = Object.keys(choices)
  const placeholder = values.join('|')
  return {
    schema: { type: 'string', enum: values },
    malformed: { code: 'malformed-value', expected: values.join(' or ') },
    placeholder: { en: placeholder, es: placeholder },
    choices,
  }
}

/** A year, a month or a day. A pattern cannot tell whether the day exists; api/parameters.ts checks it. */
const anyPeriod: ParameterSchema = {
  type: 'string',
  pattern: '^[0-9]{4}(-(0[1-9]|1[0-2])(-(0[1-9]|[12][0-9]|3[01]))?)?$',
}
const malformedDate = {
  code: 'malformed-date',
  expected: 'a year, a month or a day that exists, such as 2015, 2015-06 or 2015-06-30',
} as const

const anyDate: BilingualText = { en: 'DATE', es: 'FECHA' }
const anyName: BilingualText = { en: 'NAME', es: 'NOMBRE' }

export const filters: Readonly<Record<FilterName, Filter>> = {
  cod_archivo: {
    schema: { type: 'string', minLength: 1, maxLength: valueCharactersMax, pattern: codePattern },
    meaning: {
      en: 'Inscription code of the record, usually <prefix>-<number>',
      es: 'Código de inscripción del expediente, normalmente <prefijo>-<número>',
    },
    details: {
      en: 'Upper and lower case do not matter. Send a slash as `%2F`.',
      es: 'No importan las mayúsculas. Una barra se envía como `%2F`.',
    },
    flag: 'code',
    placeholder: { en: 'CODE', es: 'CÓDIGO' },
  },
  municipality: {
    schema: anyText,
    meaning: {
      en: 'Municipality: whole name in any official spelling, or five-digit INE code',
      es: 'Municipio: nombre completo en cualquier forma oficial o código INE de cinco cifras',
    },
    details: {
      en:
        'Case, accents, punctuation and the position of the article do not matter. Either part of a bilingual name ' +
        'matches, and so do former official names. The code tells municipalities of the same name apart.',
      es:
        'No importan las mayúsculas, los acentos, la puntuación ni la posición del artículo. Sirve cualquiera de las ' +
        'dos partes de un nombre bilingüe y los nombres oficiales anteriores. El código distingue municipios con el ' +
        'mismo nombre.',
    },
    synonyms: ['city', 'town'],
    placeholder: anyName,
  },
  province: {
    schema: anyText,
    meaning: {
      en: 'Province: name in any official spelling, or two-digit INE code',
      es: 'Provincia: nombre en cualquier forma oficial o código INE de dos cifras',
    },
    placeholder: anyName,
  },
  community: {
    schema: anyText,
    meaning: {
      en: 'Autonomous community: name in any official spelling, or two-digit INE code',
      es: 'Comunidad autónoma: nombre en cualquier forma oficial o código INE de dos cifras',
    },
    synonyms: ['region'],
    placeholder: anyName,
  },
  checkin_date: {
    schema: { type: 'string', pattern: '^[0-9]{4}$' },
    meaning: { en: 'Year of entry, four digits', es: 'Año de entrada, con cuatro cifras' },
    malformed: {
      code: 'malformed-year',
      expected: 'a year of four digits, such as 2004 (checkin_from and checkin_to take days)',
    },
    synonyms: ['year', 'date'],
    placeholder: { en: 'YEAR', es: 'AÑO' },
  },
  checkin_from: {
    schema: anyPeriod,
    meaning: {
      en: 'First day of entry, included: YYYY, YYYY-MM or YYYY-MM-DD',
      es: 'Primer día de entrada, incluido: AAAA, AAAA-MM o AAAA-MM-DD',
    },
    details: {
      en: 'A year or a month stands for its first day.',
      es: 'Un año o un mes equivale a su primer día.',
    },
    malformed: malformedDate,
    synonyms: ['from', 'date_from'],
    flag: 'since',
    placeholder: anyDate,
  },
  checkin_to: {
    schema: anyPeriod,
    meaning: {
      en: 'Last day of entry, included: YYYY, YYYY-MM or YYYY-MM-DD',
      es: 'Último día de entrada, incluido: AAAA, AAAA-MM o AAAA-MM-DD',
    },
    details: {
      en: 'A year or a month stands for its last day: `checkin_to=2020` ends on 31 December.',
      es: 'Un año o un mes equivale a su último día: `checkin_to=2020` llega hasta el 31 de diciembre.',
    },
    malformed: malformedDate,
    synonyms: ['until', 'to', 'date_to'],
    flag: 'until',
    placeholder: anyDate,
  },
  registration_number: {
    schema: anyText,
    meaning: {
      en: 'Complete registration number; case does not matter',
      es: 'Número de registro completo, sin distinguir mayúsculas',
    },
    details: { en: 'Several records may have the same one.', es: 'Varios expedientes pueden compartirlo.' },
    synonyms: ['number'],
    placeholder: { en: 'NUMBER', es: 'NÚMERO' },
    words: { en: 'with the registration number {}', es: 'con el número de registro {}' },
    token: { letter: 'r', toValue: (record) => record.registration_number },
  },
  id: {
    schema: anyText,
    meaning: {
      en: 'Complete id, which is not the inscription code; case does not matter',
      es: 'Identificador completo, que no es el código de inscripción, sin distinguir mayúsculas',
    },
    details: { en: 'Several records may have the same one.', es: 'Varios expedientes pueden compartirlo.' },
    placeholder: { en: 'ID', es: 'ID' },
    words: { en: 'with the id {}', es: 'con el identificador {}' },
    token: { letter: 'i', toValue: (record) => record.id },
  },
  agreement: {
    ...oneOf({
      yes: { en: 'with an agreement', es: 'con acuerdo' },
      no: { en: 'without an agreement', es: 'sin acuerdo' },
    }),
    meaning: {
      en: 'yes: only records with a separate agreement (agreement_link); no: without',
      es: 'yes: solo expedientes con un acuerdo aparte (agreement_link); no: sin él',
    },
    synonyms: ['agreement_link'],
    token: { letter: 'l', toValue: (record) => (record.agreement_link === undefined ? 'no' : 'yes') },
  },
  search: {
    schema: { type: 'string', minLength: 1, maxLength: termCharactersMax, pattern: termPattern },
    meaning: {
      en: 'Words, in any form, all in the title, area, content or documents; "in quotes" a phrase, plan* a prefix',
      es:
        'Palabras, en cualquier forma, todas en el título, el ámbito, el contenido o los documentos; "entre comillas" ' +
        'una frase, plan* un comienzo',
    },
    details: {
      en: `At most ${termWordsMax} words. A prefix has at least three letters. There is no other syntax.`,
      es: `Como máximo ${termWordsMax}. Un comienzo tiene al menos tres letras. No se admiten otros operadores.`,
    },
    synonyms: ['q', 'query', 'term', 'text'],
    flag: null,
    placeholder: { en: 'TERM', es: 'PALABRAS' },
  },
}

export const parameters: Readonly<Record<ParameterName, Parameter>> = {
  ...filters,
  limit: {
    schema: { type: 'integer', minimum: 1, maximum: limitMax },
    meaning: {
      en: `Records per page, 1 to ${limitMax}; without it the whole result is sent`,
      es: `Expedientes por página, de 1 a ${limitMax}; sin este parámetro se envía el resultado completo`,
    },
    details: {
      en: 'The `Link` header has the address of the next page.',
      es: 'La cabecera `Link` lleva la dirección de la página siguiente.',
    },
    malformed: { code: 'malformed-limit', expected: `a whole number from 1 to ${limitMax}, such as 20` },
    synonyms: ['per_page', 'page_size'],
  },
  cursor: {
    schema: { type: 'string', maxLength: cursorCharactersMax, pattern: cursorPattern },
    meaning: {
      en: 'Start of the page: an opaque value from the Link header of the previous page',
      es: 'Comienzo de la página: un valor de la cabecera Link de la página anterior',
    },
    details: {
      en: 'It stays valid when the registry is updated between two pages.',
      es: 'Sigue siendo válido aunque el registro se actualice entre dos páginas.',
    },
    malformed: { code: 'malformed-cursor', expected: 'a value from a Link header' },
    synonyms: ['page', 'offset', 'after'],
  },
  include: {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: includePattern },
    meaning: {
      en: `Properties to add to each record, separated by commas: ${includeNames.join(', ')}`,
      es: `Propiedades que se añaden a cada expediente, separadas por comas: ${includeNames.join(', ')}`,
    },
    details: {
      en:
        '`cod_archivo` is its inscription code; `place` is the INE code, province and autonomous community of its ' +
        'municipality; `documents` says which pages of each document can be searched; `passages` shows where the words ' +
        'of `search` stand in the documents. `passages` needs `search`, and `limit` of at most 100 or a code in the path.',
      es:
        '`cod_archivo` es su código de inscripción; `place`, el código INE, la provincia y la comunidad autónoma; ' +
        '`documents` indica en qué páginas de cada documento se puede buscar; `passages`, dónde aparecen las palabras ' +
        'de `search` (necesita `search` y, además, `limit` de 100 como máximo o el código de un expediente en la ' +
        'dirección).',
    },
  },
  count: {
    schema: { type: 'string', enum: ['exact'] },
    meaning: {
      en: 'exact: adds the header Total-Count, the number of matching records on all pages',
      es: 'exact: añade la cabecera Total-Count, el número de expedientes encontrados en todas las páginas',
    },
    malformed: { code: 'malformed-value', expected: 'exact' },
    synonyms: ['total'],
  },
  facets: {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: visibleTextPattern },
    meaning: {
      en: 'Names of fields to count by their values, separated by commas: tipo,estado',
      es: 'Nombres de campos que se cuentan por sus valores, separados por comas: tipo,estado',
    },
    details: {
      en: `\`openapi.json\` lists the fields of the registry. A field has at most ${countedValuesMax} different values.`,
      es: `\`openapi.json\` enumera los campos del registro. Un campo tiene como máximo ${countedValuesMax} valores.`,
    },
    synonyms: ['facet', 'group_by'],
  },
  since: {
    schema: { type: 'string', maxLength: sinceCharactersMax, pattern: sincePattern },
    meaning: {
      en: 'Where to go on: an opaque value from the Link header of the previous response',
      es: 'Desde dónde continuar: un valor de la cabecera Link de la respuesta anterior',
    },
    details: {
      en: 'Without it, every record is listed as new.',
      es: 'Sin él se enumeran todos los expedientes como nuevos.',
    },
    malformed: { code: 'malformed-since', expected: 'a value from a Link header' },
  },
}

/** Parameters that differ in one operation, by its id and the name of the parameter. */
const operationParameters: Readonly<Record<string, Parameter>> = {
  'summariseRecords.include': {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: '^documents(,documents)*$' },
    meaning: {
      en: 'documents: adds the pages of the documents, how many there are, and how many can be searched',
      es: 'documents: añade las páginas de los documentos, cuántas hay y en cuántas se puede buscar',
    },
  },
  'listChanges.include': {
    schema: { type: 'string', maxLength: valueCharactersMax, pattern: '^record(,record)*$' },
    meaning: {
      en: 'record: adds the record to each new or changed entry, with its code and place; null if it is gone',
      es: 'record: añade el expediente a cada entrada nueva o modificada, con su código y lugar; null si se ha retirado',
    },
  },
  'listChanges.limit': {
    schema: { type: 'integer', minimum: 1, maximum: limitMax },
    meaning: {
      en: `Changes per page, 1 to ${limitMax}; ${limitMax} without it`,
      es: `Cambios por página, de 1 a ${limitMax}; sin este parámetro, ${limitMax}`,
    },
    details: {
      en: 'The `Link` header has the address of the next page.',
      es: 'La cabecera `Link` lleva la dirección de la página siguiente.',
    },
  },
}

export const filterNames: readonly FilterName[] = Object.keys(filters) as FilterName[]

/** The parameter as the operation takes it. */
export function toParameter(operationId: string, name: ParameterName): Parameter {
  return operationParameters[`${operationId}.${name}`] ?? parameters[name]
}

/** The filter on one of the office's own columns. */
export function toFieldFilter({ label }: OwnField): Parameter {
  return {
    schema: anyText,
    meaning: {
      en: `Value of the field ${label}, without regard to case and accents`,
      es: `Valor del campo ${label}, sin distinguir mayúsculas ni acentos`,
    },
  }
}

/** Meaning and details, for OpenAPI and the reference page. */
export function toDescription({ meaning, details }: Parameter, language: keyof BilingualText): string {
  return details === undefined ? `${meaning[language]}.` : `${meaning[language]}. ${details[language]}`
}

/** The filters that compare a field as a whole, which have a token in the full-text index. */
export const tokenFilters: readonly TokenFilter[] = filterNames.flatMap((name) => {
  const { token } = filters[name]
  return token === undefined || name === 'search' ? [] : [{ name, ...token }]
})

export interface TokenFilter {
  readonly name: Exclude<FilterName, 'search'>
  readonly letter: string
  readonly toValue: (record: WireRecord) => string
}

/** A filter with its value as running text: `with the id 7`, `without an agreement`, `Ávila`. It shows `shown`. */
export function describeFilter(
  name: FilterName,
  value: string,
  language: keyof BilingualText,
  shown: string = value,
): string {
  const { words, choices } = filters[name]
  return (choices?.[value] ?? words)?.[language].replace('{}', () => shown) ?? shown
}

/** The flag of the command `search` without its dashes; null for the term, whose words follow the command. */
export function toFlag(name: FilterName): string | null {
  const { flag = name.replaceAll('_', '-') } = filters[name]
  return flag
}

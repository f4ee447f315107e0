// Parses the query string and the inscription code in the path into a Query, or into the Problem (400) that says what
// is wrong. Parsing is strict, because ignoring an unknown or malformed filter would return the wrong records.

import { analyseTerm } from '../analysis/analyser.ts'
import type { Cursor } from '../domain/cursor.ts'
import { parseCursor, toCursorText } from '../domain/cursor.ts'
import { nearestWords } from '../domain/edit-cost.ts'
import { foldValue } from '../domain/exact-value.ts'
import { type CodeFormat, foldCode, toCodeFormat } from '../domain/inscription-code.ts'
import {
  type FieldParameter,
  fieldPrefix,
  foldFieldValue,
  isFieldParameter,
  type OwnField,
} from '../domain/own-fields.ts'
import {
  type FilterName,
  filterNames,
  filters,
  type IncludeName,
  includeNames,
  type ParameterName,
  parameters,
} from '../domain/parameters.ts'
import { parsePeriod } from '../domain/period.ts'
import type { Filters, Query } from '../domain/query.ts'
import {
  cursorCharactersMax,
  limitMax,
  passageRecordsMax,
  termCharactersMax,
  termWordsMax,
  valueCharactersMax,
} from '../domain/query-limits.ts'
import { parseNormalisedText, parseUnnormalisedText } from '../http/target.ts'
import { Problem, quote } from '../problems.ts'
import type { SnapshotMetadata } from '../registry/contract.ts'
import { countWords } from './count-words.ts'
import { toUnknownFieldProblem, toUnknownParameterProblem } from './unknown-parameter.ts'

/** The parameters of a valid request. */
export interface ParsedParameters {
  readonly query: Query
  /** The decoded values, from which the cache key and the URL of the next page are built. */
  readonly values: ParameterValues
}

export type ParameterValues = ReadonlyMap<ParameterName | FieldParameter, string>

/** The conditions on a record as query parameters. `record.csv` and `feed` take nothing else. */
export const conditionParameters: readonly ParameterName[] = filterNames.filter((name) => name !== 'cod_archivo')
export const summaryParameters: readonly ParameterName[] = [...conditionParameters, 'include', 'facets']
/** The query parameters of `record` and `record/{cod_archivo}`. */
export const recordParameters: readonly ParameterName[] = [
  ...conditionParameters,
  'limit',
  'cursor',
  'include',
  'count',
]
export const changesParameters: readonly ParameterName[] = [...conditionParameters, 'since', 'limit', 'include']
/** All parameters, in the order in which a cache key and a URL have them. */
const parameterNames: readonly ParameterName[] = Object.keys(parameters) as ParameterName[]

/** The names that `include` may have in an operation, and what each of them adds to a record. */
export type Includable = Readonly<Record<string, readonly IncludeName[]>>

export const recordIncludable: Includable = Object.fromEntries(includeNames.map((name) => [name, [name]]))

/**
 * Parses the parameters of a request; returns the first problem if there is one. `allowed` are the query parameters
 * that the operation takes. `rawCode` is the percent-encoded inscription code of `record/{cod_archivo}`; other
 * operations have none. `registry` is what the registry says of its codes and fields; while it is unavailable, codes have
 * the standard form and any field is taken.
 */
export function parseParameters(
  rawQuery: string,
  allowed: readonly ParameterName[],
  registry?: Pick<SnapshotMetadata, 'codePattern' | 'fields'>,
  { rawCode, includable = recordIncludable }: PathOptions = {},
): ParsedParameters | Problem {
  const values = parseQueryString(rawQuery, allowed, registry?.fields)
  if (values instanceof Problem) return values
  if (rawCode !== undefined) {
    const code = parseCode(rawCode, toCodeFormat(registry?.codePattern ?? null))
    if (code instanceof Problem) return code
    values.set('cod_archivo', code)
  }
  const query = parseQuery(values, includable, registry?.fields)
  return query instanceof Problem ? query : { query, values }
}

/** What differs between operations besides the parameters that they take. */
export interface PathOptions {
  readonly rawCode?: string | undefined
  readonly includable?: Includable | undefined
}

/**
 * Whether the query has a filter or a term. The properties that are left out here choose a page (`limit`, `after`), or
 * add to its records (`include`).
 */
export function hasConditions({
  limit: _limit,
  after: _after,
  include: _include,
  facets: _facets,
  ...conditions
}: Query): boolean {
  return Object.values(conditions).some((condition) => condition !== undefined)
}

/**
 * The operation (a path, such as `record`), then name and value of each parameter in turn. The key identifies the
 * response within a snapshot; the ETag has a hash of both.
 */
export function toCacheKey(operation: string, values: ParameterValues): string[] {
  const key = [operation]
  for (const name of parameterNames) {
    const value = values.get(name)
    if (value !== undefined) key.push(name, value)
  }
  for (const [name, value] of fieldsOf(values)) key.push(name, value)
  return key
}

/** The URL of a request, relative to the base URL. `operation` is a path. `cursor` replaces the cursor in `values`. */
export function toRelativeUrl(operation: string, values: ParameterValues, cursor?: Cursor): string {
  const code = values.get('cod_archivo')
  const pairs: string[] = []
  for (const name of parameterNames) {
    if (name === 'cod_archivo') continue
    const value = name === 'cursor' && cursor !== undefined ? toCursorText(cursor) : values.get(name)
    if (value !== undefined) pairs.push(`${name}=${encodeURIComponent(value)}`)
  }
  for (const [name, value] of fieldsOf(values)) pairs.push(`${encodeURIComponent(name)}=${encodeURIComponent(value)}`)
  const path = code === undefined ? operation : `${operation}/${encodeURIComponent(code)}`
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** The filters on the office's own columns, in the order of their names. */
function fieldsOf(values: ParameterValues): [FieldParameter, string][] {
  const fields = [...values].filter((pair): pair is [FieldParameter, string] => isFieldParameter(pair[0]))
  return fields.sort(([a], [b]) => (a < b ? -1 : 1))
}

/** Decoded values by name, or the first problem. */
function parseQueryString(
  rawQuery: string,
  allowed: readonly ParameterName[],
  fields: readonly OwnField[] | undefined,
): Map<ParameterName | FieldParameter, string> | Problem {
  const values = new Map<ParameterName | FieldParameter, string>()
  if (rawQuery === '') return values
  for (const pair of rawQuery.split('&')) {
    if (pair === '') continue
    // `name=value`, or only `name`.
    const equals = pair.indexOf('=')
    const rawName = equals < 0 ? pair : pair.slice(0, equals)
    const rawValue = equals < 0 ? '' : pair.slice(equals + 1)
    const name = parseName(rawName, allowed, fields)
    if (name instanceof Problem) return name
    if (values.has(name)) {
      return new Problem('repeated-parameter', `Cannot read ${name}: it is given twice; give it once`, {
        parameter: name,
      })
    }
    const isSearch = name === 'search'
    // The service itself has written these two values. They may contain a code as the record writes it, which need not
    // be in NFC, so they are not normalised.
    const isOpaque = name === 'cursor' || name === 'since'
    // A pasted title may contain tabs and line breaks. They are read as spaces, which `+` stands for in a query.
    const rawText = isSearch ? rawValue.replace(encodedLineBreakOrTab, '+') : rawValue
    const parse = isOpaque ? parseUnnormalisedText : parseNormalisedText
    const value = parse(rawText, 'query', name)
    if (value instanceof Problem) return value
    if (value.trim() === '') return toEmptyProblem(name)
    const charactersMax = isSearch ? termCharactersMax : valueCharactersMax
    // An opaque value contains a code and more, so it may be longer than other values. `parseCursorParameter` checks
    // the length of `cursor`, and changes.ts that of `since`.
    if (!isOpaque && isTooLong(value, charactersMax)) return toTooLongProblem(name, value, charactersMax)
    values.set(name, value)
  }
  return values
}

function parseName(
  raw: string,
  allowed: readonly ParameterName[],
  fields: readonly OwnField[] | undefined,
): ParameterName | FieldParameter | Problem {
  // Names are rarely percent-encoded, so the raw text is compared before it is decoded.
  for (const name of allowed) if (name === raw) return name
  const text = parseNormalisedText(raw, 'query')
  if (text instanceof Problem) return text
  const found = allowed.find((name) => name === text)
  if (found !== undefined) return found
  // An operation that takes the term takes every filter.
  if (!isFieldParameter(text) || !allowed.includes('search')) return toUnknownParameterProblem(text, allowed)
  const isKnown = fields === undefined || fields.some(({ name }) => fieldPrefix + name === text)
  return isKnown ? text : toUnknownFieldProblem(text.slice(fieldPrefix.length), fields, text)
}

function parseCode(rawCode: string, { pattern, isCode }: CodeFormat): string | Problem {
  const code = parseNormalisedText(rawCode, 'path', 'cod_archivo')
  if (code instanceof Problem) return code
  if (code.trim() === '') return toEmptyProblem('cod_archivo')
  if (isTooLong(code, valueCharactersMax)) return toTooLongProblem('cod_archivo', code, valueCharactersMax)
  if (isCode(code)) return code
  const expected = pattern === null ? '<prefix>-<number>' : `the pattern ${pattern}`
  return new Problem('malformed-code', `Cannot read cod_archivo: expected ${expected}, got ${quote(code)}`, {
    parameter: 'cod_archivo',
  })
}

/** Checks the formats of the values, and turns them into the query. */
function parseQuery(
  values: ParameterValues,
  includable: Includable,
  fields: readonly OwnField[] | undefined,
): Query | Problem {
  const parsed = parseFilters(values)
  if (parsed instanceof Problem) return parsed
  const limit = values.get('limit')
  if (limit !== undefined && !isLimit(limit)) return toMalformedProblem('limit', limit)
  const cursor = values.get('cursor')
  const after = cursor === undefined ? undefined : parseCursorParameter(cursor)
  if (after === null) return toMalformedProblem('cursor', cursor ?? '')
  const facets = parseFacets(values.get('facets'), fields)
  if (facets instanceof Problem) return facets
  const include = values.get('include')
  const included = include === undefined ? undefined : parseInclude(include, includable)
  if (included instanceof Problem) return included
  const count = values.get('count')
  if (count !== undefined && count !== 'exact') return toMalformedProblem('count', count)
  const passagesProblem = included?.includes('passages') ? findPassagesProblem(values) : undefined
  if (passagesProblem !== undefined) return passagesProblem
  return { ...parsed, limit: limit === undefined ? undefined : Number(limit), after, include: included, facets }
}

function parseFilters(values: ParameterValues): Filters | Problem {
  const parsed: Partial<Record<Exclude<FilterName, 'search'>, string>> = {}
  for (const name of filterNames) {
    const text = values.get(name)
    if (text === undefined || name === 'search') continue
    const value = (parsers[name] ?? parseWholeValue)(text, name)
    if (value === undefined) return toMalformedProblem(name, text)
    parsed[name] = value
  }
  const { checkin_from: from, checkin_to: to } = parsed
  if (from !== undefined && to !== undefined && from > to) {
    const detail = `Cannot read checkin_to: it ends on ${to}, before checkin_from begins on ${from}`
    return new Problem('reversed-dates', detail, { parameter: 'checkin_to' })
  }
  const ownFields = fieldsOf(values).map(([name, value]) => [name.slice(fieldPrefix.length), foldFieldValue(value)])
  const filters = ownFields.length === 0 ? parsed : { ...parsed, fields: Object.fromEntries(ownFields) }
  const search = values.get('search')
  if (search === undefined) return filters
  return findTermProblem(search) ?? { ...filters, search: analyseTerm(search) }
}

/** The fields that `facets` names, in its order and each once. */
function parseFacets(
  text: string | undefined,
  fields: readonly OwnField[] | undefined,
): readonly string[] | undefined | Problem {
  if (text === undefined) return undefined
  const names = [...new Set(text.split(',').map((name) => name.trim()))]
  const unknown = fields === undefined ? undefined : names.find((name) => !fields.some((field) => field.name === name))
  return unknown === undefined ? names : toUnknownFieldProblem(unknown, fields ?? [], 'facets')
}

/** Reads the value of a filter; undefined if it is malformed. `name` is that of the filter. */
type FilterParser = (text: string, name: FilterName) => string | undefined

/** For filters that compare a field as a whole: `foldValue` removes differences of case and of the form of accents. */
const parseWholeValue: FilterParser = (text, name) => {
  const { choices } = filters[name]
  return choices === undefined || Object.hasOwn(choices, text) ? foldValue(text) : undefined
}

const parsePlace: FilterParser = (text) => text.trim()

/** The filters that are read in another way. A period without a day begins on its first and ends on its last. */
const parsers: Partial<Record<FilterName, FilterParser>> = {
  cod_archivo: foldCode,
  municipality: parsePlace,
  province: parsePlace,
  community: parsePlace,
  checkin_date: (text) => (/^\d{4}$/.test(text) ? text : undefined),
  checkin_from: (text) => parsePeriod(text)?.first,
  checkin_to: (text) => parsePeriod(text)?.last,
}

/** Whether the text is a whole number from 1 to `limitMax`, without leading zeros. */
function isLimit(text: string): boolean {
  return /^[1-9]\d*$/.test(text) && Number(text) <= limitMax
}

/** The problem of a term with too many words; undefined for any other term. */
function findTermProblem(search: string): Problem | undefined {
  // A word and the separator after it take two characters at least, so a term that is not longer than two characters
  // for each allowed word need not be counted.
  if (search.length <= termWordsMax * 2) return undefined
  const words = countWords(search)
  if (words <= termWordsMax) return undefined
  const detail = `Cannot read search: expected at most ${termWordsMax} words, got ${words}`
  return new Problem('too-many-words', detail, { parameter: 'search' })
}

/** Null if the text is no cursor. */
function parseCursorParameter(text: string): Cursor | null {
  return (isTooLong(text, cursorCharactersMax) ? undefined : parseCursor(text)) ?? null
}

/** What the names in `include`, which are separated by commas, add to a record, in the order of `includable`. */
function parseInclude(include: string, includable: Includable): readonly IncludeName[] | Problem {
  const allowed = Object.keys(includable)
  const names = include.split(',')
  const unknown = names.find((name) => !allowed.includes(name))
  if (unknown === undefined) {
    return allowed.filter((name) => names.includes(name)).flatMap((name) => includable[name] ?? [])
  }
  const expected = allowed.length === 1 ? allowed[0] : `names of ${allowed.join(', ')} separated by commas`
  // Without a maximum distance, the nearest name always exists.
  const [nearest = ''] = nearestWords(unknown, allowed)
  const detail = `Cannot read include: expected ${expected}, got ${quote(unknown)}`
  return new Problem('malformed-include', detail, { parameter: 'include', suggestions: [nearest] })
}

/**
 * Why passages (pieces of the documents around the words of the search) are refused; undefined if they are allowed.
 * Finding them is slow, so they need a search, and a small limit or, without a limit, a code.
 */
function findPassagesProblem(values: ParameterValues): Problem | undefined {
  const limit = values.get('limit')
  const toProblem = (detail: string, parameter: ParameterName): Problem =>
    new Problem('passages-unavailable', detail, { parameter })
  if (!values.has('search')) {
    return toProblem('Cannot include passages: search is missing; add it, for example search=paisaje', 'include')
  }
  if (limit === undefined && !values.has('cod_archivo')) {
    return toProblem(
      `Cannot include passages in a whole result: add limit=20 (at most ${passageRecordsMax}) or a code to the path`,
      'include',
    )
  }
  // Without a limit there is a code, which belongs to one record.
  const records = Number(limit ?? 1)
  if (records <= passageRecordsMax) return undefined
  return toProblem(`Cannot read limit: expected at most ${passageRecordsMax} with passages, got ${limit}`, 'limit')
}

function toEmptyProblem(name: ParameterName | FieldParameter): Problem {
  return new Problem('incomplete-request', `Cannot read ${name}: it is empty; give it a value or leave it out`, {
    parameter: name,
  })
}

function toTooLongProblem(name: ParameterName | FieldParameter, value: string, charactersMax: number): Problem {
  const detail = `Cannot read ${name}: expected at most ${charactersMax} characters, got ${[...value].length}`
  return new Problem('value-too-long', detail, { parameter: name })
}

/**
 * Counts code points. A text has at most as many code points as UTF-16 code units (`length`), so a short text need not
 * be counted.
 */
function isTooLong(value: string, charactersMax: number): boolean {
  return value.length > charactersMax && [...value].length > charactersMax
}

/** `%09` is a tab, `%0a` and `%0d` are line breaks. */
const encodedLineBreakOrTab = /%0[9ad]/gi

/** The problem of a value that cannot be read. The entry of the parameter says what was expected. */
export function toMalformedProblem(name: ParameterName, got: string): Problem {
  const { malformed } = parameters[name]
  if (malformed === undefined) throw new Error(`${name} has no malformed values`)
  const { code, expected } = malformed
  return new Problem(code, `Cannot read ${name}: expected ${expected}, got ${quote(got)}`, { parameter: name })
}

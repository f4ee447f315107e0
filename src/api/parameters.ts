// The first stage of a request: from the raw query and path to a Query, or to the Problem (400) that says what is wrong
// with it. Strict where a lenient reading would answer with the wrong records (decisions, "Requests").

import { analyseTerm } from '../analysis/analyser.ts'
import { nearestWords } from '../analysis/nearest.ts'
import type { Cursor } from '../domain/cursor.ts'
import { parseCursor, toCursorText } from '../domain/cursor.ts'
import { foldCode, isCode } from '../domain/inscription-code.ts'
import type { Query } from '../domain/query.ts'
import { parseText } from '../http/target.ts'
import { Problem, quote } from '../problems.ts'
import type { ParameterName } from './schemas.ts'
import { limitMax, matchesSchema, parameters, termWordsMax, valueCharactersMax } from './schemas.ts'

/** A request that was understood. */
export interface ParsedParameters {
  readonly query: Query
  /** The values as given, decoded; what canonical addresses are made of. */
  readonly values: Values
}

export type Values = ReadonlyMap<ParameterName, string>

export const recordParameters: readonly ParameterName[] = ['municipality', 'checkin_date', 'search', 'limit', 'cursor']
const questionParameters: readonly ParameterName[] = ['cod_archivo', ...recordParameters]
export const filterParameters: readonly ParameterName[] = ['municipality', 'checkin_date', 'search']

/** Parses the query, and for `record/{cod_archivo}` the raw text after `record/`. */
export function parseRequest(
  rawQuery: string,
  known: readonly ParameterName[],
  rawCode?: string,
): ParsedParameters | Problem {
  const given = parseParameters(rawQuery, known)
  if (given instanceof Problem) return given
  if (rawCode !== undefined) {
    const code = parseCode(rawCode)
    if (code instanceof Problem) return code
    given.set('cod_archivo', code)
  }
  const query = toQuery(given)
  return query instanceof Problem ? query : { query, values: given }
}

/** What tells the question from all others, for its tag. */
export function toQuestion(operation: string, values: Values): string[] {
  const question = [operation]
  for (const name of questionParameters) {
    const value = values.get(name)
    if (value !== undefined) question.push(name, value)
  }
  return question
}

/** The address of the same question relative to the base, always spelt one way; with `cursor`, that of a later page. */
export function toAddress(operation: string, values: Values, cursor?: Cursor): string {
  const code = values.get('cod_archivo')
  const pairs: string[] = []
  for (const name of recordParameters) {
    const value = name === 'cursor' && cursor !== undefined ? toCursorText(cursor) : values.get(name)
    if (value !== undefined) pairs.push(`${name}=${encodeURIComponent(value)}`)
  }
  const path = code === undefined ? operation : `${operation}/${encodeURIComponent(code)}`
  return pairs.length === 0 ? path : `${path}?${pairs.join('&')}`
}

/** Decoded values by name; a Map, so that a parameter called `__proto__` is a name like any other. */
export function parseParameters(
  rawQuery: string,
  known: readonly ParameterName[],
): Map<ParameterName, string> | Problem {
  const given = new Map<ParameterName, string>()
  if (rawQuery === '') return given
  for (const pair of rawQuery.split('&')) {
    if (pair === '') continue
    const equals = pair.indexOf('=')
    const name = parseName(equals < 0 ? pair : pair.slice(0, equals), known)
    if (name instanceof Problem) return name
    if (given.has(name)) {
      return new Problem('repeated-parameter', `Cannot read ${name}: it is given twice; give it once`, name)
    }
    const value = parseText(equals < 0 ? '' : pair.slice(equals + 1), 'query', name)
    if (value instanceof Problem) return value
    if (value.trim() === '') return incomplete(name)
    if (name !== 'cursor' && isTooLong(value)) return tooLong(name, value)
    given.set(name, value)
  }
  return given
}

/** Most often it is not encoded. */
function parseName(raw: string, known: readonly ParameterName[]): ParameterName | Problem {
  for (const name of known) if (name === raw) return name
  const text = parseText(raw, 'query')
  if (text instanceof Problem) return text
  return known.find((name) => name === text) ?? unknownParameter(text, known)
}

function parseCode(rawCode: string): string | Problem {
  const code = parseText(rawCode, 'path', 'cod_archivo')
  if (code instanceof Problem) return code
  if (code.trim() === '') return incomplete('cod_archivo')
  if (isTooLong(code)) return tooLong('cod_archivo', code)
  if (isCode(code)) return code
  return new Problem(
    'malformed-code',
    `Cannot read cod_archivo: expected <prefix>-<number>, got ${quote(code)}`,
    'cod_archivo',
  )
}

function toQuery(values: Values): Query | Problem {
  const code = values.get('cod_archivo')
  const municipality = values.get('municipality')
  const year = values.get('checkin_date')
  const search = values.get('search')
  const limit = values.get('limit')
  const cursor = values.get('cursor')
  if (year !== undefined && !matchesSchema(parameters.checkin_date.schema, year)) {
    return malformed('malformed-year', 'checkin_date', 'a year of four digits', year)
  }
  // So many words and the spaces between them.
  const mayBeTooMany = search !== undefined && search.length > termWordsMax * 2
  if (mayBeTooMany && countWords(search) > termWordsMax) {
    const detail = `Cannot read search: expected at most ${termWordsMax} words, got ${countWords(search)}`
    return new Problem('too-many-words', detail, 'search')
  }
  if (limit !== undefined && !matchesSchema(parameters.limit.schema, limit)) {
    return malformed('malformed-limit', 'limit', `a whole number from 1 to ${limitMax}`, limit)
  }
  const after =
    cursor !== undefined && matchesSchema(parameters.cursor.schema, cursor) ? parseCursor(cursor) : undefined
  if (cursor !== undefined && after === undefined) {
    return malformed('malformed-cursor', 'cursor', 'a value from a Link header', cursor)
  }
  // All of them, given or not: code that meets one shape of object alone is quicker.
  return {
    code: code === undefined ? undefined : foldCode(code),
    municipality: municipality?.trim(),
    year: year === undefined ? undefined : Number(year),
    term: search === undefined ? undefined : analyseTerm(search),
    limit: limit === undefined ? undefined : Number(limit),
    after,
  }
}

function unknownParameter(name: string, known: readonly ParameterName[]): Problem {
  const shown = name.slice(0, valueCharactersMax)
  const begin = `Cannot read ${quote(name)}: this address takes`
  if (known.length === 0) return new Problem('unknown-parameter', `${begin} no parameters`, shown)
  const begun = `${begin} ${known.join(', ')}`
  if (name === 'cod_archivo') {
    return new Problem('unknown-parameter', `${begun}; put the code into the path: record/{cod_archivo}`, shown)
  }
  // Rightly spelt, at the wrong address: nothing else was meant.
  if (recordParameters.some((each) => each === name)) return new Problem('unknown-parameter', begun, shown)
  const meant = synonyms.get(name.toLowerCase())
  const [nearest = ''] = nearestWords(name.replaceAll('-', '_'), known)
  const suggestion = meant !== undefined && known.includes(meant) ? meant : nearest
  return new Problem('unknown-parameter', `${begun}; did you mean ${suggestion}?`, shown, [suggestion])
}

/** Names that other services give these parameters, too far from ours for a count of letters to find. */
const synonyms: ReadonlyMap<string, ParameterName> = new Map([
  ['q', 'search'],
  ['query', 'search'],
  ['term', 'search'],
  ['text', 'search'],
  ['year', 'checkin_date'],
  ['date', 'checkin_date'],
  ['page', 'cursor'],
  ['offset', 'cursor'],
  ['after', 'cursor'],
  ['per_page', 'limit'],
  ['page_size', 'limit'],
  ['city', 'municipality'],
  ['town', 'municipality'],
])

function incomplete(name: ParameterName): Problem {
  return new Problem('incomplete-request', `Cannot read ${name}: it is empty; give it a value or leave it out`, name)
}

function tooLong(name: ParameterName, value: string): Problem {
  const detail = `Cannot read ${name}: expected at most ${valueCharactersMax} characters, got ${[...value].length}`
  return new Problem('value-too-long', detail, name)
}

/** Characters are Unicode code points, so that a letter outside the basic plane counts once. */
function isTooLong(value: string): boolean {
  return value.length > valueCharactersMax && [...value].length > valueCharactersMax
}

/** Words as a reader counts them: what stands between spaces and holds a letter or a digit. */
function countWords(term: string): number {
  return term.split(/\s+/u).filter((piece) => /[\p{L}\p{N}]/u.test(piece)).length
}

function malformed(
  code: 'malformed-year' | 'malformed-limit' | 'malformed-cursor',
  name: ParameterName,
  expected: string,
  got: string,
): Problem {
  return new Problem(code, `Cannot read ${name}: expected ${expected}, got ${quote(got)}`, name)
}

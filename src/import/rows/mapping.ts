// Parses the file of `--mapping`: a JSON object that says for each of our columns where its value comes from. That is a
// heading of the source, a constant, several headings whose cells are joined, or a heading whose cell is rewritten by a
// regular expression. layout.ts applies the mapping.

import { UsageFault } from '../../cli/config.ts'
import { nearestWords } from '../../domain/edit-cost.ts'
import { t, toQuantity } from '../../language.ts'
import { describeJsonFault } from '../sources/json-text.ts'
import { type Column, columns, foldHeading } from './columns.ts'
import { isNull } from './null-cell.ts'
import { toQuoted } from './quote.ts'

/**
 * Where the value of a column comes from. In the file of `--mapping` the kinds are written like this:
 *
 * | kind | JSON | value |
 * |---|---|---|
 * | heading | `"Denominación"`, or `{"from": "Denominación"}` | the cell under the heading |
 * | value | `{"value": "Madrid"}` | the same for every row |
 * | join | `{"join": ["A", "B"], "with": " "}` | the cells that are not blank, with the text of `with` between them |
 * | rewrite | `{"from": "N", "match": "^(\\d+)$", "to": "$1"}` | the cell, with the first match replaced by `to` |
 *
 * Any object may also have an `else`: the form that is read instead if the value is blank, `NULL` or `\N`, or if
 * `match` does not match.
 */
export type ValueForm = (
  | { readonly kind: 'heading'; readonly heading: string }
  | { readonly kind: 'value'; readonly value: string }
  | { readonly kind: 'join'; readonly headings: readonly string[]; readonly separator: string }
  | { readonly kind: 'rewrite'; readonly heading: string; readonly match: RegExp; readonly to: string }
) & { readonly else?: ValueForm }

export type Mapping = ReadonlyMap<Column, ValueForm>

/** What the file of `--mapping` says. */
export interface ParsedMapping {
  readonly mapping: Mapping
  /** The office's own columns that are kept (`"fields"`), by label. */
  readonly fields: readonly (readonly [label: string, form: ValueForm])[]
}

/** `else` may be nested this deep. There is a limit, because parsing and reading a form recurse into it. */
const elseDepthMax = 10

/** `name` is for messages: a path, or `--mapping`. Throws `UsageFault` if the text is not a mapping. */
export function parseMapping(text: string, name: string): ParsedMapping {
  const toFault = (problem: string): UsageFault => new UsageFault(t`Cannot read mapping ${name}: ${problem}`)
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw toFault(t`${describeJsonFault(text, error)}; expected an object such as {"title": "Denominación"}`)
  }
  if (!isObject(parsed)) throw toFault(t`expected an object such as {"title": "Denominación"}`)
  const mapping = new Map<Column, ValueForm>()
  const fields: [string, ValueForm][] = []
  for (const [key, value] of Object.entries(parsed)) {
    if (foldHeading(key) === 'fields') {
      if (!isObject(value)) throw toFault(t`fields: expected an object such as {"Tipo": "TIPO"}`)
      for (const [label, fieldValue] of Object.entries(value)) {
        const form = parseForm(fieldValue)
        if (typeof form === 'string') throw toFault(`${label}: ${form}`)
        fields.push([label, form])
      }
      continue
    }
    const column = columns.find((each) => each === foldHeading(key))
    if (column === undefined) {
      const [nearest = ''] = nearestWords(foldHeading(key), columns)
      throw toFault(t`there is no column ${toQuoted(key)}; did you mean ${nearest}?`)
    }
    const formOrProblem = parseForm(value)
    if (typeof formOrProblem === 'string') throw toFault(`${column}: ${formOrProblem}`)
    mapping.set(column, formOrProblem)
  }
  return { mapping, fields }
}

/** The headings that a form reads, including the headings of its `else`. */
export function headingsOf(form: ValueForm): readonly string[] {
  const elseHeadings = form.else === undefined ? [] : headingsOf(form.else)
  if (form.kind === 'value') return elseHeadings
  return form.kind === 'join' ? [...form.headings, ...elseHeadings] : [form.heading, ...elseHeadings]
}

/** The headings whose cell may be the whole value of a form, including those of its `else`. */
export function wholeHeadingsOf(form: ValueForm): readonly string[] {
  const elseHeadings = form.else === undefined ? [] : wholeHeadingsOf(form.else)
  return form.kind === 'heading' ? [form.heading, ...elseHeadings] : elseHeadings
}

/** Returns the value of a form in a row. `cellOf` returns the cell under a heading; empty if the row has none. */
export function readForm(form: ValueForm, cellOf: (heading: string) => string): string {
  const value = readWithoutElse(form, cellOf)
  const isEmpty = value.trim() === '' || isNull(value)
  return form.else !== undefined && isEmpty ? readForm(form.else, cellOf) : value
}

/** Returns an empty text if `match` does not match and there is an `else`, which `readForm` then reads. */
function readWithoutElse(form: ValueForm, cellOf: (heading: string) => string): string {
  switch (form.kind) {
    case 'heading':
      return cellOf(form.heading)
    case 'value':
      return form.value
    case 'join': {
      const parts = form.headings.map((heading) => cellOf(heading).trim())
      return parts.filter((part) => part !== '' && !isNull(part)).join(form.separator)
    }
    case 'rewrite': {
      const text = cellOf(form.heading).trim()
      if (isNull(text)) return text
      // Without an `else`, a text that does not match stays as it is.
      return form.else !== undefined && !form.match.test(text) ? '' : text.replace(form.match, form.to)
    }
  }
}

/** Returns the form as a mapping file has it: the reverse of `parseForm`. */
export function toFormJson(form: ValueForm): unknown {
  const elseJson = form.else === undefined ? {} : { else: toFormJson(form.else) }
  switch (form.kind) {
    case 'heading':
      return form.else === undefined ? form.heading : { from: form.heading, ...elseJson }
    case 'value':
      return { value: form.value, ...elseJson }
    case 'join':
      return { join: form.headings, with: form.separator, ...elseJson }
    case 'rewrite':
      return { from: form.heading, match: form.match.source, to: form.to, ...elseJson }
  }
}

/** What is wrong with a form of the mapping, for the message. */
type Problem = string

/** `elseDepth` is the number of `else` that `value` is nested in. Past `elseDepthMax`, it must be a heading. */
function parseForm(value: unknown, elseDepth = 0): ValueForm | Problem {
  if (isHeading(value)) return { kind: 'heading', heading: value }
  if (!isObject(value) || elseDepth > elseDepthMax) {
    return t`expected a heading of the source as text, got ${toQuoted(String(value))}`
  }
  const fields = new Map(Object.entries(value))
  const formOrProblem = parseFields(fields)
  const elseValue = fields.get('else')
  if (typeof formOrProblem === 'string' || elseValue === undefined) return formOrProblem
  const elseOrProblem = parseForm(elseValue, elseDepth + 1)
  return typeof elseOrProblem === 'string' ? elseOrProblem : { ...formOrProblem, else: elseOrProblem }
}

/** The fields that may stand together in an object. The first field of a group tells which form it is. */
const fieldGroups = [
  ['value', 'else'],
  ['join', 'with', 'else'],
  ['from', 'match', 'to', 'else'],
] as const

/** Parses the object of a form, except its `else`. */
function parseFields(fields: ReadonlyMap<string, unknown>): ValueForm | Problem {
  const examples = t`{"value": "Madrid"}, {"join": ["A", "B"], "with": " "} or {"from": "N", "match": "^(\\d+)$", "to": "$1"}`
  const allowedNames = fieldGroups.find(([first]) => fields.has(first))
  if (allowedNames === undefined) return t`expected a heading, ${examples}`
  const unknownName = [...fields.keys()].find((name) => !allowedNames.some((each) => each === name))
  if (unknownName !== undefined)
    return t`there is no ${toQuoted(unknownName)} beside ${allowedNames[0]}; expected ${examples}`
  if (fields.has('value')) {
    const value = fields.get('value')
    return typeof value === 'string' ? { kind: 'value', value } : t`value: expected a text`
  }
  if (fields.has('join')) {
    const headings = fields.get('join')
    const separator = fields.get('with') ?? ' '
    if (!Array.isArray(headings) || headings.length === 0 || !headings.every(isHeading)) {
      return t`join: expected a list of headings`
    }
    return typeof separator === 'string' ? { kind: 'join', headings, separator } : t`with: expected a text`
  }
  return parseRewrite(fields)
}

/** Parses `from`, which without `match` and `to` is only a heading. */
function parseRewrite(fields: ReadonlyMap<string, unknown>): ValueForm | Problem {
  const heading = fields.get('from')
  const match = fields.get('match')
  const to = fields.get('to')
  if (!isHeading(heading)) return t`from: expected a heading of the source`
  if (match === undefined && to === undefined) return { kind: 'heading', heading }
  if (typeof match !== 'string' || typeof to !== 'string') return t`expected match and to, both as text`
  let pattern: RegExp
  try {
    pattern = new RegExp(match, 'u')
  } catch {
    return t`match: ${toQuoted(match)} is not a valid regular expression`
  }
  return findMissingGroup(pattern, to) ?? { kind: 'rewrite', heading, match: pattern, to }
}

/** `$$`, or a reference to a group: `$1`, `$12` or `$<name>`. */
const groupReference = /\$(?:\$|\d{1,2}|<[^>]*>)/g

/** `String.replace` leaves a reference to a group that does not exist as it is, so `$2` would be published. */
function findMissingGroup(pattern: RegExp, to: string): Problem | undefined {
  // With an empty alternative, the pattern matches ''. The match has the matched text first, then a value per group.
  const emptyMatch = new RegExp(`${pattern.source}|`, 'u').exec('')
  const groupCount = (emptyMatch?.length ?? 1) - 1
  const names = Object.keys(emptyMatch?.groups ?? {})
  const isGroup = (number: number): boolean => number >= 1 && number <= groupCount
  const missing = to.match(groupReference)?.find((reference) => {
    const name = reference.slice(1)
    if (name === '$') return false
    if (name.startsWith('<')) return !names.includes(name.slice(1, -1))
    // `$12` is the first group and a 2 if there is no twelfth group.
    return !isGroup(Number(name)) && !isGroup(Number(name[0]))
  })
  if (missing === undefined) return undefined
  const groups = toQuantity(groupCount, 'group')
  return t`to: ${toQuoted(missing)} is not a group of match, which has ${groups}; $& is the whole match, and $$ a dollar`
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** Whether a value can be a heading, that is a text that is not blank. */
function isHeading(value: unknown): value is string {
  return typeof value === 'string' && value.trim() !== ''
}

// The registry as a page for people reads it (`PageRegistry`): the searches and counts of the operations `record` and
// `summary`, with the same parameters and the same problems, but without a request and a response for each.
import { analyseTerm } from '../analysis/analyser.ts'
import type { Term } from '../analysis/term.ts'
import { toCursorText } from '../domain/cursor.ts'
import { type Deadline, SearchCancelled } from '../domain/deadline.ts'
import { countedValuesMax } from '../domain/own-fields.ts'
import { Problem } from '../problems.ts'
import { type Snapshot, StoreUnavailable } from '../registry/contract.ts'
import { findMarks } from '../registry/marks.ts'
import { explainEmptyResult } from './empty-result.ts'
import type { FilterValues, PageRegistry } from './page-renderer.ts'
import { type ParsedParameters, parseParameters, recordParameters } from './parameters.ts'

/** `onIncomplete` is called if the matches of a search cannot be counted. */
export function toPageRegistry(
  snapshot: Snapshot,
  deadline: Deadline | undefined,
  onIncomplete: () => void,
): PageRegistry {
  /** A page counts what it has found, so it often parses the same filters again. */
  const parsed = new Map<string, ParsedParameters | Problem>()
  const parse = ({ cod_archivo: code, ...filters }: FilterValues, cursor = ''): ParsedParameters | Problem => {
    const values = Object.entries(cursor === '' ? filters : { ...filters, cursor })
    const query = values
      .map(([name, value]) => `${encodeURIComponent(name)}=${encodeURIComponent(value ?? '')}`)
      .join('&')
    const rawCode = code === undefined ? undefined : encodeURIComponent(code)
    const key = `${rawCode}?${query}`
    const parameters = parsed.get(key) ?? parseParameters(query, recordParameters, snapshot.metadata, { rawCode })
    parsed.set(key, parameters)
    return parameters
  }
  return {
    dataVersion: snapshot,
    hasPassages: snapshot.hasPassages,
    municipalities: snapshot.municipalities,
    find: async (filters, { limit, cursor, include = [], isExplained = false }) => {
      const parameters = parse(filters, cursor ?? '')
      if (parameters instanceof Problem) return parameters
      const { query } = parameters
      const included = snapshot.hasPassages ? include : include.filter((name) => name !== 'passages')
      const page = await snapshot.page({ ...query, limit, ...(included.length > 0 && { include: included }) }, deadline)
      if (page === null) return isExplained ? explainEmptyResult(parameters, snapshot, deadline) : noMatch
      const { text, next, together, inTitle } = page
      const records = JSON.parse(`[${text}]`)
      return { records, cursor: next === null ? null : toCursorText(next), together, inTitle }
    },
    fields: snapshot.metadata.fields,
    readFieldValues: (name) => {
      const values = snapshot.readFieldValues(name, countedValuesMax + 1)
      return values.length > countedValuesMax ? null : values
    },
    count: async (filters, facets = []) => {
      const parameters = parse(filters)
      if (parameters instanceof Problem) return null
      try {
        return await snapshot.summarise(parameters.query, deadline, { withDocuments: false, facets })
      } catch (error) {
        if (!isBusy(error)) throw error
        onIncomplete()
        return null
      }
    },
    mark: (text, term) => findMarks(text, toTerm(term)),
  }
}

const noMatch = new Problem('no-match', 'No record matches the request')

/** Whether the registry cannot be read now, or not in time: a page shows this as a busy service. */
export function isBusy(error: unknown): boolean {
  return error instanceof StoreUnavailable || error instanceof SearchCancelled
}

/** The term that was analysed last: a page marks many texts with one term. */
let last: { readonly text: string; readonly term: Pick<Term, 'clauses'> } = { text: '', term: { clauses: [] } }

function toTerm(text: string): Pick<Term, 'clauses'> {
  if (last.text !== text) last = { text, term: analyseTerm(text) }
  return last.term
}

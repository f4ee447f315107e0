// Why a sound request found nothing (specification, section 7: 404 for an unknown record, an unknown municipality and
// an empty search alike); the body tells them apart and says what was probably meant.

import { analyseTerm } from '../analysis/analyser.ts'
import { quoteSign } from '../analysis/term-parser.ts'
import type { Deadline } from '../domain/deadline.ts'
import { nearestNames } from '../domain/municipality.ts'
import { Problem, quote } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../snapshot/contract.ts'
import type { ParsedParameters } from './parameters.ts'

export async function explainEmptyResult(
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const { code, municipality } = query
  const shownCode = quote(values.get('cod_archivo') ?? '')
  if (code !== undefined && !(await snapshot.hasCode(code))) {
    return new Problem('unknown-record', `No record bears the inscription code ${shownCode}`, 'cod_archivo')
  }
  const bearers = municipality === undefined ? [] : snapshot.municipalitiesNamed(municipality)
  if (municipality !== undefined && bearers.length === 0) return unknownMunicipality(municipality, snapshot)
  if (query.after !== undefined) {
    return new Problem('nothing-after-cursor', 'No record that matches follows the cursor', 'cursor')
  }
  if (code !== undefined) {
    return new Problem('record-filtered-out', `The record ${shownCode} does not match the other filters`)
  }
  const known = bearers.map((number) => snapshot.municipalities[number]).filter((facts) => facts !== undefined)
  if (known.length > 0) {
    return new Problem('no-match-in-municipality', `${known.map(describe).join('; ')}; none matches the other filters`)
  }
  const search = values.get('search')
  return search === undefined
    ? new Problem('no-match', 'No record matches the request')
    : new Problem('no-match', await whyNoWords(search, snapshot, deadline), 'search')
}

/**
 * Which words of a term no record holds at all; else that they stand in different ones. A code or a phrase is not
 * looked for by itself: that may take as long as the search that found nothing.
 */
async function whyNoWords(search: string, snapshot: Snapshot, deadline: Deadline | undefined): Promise<string> {
  const pieces = search.split(quoteSign).flatMap((part) => part.split(/\s+/u))
  const words = pieces.filter((word) => /[\p{L}\p{N}]/u.test(word))
  const lacking: string[] = []
  let isKnown = words.length > 1
  for (const word of words) {
    const term = analyseTerm(word)
    const isPlain = term.clauses.length === 1 && term.clauses[0]?.kind === 'word'
    if (!isPlain) isKnown = false
    else if ((await snapshot.page({ term, limit: 1 }, deadline)) === null) lacking.push(word)
  }
  if (lacking.length === 0) {
    return `No record matches the request${isKnown ? '; each of its words stands in some record' : ''}`
  }
  const place = lacking.find((word) => snapshot.municipalitiesNamed(word).length > 0)
  const mend = place === undefined ? '' : `; ask for a municipality with municipality=${place}`
  return `No record holds ${lacking.map(quote).join(' or ')}${mend}`
}

function unknownMunicipality(name: string, snapshot: Snapshot): Problem {
  const suggestions = nearestNames(name, snapshot.municipalities)
  const [nearest] = suggestions
  const mend = nearest === undefined ? 'municipality lists those that have records' : `did you mean ${quote(nearest)}?`
  const detail = `No municipality with records is called ${quote(name)}; ${mend}`
  return new Problem('unknown-municipality', detail, 'municipality', suggestions)
}

function describe({ name, records, firstYear, lastYear }: MunicipalityFacts): string {
  const years = firstYear === lastYear ? `of ${firstYear}` : `from ${firstYear} to ${lastYear}`
  return `${name} has ${records} ${records === 1 ? 'record' : 'records'} ${years}`
}

// Explains an empty result. An unknown record, an unknown municipality and a search without matches are all 404
// (specification, section 7); the problem in the body tells them apart and suggests what the client probably meant.

import { analyseTerm } from '../analysis/analyser.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import type { Deadline } from '../domain/deadline.ts'
import { suggestNames } from '../domain/municipality.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import { Problem, quote } from '../problems.ts'
import type { MunicipalityFacts, Snapshot } from '../snapshot/contract.ts'
import type { ParsedParameters } from './parameters.ts'

export async function explainEmptyResult(
  { query, values }: ParsedParameters,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<Problem> {
  const { code, municipality } = query
  const quotedCode = quote(values.get('cod_archivo') ?? '')
  if (code !== undefined && !(await snapshot.hasCode(code))) {
    return new Problem('unknown-record', `No record has the inscription code ${quotedCode}`, 'cod_archivo')
  }
  // A name may belong to several municipalities. These are indexes into `snapshot.municipalities`.
  const indexes = municipality === undefined ? [] : snapshot.findMunicipalities(municipality)
  if (municipality !== undefined && indexes.length === 0) return toUnknownMunicipalityProblem(municipality, snapshot)
  // From here on, the code and the municipality exist, so another filter excludes every record.
  if (query.after !== undefined) {
    return new Problem('nothing-after-cursor', 'No matching record follows the cursor', 'cursor')
  }
  if (code !== undefined) {
    return new Problem('record-filtered-out', `The record ${quotedCode} does not match the other filters`)
  }
  const municipalities = indexes.map((index) => snapshot.municipalities[index]).filter((facts) => facts !== undefined)
  if (municipalities.length > 0) {
    const counts = municipalities.map(describeRecords).join('; ')
    return new Problem('no-match-in-municipality', `${counts}; none matches the other filters`)
  }
  const search = values.get('search')
  return search === undefined
    ? new Problem('no-match', 'No record matches the request')
    : new Problem('no-match', await explainSearch(search, snapshot, deadline), 'search')
}

/**
 * Names the words that occur in no record; if there are none, says that each word occurs in some record. Codes and
 * phrases are not searched again, because that can take as long as the search without matches.
 */
async function explainSearch(search: string, snapshot: Snapshot, deadline: Deadline | undefined): Promise<string> {
  const words = search
    .split(quotationMark)
    .flatMap((part) => part.split(/\s+/u))
    .filter((word) => /[\p{L}\p{N}]/u.test(word))
  const missingWords: string[] = []
  // Stays true only if each word was searched. A single word needs no explanation.
  let isEachWordSearched = words.length > 1
  for (const word of words) {
    const term = analyseTerm(word)
    const isSingleWord = term.clauses.length === 1 && term.clauses[0]?.kind === 'word'
    if (!isSingleWord) isEachWordSearched = false
    else if ((await snapshot.page({ term, limit: 1 }, deadline)) === null) missingWords.push(word)
  }
  if (missingWords.length === 0) {
    const detail = 'No record matches the request'
    return isEachWordSearched ? `${detail}, although each of its words occurs in some record` : detail
  }
  const name = missingWords.find((word) => snapshot.findMunicipalities(word).length > 0)
  const hint = name === undefined ? '' : `; to search in a municipality, use municipality=${name}`
  return `No record contains ${missingWords.map(quote).join(' or ')}${hint}`
}

function toUnknownMunicipalityProblem(name: string, snapshot: Snapshot): Problem {
  const suggestions = suggestNames(name, snapshot.municipalities)
  const [nearest] = suggestions
  const hint =
    nearest === undefined
      ? 'the address municipality lists all names'
      : `did you mean ${quote(toReadableName(nearest))}?`
  const detail = `No municipality with records is called ${quote(name)}; ${hint}`
  return new Problem('unknown-municipality', detail, 'municipality', suggestions)
}

/** `Ávila has 60 records from 1984 to 2026` */
function describeRecords({ name, records, firstYear, lastYear }: MunicipalityFacts): string {
  const years = firstYear === lastYear ? `from ${firstYear}` : `from ${firstYear} to ${lastYear}`
  return `${toReadableName(name)} has ${records} ${records === 1 ? 'record' : 'records'} ${years}`
}

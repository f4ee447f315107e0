// Why a sound request found nothing (specification, section 7: 404 for an unknown record, an unknown municipality and
// an empty search alike); the body tells them apart and says what was probably meant.
import { nearestNames } from '../record/municipality.ts'
import type { MunicipalityFacts, Snapshot } from '../store/store.ts'
import type { Asked } from './parse.ts'
import { Problem, quote } from './problems.ts'

export async function whyEmpty({ query, values }: Asked, snapshot: Snapshot): Promise<Problem> {
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
  return new Problem('no-match', 'No record matches the request')
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

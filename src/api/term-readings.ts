// What else the client may mean by a search term or a code that finds nothing: a place inside the term (`huelva
// modificación puntual`), or the code, the id or the registration number of a record. Each reading is a query for
// `record?` that finds something.
import { stopWords } from '../analysis/stop-words.ts'
import { quotationMark } from '../analysis/term-parser.ts'
import type { Deadline } from '../domain/deadline.ts'
import { foldCode, toCodeFormat } from '../domain/inscription-code.ts'
import { toReadableName } from '../domain/municipality-name.ts'
import { fieldPrefix } from '../domain/own-fields.ts'
import { describeFilter, type ParameterName } from '../domain/parameters.ts'
import { findProvince } from '../domain/province.ts'
import { Problem, type SuggestedQuery } from '../problems.ts'
import type { Snapshot } from '../registry/contract.ts'
import { toNameWithProvince } from './namesakes.ts'
import { conditionParameters, type ParameterValues, parseParameters, toRelativeUrl } from './parameters.ts'

/** The text names the reading in Spanish. The filters replace the term. */
interface Reading {
  readonly text: string
  readonly filters: Readonly<Partial<Record<ParameterName, string | undefined>>>
}

/** Longer names, which few municipalities have, are not looked up, so that a long term takes few lookups. */
const nameWordsMax = 6
/** Each reading takes a search. */
const readingsMax = 4

/** The readings of the term in `values`, under the other filters; none if the request is for one record. */
export async function findTermReadings(
  values: ParameterValues,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<SuggestedQuery[]> {
  const term = values.get('search')?.trim()
  if (term === undefined || values.has('cod_archivo')) return []
  const hasPlace = values.has('municipality') || values.has('province') || values.has('community')
  const readings = [...(hasPlace ? [] : toPlaceReadings(term, snapshot)), ...(await toNumberReadings(term, snapshot))]
  return findMatching(readings, values, snapshot, deadline)
}

/** The readings of a text in the place of an inscription code. */
export async function findCodeReadings(code: string, snapshot: Snapshot): Promise<SuggestedQuery[]> {
  return findMatching(await toNumberReadings(code, snapshot), new Map(), snapshot, undefined)
}

/** The readings that find something, as queries. */
async function findMatching(
  readings: readonly Reading[],
  values: ParameterValues,
  snapshot: Snapshot,
  deadline: Deadline | undefined,
): Promise<SuggestedQuery[]> {
  const found = new Map<string, SuggestedQuery>()
  const isKept = (name: string): boolean =>
    name !== 'search' && (name.startsWith(fieldPrefix) || conditionParameters.some((each) => each === name))
  const kept = [...values].filter(([name]) => isKept(name))
  for (const { text, filters } of readings.slice(0, readingsMax)) {
    const changed = Object.entries(filters).filter(([, value]) => value !== undefined) as [ParameterName, string][]
    const query = toRelativeUrl('', new Map([...kept, ...changed])).slice('?'.length)
    const parsed = parseParameters(query, conditionParameters)
    const isFound = !(parsed instanceof Problem) && (await snapshot.hasMatch(parsed.query, deadline))
    if (isFound && !found.has(query)) found.set(query, { text, query })
  }
  return [...found.values()]
}

/**
 * Reads a place in the term. Of names of different lengths only the longest count. Those at the end of the term come
 * first, and municipalities before provinces. None for a term with a phrase or a prefix.
 */
function toPlaceReadings(term: string, snapshot: Snapshot): Reading[] {
  if (quotationMark.test(term) || term.includes('*')) return []
  const words = term.split(/\s+/u)
  for (let length = Math.min(nameWordsMax, words.length); length > 0; length--) {
    const readings: Reading[] = []
    for (let start = words.length - length; start >= 0; start--) {
      const name = words.slice(start, start + length).join(' ')
      const wordsBefore = words.slice(0, start)
      // `plan parcial en Ávila` leaves `plan parcial`; `plan general de la provincia de Ávila` leaves `plan general`.
      while (isConnector(wordsBefore.at(-1))) wordsBefore.pop()
      const search = [...wordsBefore, ...words.slice(start + length)].join(' ') || undefined
      const add = (place: string, filters: Reading['filters']): void => {
        readings.push({ text: `${search ?? 'Expedientes'} en ${place}`, filters: { ...filters, search } })
      }
      // An INE code is a number, which is a place in no term.
      if (!/\p{L}{2}/u.test(name)) continue
      const namesakes = snapshot.findMunicipalities(name).map((index) => snapshot.municipalities[index])
      for (const municipality of namesakes) {
        const { name: official = '', ineCode = null } = municipality ?? {}
        const isShared = namesakes.length > 1
        const shown = isShared ? toNameWithProvince(official, ineCode) : toReadableName(official)
        add(shown, { municipality: (isShared ? ineCode : null) ?? toReadableName(official) })
      }
      const province = findProvince(name)
      if (province !== undefined) add(`la provincia de ${province.name}`, { province: province.name })
    }
    if (readings.length > 0) return readings
  }
  return []
}

/** Whether a word only leads to the name of a place: `en Ávila`, `del municipio de Ávila`. */
function isConnector(word = ''): boolean {
  return stopWords.has(word.toLowerCase()) || /^(?:provincia|municipio|ayuntamiento)$/iu.test(word)
}

/** Reads the whole text as a code, an id or a registration number. None for a text without a digit. */
async function toNumberReadings(text: string, snapshot: Snapshot): Promise<Reading[]> {
  if (!/\p{N}/u.test(text)) return []
  const readings: Reading[] = []
  if (toCodeFormat(snapshot.metadata.codePattern).isCode(text)) {
    const page = await snapshot.page({ cod_archivo: foldCode(text), limit: 1 })
    const { id } = JSON.parse(page?.text ?? '{}') as { readonly id?: string }
    if (id !== undefined) readings.push({ text: `Expediente ${text}`, filters: { id } })
  }
  for (const name of ['id', 'registration_number'] as const) {
    readings.push({ text: `Expedientes ${describeFilter(name, text, 'es')}`, filters: { [name]: text } })
  }
  return readings
}

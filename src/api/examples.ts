// What answers look like, for openapi.json and the reference page. The records are fictional.
import type { WireRecord } from '../record/record.ts'
import type { WireMunicipality, WireSummary } from '../record/wire.ts'
import type { ProblemCode } from './problems.ts'
import { Problem, problemKinds } from './problems.ts'

const first: WireRecord = {
  id: '48213',
  registration_number: '1101',
  title: 'Plan Parcial "La Ermita", sector S/SUNC/1',
  area: 'S/SUNC/1',
  checkin_date: '2004-05-17',
  inscription_date: '2004-09-30',
  municipality: 'Alacant/Alicante',
  links: 'https://documents.example.org/03082/1101/indice.pdf',
  agreement_link: 'https://documents.example.org/03082/1101/acuerdo.pdf',
}

const second: WireRecord = {
  id: '48190',
  registration_number: '1094',
  title: 'Modificación puntual nº 5 del PGOU',
  area: '',
  checkin_date: '2004-02-03',
  inscription_date: null,
  municipality: 'Alacant/Alicante',
  links: 'https://documents.example.org/03082/1094/indice.pdf',
}

const searchResult: { resultadoBusqueda: WireRecord[] } = { resultadoBusqueda: [first, second] }

const lookupResult: { resultadoBusqueda: WireRecord[] } = { resultadoBusqueda: [first] }

const municipalities: { municipalities: WireMunicipality[] } = {
  municipalities: [
    {
      name: 'Alacant/Alicante',
      ine_code: '03014',
      other_names: ['Alacant', 'Alicante', 'Alicante/Alacant'],
      records: 212,
      first_year: 1978,
      last_year: 2024,
    },
  ],
}

const summary: WireSummary = {
  total: 2,
  by_year: [{ year: 2004, records: 2 }],
  by_municipality: [{ name: 'Alacant/Alicante', ine_code: '03014', records: 2 }],
}

/** By operation. */
export const answers: Readonly<Record<string, unknown>> = {
  searchRecords: searchResult,
  getRecord: lookupResult,
  listMunicipalities: municipalities,
  summariseRecords: summary,
}

/** One problem of each kind; those that name a parameter or suggest something do so here too. */
export function problem(code: ProblemCode): Problem {
  switch (code) {
    case 'unknown-parameter':
      return new Problem(
        code,
        'Cannot read "checking_date": this address takes municipality, checkin_date, search, limit, cursor; did you mean checkin_date?',
        'checking_date',
        ['checkin_date'],
      )
    case 'malformed-year':
      return new Problem(code, 'Cannot read checkin_date: expected a year of four digits, got "20x4"', 'checkin_date')
    case 'unknown-municipality':
      return new Problem(
        code,
        'No municipality with records is called "Alicamte"; did you mean "Alicante"?',
        'municipality',
        ['Alicante'],
      )
    default:
      return new Problem(code, problemKinds[code].explanation)
  }
}

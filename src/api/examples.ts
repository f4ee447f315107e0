// Example requests and responses for openapi.json, by operation and name. They come from the bundled sample, so they
// are fictional. Tests send most of the requests to the sample and compare the responses.
import { byteOrderMark, toCsvLine } from '../csv.ts'
import type { ParameterName } from '../domain/parameters.ts'
import { type WireRecord, wireFields } from '../domain/record.ts'
import type { WireChange, WireIncluded, WireMunicipality, WireSummary } from '../domain/wire.ts'
import type { ProblemCode } from '../problems.ts'
import { Problem, problemKinds } from '../problems.ts'
import { recordParameters, toMalformedProblem } from './parameters.ts'
import { toUnknownParameterProblem } from './unknown-parameter.ts'

/** The parameters of a request. */
export type ExampleRequest = Readonly<Partial<Record<ParameterName, string | number>>>

/**
 * Requests by `operationId` and name of the example. If the name is a problem code, the response is that problem; for
 * every other name, `exampleResponses` has the response.
 */
export const exampleRequests: Readonly<Record<string, Readonly<Record<string, ExampleRequest>>>> = {
  searchRecords: {
    found: { municipality: 'Ávila', checkin_date: '2011' },
    'first-page': { municipality: 'Ávila', checkin_date: '2011', limit: 1 },
    'next-page': {
      municipality: 'Ávila',
      checkin_date: '2011',
      limit: 1,
      cursor: 't3.2011-07-18.05019-PU-20110718-202266',
    },
    'by-words': { municipality: 'Ávila', search: 'plan parcial bardevel' },
    included: { municipality: 'Ávila', search: 'plan parcial bardevel', include: 'cod_archivo,place' },
    'by-dates': { province: 'Ávila', checkin_from: '2011-05', checkin_to: '2011-06' },
    'unknown-municipality': { municipality: 'Avlia' },
    'no-match': { search: 'ornitorrinco' },
  },
  getRecord: {
    found: { cod_archivo: '05019-PU-20110520-202255' },
    citation: { cod_archivo: '08305-1006', search: '"zahorra artificial"', include: 'documents,passages' },
    'unknown-record': { cod_archivo: '05019-PU-20110520-999999' },
  },
  exportRecords: {
    found: { municipality: 'Ávila', checkin_date: '2011' },
    'unknown-municipality': { municipality: 'Avlia' },
  },
  listChanges: {
    found: { municipality: 'Ávila', checkin_date: '2011' },
    'unknown-municipality': { municipality: 'Avlia' },
  },
  summariseRecords: {
    found: { municipality: 'Ávila', checkin_date: '2011' },
    'unknown-municipality': { municipality: 'Avlia' },
  },
}

const heritageRecord: WireRecord = {
  id: '102266',
  registration_number: '202266',
  title: 'Catálogo de Bienes y Espacios Protegidos',
  area: 'Término municipal',
  checkin_date: '2011-07-18',
  inscription_date: '2012-02-05',
  municipality: 'Ávila',
  links: 'https://documentos.urbanismo.example/05019/102266/indice.pdf',
  agreement_link: 'https://documentos.urbanismo.example/05019/102266/acuerdo.pdf',
}

const partialPlanRecord: WireRecord = {
  id: '102255',
  registration_number: '202255',
  title: 'Plan Parcial Sector R-1 "Bardevel"',
  area: 'SECTOR R-1',
  checkin_date: '2011-05-20',
  inscription_date: '2012-01-01',
  municipality: 'Ávila',
  links: 'https://archivo.territorio.example/05019/102255/descarga?doc=1&tipo=indice',
}

const toSearchResult = (...records: (WireRecord & WireIncluded)[]): { resultadoBusqueda: WireRecord[] } => ({
  resultadoBusqueda: records,
})

/** Shortened, and therefore not compared by a test: the real response lists every municipality. */
const municipalities: { municipalities: WireMunicipality[] } = {
  municipalities: [
    {
      name: 'Alicante/Alacant',
      ine_code: '03014',
      other_names: ['Alacant', 'Alicante'],
      records: 60,
      first_year: 1984,
      last_year: 2026,
    },
  ],
}

/** The record of the example `citation`, with `include=documents,passages`. */
const citedRecord: WireRecord & WireIncluded = {
  id: '102925',
  registration_number: '1006',
  title: 'Estudio de Detalle UA-ALD-46',
  area: 'UA-ALD-46',
  checkin_date: '2024-09-24',
  inscription_date: null,
  municipality: 'Vilafranca del Penedès',
  links: 'https://archivo.territorio.example/08305/102925/indice.pdf',
  documents: [
    {
      href: 'documento/593c5b4631e878b0f162c80d3ce32ccb30ce6c5cf4a441ea7af1082b7bb5d95e',
      pages: 1,
      read: 1,
      recognised: 0,
      unread: 0,
      reason: null,
      sha256: '593c5b4631e878b0f162c80d3ce32ccb30ce6c5cf4a441ea7af1082b7bb5d95e',
    },
  ],
  passages: [
    {
      document: 1,
      page: 1,
      text:
        '… concluye que no existen efectos significativos sobre la fauna. El firme se compone de zahorra artificial ' +
        'compactada, riego de imprimación y mezcla bituminosa en caliente. Se incorpora el informe …',
      // The offsets of `zahorra artificial` in the text.
      marks: [[88, 106]],
      href: 'documento/593c5b4631e878b0f162c80d3ce32ccb30ce6c5cf4a441ea7af1082b7bb5d95e#page=1',
      recognised: false,
    },
  ],
}

const csvRows: string[][] = [
  [...wireFields, 'cod_archivo', 'ine_code', 'province'],
  toCells(heritageRecord, '05019-PU-20110718-202266'),
  toCells(partialPlanRecord, '05019-PU-20110520-202255'),
]
const csv: string = byteOrderMark + csvRows.map((cells) => toCsvLine(cells, ';')).join('')

function toCells(record: WireRecord, code: string): string[] {
  return [...wireFields.map((field) => record[field] ?? ''), code, '05019', 'Ávila']
}

/** Not compared by a test, because `at` is the time of the import. */
const changes: { changes: WireChange[] } = {
  changes: [
    { kind: 'new', cod_archivo: '05019-PU-20110718-202266', at: '2026-11-16T08:30:00.000Z' },
    { kind: 'new', cod_archivo: '05019-PU-20110520-202255', at: '2026-11-16T08:30:00.000Z' },
  ],
}

const summary: WireSummary = {
  total: 2,
  by_year: [{ year: 2011, records: 2 }],
  by_municipality: [{ name: 'Ávila', ine_code: '05019', records: 2 }],
  by_province: [{ name: 'Ávila', ine_code: '05', records: 2 }],
}

/** Responses by `operationId` and name of the example. Every operation has the example `found`. */
export const exampleResponses: Readonly<Record<string, Readonly<Record<string, unknown>>>> = {
  searchRecords: {
    found: toSearchResult(heritageRecord, partialPlanRecord),
    'first-page': toSearchResult(heritageRecord),
    'next-page': toSearchResult(partialPlanRecord),
    'by-words': toSearchResult(partialPlanRecord),
    included: toSearchResult({
      ...partialPlanRecord,
      cod_archivo: '05019-PU-20110520-202255',
      place: { ine_code: '05019', province: 'Ávila', community: 'Castilla y León' },
    }),
    'by-dates': toSearchResult(partialPlanRecord),
  },
  getRecord: { found: toSearchResult(partialPlanRecord), citation: toSearchResult(citedRecord) },
  listMunicipalities: { found: municipalities },
  exportRecords: { found: csv },
  listChanges: { found: changes },
  summariseRecords: { found: summary },
}

/**
 * An example of a problem. The problems named here have the detail of a real response. The detail of any other problem
 * is its explanation.
 */
export function toExampleProblem(code: ProblemCode): Problem {
  switch (code) {
    case 'unknown-parameter':
      return toUnknownParameterProblem('checking_date', recordParameters)
    case 'malformed-year':
      return toMalformedProblem('checkin_date', '20x4')
    case 'no-match':
      return new Problem(code, 'No record contains "ornitorrinco"', { parameter: 'search' })
    case 'unknown-record':
      return new Problem(code, 'No record has the inscription code "05019-PU-20110520-999999"', {
        parameter: 'cod_archivo',
      })
    case 'unknown-municipality':
      return new Problem(code, 'No municipality with records is called "Avlia"; did you mean "Ávila"?', {
        parameter: 'municipality',
        suggestions: ['Ávila', 'Allín/Allin'],
      })
    default:
      return new Problem(code, problemKinds[code].explanation.en.replaceAll('`', ''))
  }
}

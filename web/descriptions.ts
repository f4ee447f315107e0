// The descriptions in the HTML head, in both languages. Only the server renders them, so they are not among the texts
// that the browser loads (strings.ts).
import type { PageLanguage } from '../src/api/page-renderer.ts'

/** By kind of page. */
interface Descriptions {
  readonly search: string
  /**
   * `nameWithPlace` is like "Santander (Cantabria)". `records` is a number with its noun: "317 records", or "Records"
   * if they could not be counted.
   */
  readonly municipality: (nameWithPlace: string, records: string) => string
  readonly record: (title: string, municipality: string, date: string, code: string) => string
}

export const descriptionsByLanguage: Readonly<Record<PageLanguage, Descriptions>> = {
  es: {
    search:
      'Busque expedientes de planeamiento urbanístico por palabras, municipio y año, y acceda a sus documentos y acuerdos.',
    municipality: (nameWithPlace, records) =>
      `${records} de planeamiento urbanístico de ${nameWithPlace}, con sus documentos, por años y en el mapa.`,
    record: (title, municipality, date, code) =>
      `${title}. Expediente de planeamiento de ${municipality}, con entrada el ${date} (${code}).`,
  },
  en: {
    search: 'Find urban-planning records by words, municipality and year, and open their documents and agreements.',
    municipality: (nameWithPlace, records) =>
      `${records} of urban planning in ${nameWithPlace}, with their documents, by year and on the map.`,
    record: (title, municipality, date, code) =>
      `${title}. Planning record of ${municipality}, entered on ${date} (${code}).`,
  },
}

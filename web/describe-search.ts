// A search as a reader would say it: for headings, the title of the window and the printed page.

import type { Locale } from './locale.ts'
import { formatYears, type Search } from './search-url.ts'

/** "with “plan parcial” in Alicante from 2004"; empty for a search of everything. */
export function describeSearch(search: Search, { strings }: Locale): string {
  const words = search.words.trim()
  const municipality = search.municipality.trim()
  return [
    words === '' ? '' : strings.withWords(words.replaceAll('"', '')),
    municipality === '' ? '' : strings.inMunicipality(municipality),
    search.years === null ? '' : strings.inYears(formatYears(search.years, '–')),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

// A search as a reader would say it: for headings, the title of the window and the printed page.

import type { Speech } from './locale.ts'
import { type Search, writeYears } from './search-url.ts'

/** "with “plan parcial” in Alicante from 2004"; empty for a search of everything. */
export function describeSearch(search: Search, { say }: Speech): string {
  const words = search.words.trim()
  const municipality = search.municipality.trim()
  return [
    words === '' ? '' : say.withWords(words.replaceAll('"', '')),
    municipality === '' ? '' : say.inMunicipality(municipality),
    search.years === null ? '' : say.inYears(writeYears(search.years, '–')),
  ]
    .filter((part) => part !== '')
    .join(' ')
}

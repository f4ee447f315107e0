// Describes a search in words, for the heading of the results and the title of the window.
import type { Locale } from './locale.ts'
import { toRunningName } from './municipality-name.ts'
import type { Search } from './search-url.ts'

/** "with “plan parcial” in Alicante from 2004"; empty without filters. */
export function describeFilters(search: Search, { strings }: Locale): string {
  const words = toShownWords(search)
  return joinWords([words === '' ? '' : strings.withWords(words), ...describePlaceAndYears(search, strings)])
}

/** "“plan parcial” in Alicante from 2004", or "Records in Alicante from 2004"; empty without filters. */
export function toTitle(search: Search, { strings }: Locale): string {
  const words = toShownWords(search)
  const rest = joinWords(describePlaceAndYears(search, strings))
  if (words !== '') return joinWords([strings.quote(words), rest])
  return rest === '' ? '' : joinWords([strings.uncountedRecords, rest])
}

function describePlaceAndYears({ municipality, years }: Search, strings: Locale['strings']): string[] {
  const name = municipality.trim()
  return [
    name === '' ? '' : strings.inMunicipality(toRunningName(name)),
    years === null ? '' : strings.inYears(years.from, years.to),
  ]
}

function toShownWords({ words }: Search): string {
  return words.trim().replaceAll('"', '')
}

function joinWords(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

// Describes a search in words, for the heading of the results, the title of the window and labels of links.

import { nameKeys, toReadableName, withoutArticle } from '../src/domain/municipality-name.ts'
import { type FieldParameter, fieldPrefix, isFieldParameter } from '../src/domain/own-fields.ts'
import { findCommunity, findProvince } from '../src/domain/province.ts'
import type { Locale } from './locale.ts'
import { otherFilters } from './other-filters.ts'
import { type OtherFilter, otherFiltersOf, type Search } from './search-url.ts'
import type { Strings } from './strings.ts'

/** "with “plan parcial” in Alicante from 2004"; empty without filters. */
export function describeFilters(search: Search, locale: Locale): string {
  const words = toShownWords(search)
  return joinParts([words === '' ? '' : locale.strings.withWords(words), ...describeOtherFilters(search, locale)])
}

/** "“plan parcial” in Alicante from 2004", or "Records in Alicante from 2004"; empty without filters. */
export function toTitle(search: Search, locale: Locale): string {
  const { strings } = locale
  const words = toShownWords(search)
  const rest = joinParts(describeOtherFilters(search, locale))
  if (words !== '') return joinParts([strings.quote(words), rest])
  return rest === '' ? '' : joinParts([strings.recordsWithoutCount, rest])
}

/** A description of each filter other than the words; an empty text for one that is not set. */
function describeOtherFilters(search: Search, locale: Locale): string[] {
  const { strings, formatIsoDate } = locale
  const { province, community, registrationNumber, id } = search
  const municipality = toReadableName(search.municipality.trim())
  const from = formatIsoDate(search.from)
  const to = formatIsoDate(search.to)
  // The filter is a name or an INE code. A text that is neither stays as it was typed.
  const provinceName = findProvince(province)?.name ?? province
  // "in Madrid", not "in Madrid in the province of Madrid".
  const isProvinceShown = province !== '' && !isSameName(municipality, provinceName)
  return [
    municipality === '' ? '' : strings.inMunicipality(municipality),
    isProvinceShown ? strings.inProvince(provinceName) : '',
    community === '' ? '' : strings.inCommunity(findCommunity(community)?.name ?? community),
    from === '' && to === '' ? '' : strings.inPeriod(from, to),
    registrationNumber === '' ? '' : strings.withNumber(registrationNumber),
    id === '' ? '' : strings.withId(id),
    ...otherFiltersOf(search).map((name) => describeOtherFilter(name, search, locale)),
  ]
}

/** A filter that the page has no words of its own for, to follow the noun: "with Type “Plan”". */
export function describeOtherFilter(name: OtherFilter, search: Search, locale: Locale): string {
  const value = search[name] ?? ''
  if (isFieldParameter(name)) return locale.strings.withField(toFieldLabel(name, locale), value)
  const { words, choices } = otherFilters[name]
  const described = (choices?.[value] ?? words)?.[locale.language] ?? '{}'
  return described.replace('{}', () => value)
}

/** The same filter by itself: "Type: Plan". */
export function toOtherFilterLabel(name: OtherFilter, search: Search, locale: Locale): string {
  if (!isFieldParameter(name)) return describeOtherFilter(name, search, locale)
  return `${toFieldLabel(name, locale)}: ${search[name] ?? ''}`
}

/** The label of the office's own column; its name if the registry has no such column. */
function toFieldLabel(parameter: FieldParameter, { fields }: Locale): string {
  const name = parameter.slice(fieldPrefix.length)
  return fields.find((field) => field.name === name)?.label ?? name
}

/**
 * Whether both names, of municipalities or provinces, are spellings of one name: `alacant` and `Alicante/Alacant`,
 * `coruna` and `Coruña, A`.
 */
export function isSameName(a: string, b: string): boolean {
  const keysOfB = toKeys(b)
  return toKeys(a).some((key) => keysOfB.includes(key))
}

/** The name of the province or, if the municipality has the same name, "Province of Segovia". */
export function toProvinceLabel(province: string, municipality: string, { provinceOf }: Strings): string {
  return isSameName(province, municipality) ? provinceOf(province) : province
}

/** The folded forms of the name without their articles. */
function toKeys(name: string): string[] {
  return nameKeys(name).map(withoutArticle)
}

/** The words without straight quotation marks, which enclose phrases: the description has marks of its own. */
function toShownWords({ words }: Search): string {
  return words.trim().replaceAll('"', '')
}

/** Joins the parts that are not empty by spaces. */
function joinParts(parts: readonly string[]): string {
  return parts.filter((part) => part !== '').join(' ')
}

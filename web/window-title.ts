// Makes the title of the window, for the HTML head (page-head.tsx) and for changes of the title in the browser.
import type { PageRecord } from '../src/api/page-renderer.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { toTitle } from './describe-search.ts'
import type { Locale } from './locale.ts'
import type { MissingView, MunicipalityView } from './page-data.ts'
import type { Search } from './search-url.ts'

/** `Plan parcial del sector 3 · Ávila · Planning Registry` */
export function toRecordWindowTitle(record: PageRecord, { strings }: Locale, siteName: string): string {
  return `${toRecordTitle(record, strings.untitled)} · ${toReadableName(record.municipality)} · ${siteName}`
}

/** The title of the record, or `untitled` if it has none. */
export function toRecordTitle({ title }: PageRecord, untitled: string): string {
  return title.trim() === '' ? untitled : title
}

/** `Planning records of Ávila (Ávila, Castilla y León) · Planning Registry` */
export function toMunicipalityWindowTitle(view: MunicipalityView, { strings }: Locale, siteName: string): string {
  return `${strings.municipalityTitle(toNameWithPlace(view))} · ${siteName}`
}

/**
 * The name of a municipality with its place in brackets: its province and, if that has another name, its autonomous
 * community. `Santander (Cantabria)`, `Ávila (Ávila, Castilla y León)`; the name alone if the place is unknown.
 */
export function toNameWithPlace({ name, place }: Pick<MunicipalityView, 'name' | 'place'>): string {
  return place === '' ? name : `${name} (${place})`
}

/** `Record not found · Planning Registry` */
export function toMissingWindowTitle({ what }: MissingView, { strings }: Locale, siteName: string): string {
  return `${strings.missing[what].heading} · ${siteName}`
}

/** `“plan parcial” in Alicante · Planning Registry`; the name of the site alone without filters. */
export function toSearchWindowTitle(search: Search, locale: Locale, siteName: string): string {
  return [toTitle(search, locale), siteName].filter((part) => part !== '').join(' · ')
}

// The search form: words, municipality and year; and below it the filters that are set. Without JavaScript the browser
// sends it to the start page; the script searches while the user types (browser/search.ts).

import { toReadableName } from '../src/domain/municipality-name.ts'
import { findCommunity, findProvince } from '../src/domain/province.ts'
import { termCharactersMax, valueCharactersMax } from '../src/domain/query-limits.ts'
import { toOtherFilterLabel } from './describe-search.ts'
import { ChevronIcon, CrossIcon, SearchIcon } from './icons.tsx'
import type { JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import type { YearCount } from './search-result.ts'
import {
  formMunicipalityParameter,
  hasPeriod,
  isUnfiltered,
  isYear,
  otherFiltersOf,
  type Search,
  toDateRange,
  toFilters,
  unfiltered,
} from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface SearchFormProps {
  readonly search: Search
  /** The years that can be chosen. */
  readonly byYear: readonly YearCount[]
  /** Whether the years have the counts of the search: not on another page, where the municipality may change first. */
  readonly areYearsCounted: boolean
  /** On a phone, whether only the words are shown, and the other fields on request. */
  readonly isFolded: boolean
}

export function SearchForm({ search, byYear, areYearsCounted, isFolded }: SearchFormProps): JSX.Element {
  const { strings } = useLocale()
  const { registry } = useSite()
  const hasMunicipalities = registry.municipalities !== 1
  return (
    <search>
      {/* With autocompletion, Back or a reload would fill in a choice again, which would then be searched again. */}
      <form class="form" id="search-form" action="./" autocomplete="off">
        <HiddenFields search={search} />
        <div class="field words">
          <label for="words">{strings.words}</label>
          <p class="hint" id="words-hint">
            {strings.wordsHint}
          </p>
          <div class="entry">
            {/* The placeholder tells the style sheet whether the field is empty. */}
            <input
              id="words"
              name="search"
              type="text"
              inputmode="search"
              enterkeyhint="search"
              autocomplete="off"
              spellcheck="false"
              maxlength={termCharactersMax}
              placeholder=" "
              value={search.words}
              aria-describedby="words-hint"
            />
            <button type="button" class="clear" data-clears="words" aria-label={strings.clearWords}>
              <CrossIcon />
            </button>
            <button type="submit" class="primary">
              <SearchIcon />
              <span>{strings.search}</span>
            </button>
          </div>
        </div>
        <details class="fold more-fields" id="more-fields" open={!isFolded}>
          <summary>
            {hasMunicipalities ? strings.moreFields : strings.year}
            <ChevronIcon />
          </summary>
          <div class="two-fields">
            {hasMunicipalities && <MunicipalityField value={toReadableName(search.municipality)} />}
            <YearField search={search} byYear={byYear} areYearsCounted={areYearsCounted} />
          </div>
        </details>
      </form>
    </search>
  )
}

/**
 * Repeats the filters that have no field in the form, and the language. The province belongs to the municipality that
 * the form shows, so the name of that municipality is sent as well: if the user types another one, `parsePageUrl`
 * (search-url.ts) drops the province.
 */
function HiddenFields({ search }: { readonly search: Search }): JSX.Element {
  const { languageParameter } = useUrls()
  const filters = Object.entries(toFilters(search)).filter(([name]) => !formFilters.has(name))
  const shownMunicipality =
    search.province === '' ? {} : { [formMunicipalityParameter]: toReadableName(search.municipality) }
  return (
    <span id="kept-filters" hidden>
      {[...filters, ...Object.entries({ ...shownMunicipality, ...languageParameter })].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </span>
  )
}

/**
 * The filters that the visible fields of the form set. The year field sends `checkin_date`, which replaces
 * `checkin_from` and `checkin_to`.
 */
const formFilters: ReadonlySet<string> = new Set([
  'search',
  'municipality',
  'checkin_date',
  'checkin_from',
  'checkin_to',
])

/**
 * An editable combobox with list autocomplete (ARIA Authoring Practices Guide, "Combobox"): browser/municipality.ts
 * fills its list. A name that is not in the list is searched as typed, and the service suggests the nearest names.
 */
function MunicipalityField({ value }: { readonly value: string }): JSX.Element {
  const { strings } = useLocale()
  return (
    <div class="field municipality">
      <label for="municipality">{strings.municipality}</label>
      <div class="entry">
        <input
          id="municipality"
          name="municipality"
          type="text"
          role="combobox"
          autocomplete="off"
          spellcheck="false"
          maxlength={valueCharactersMax}
          placeholder={strings.municipalityHint}
          aria-autocomplete="list"
          aria-expanded="false"
          aria-controls="municipality-options"
          value={value}
        />
        <button type="button" class="clear" data-clears="municipality" aria-label={strings.clearMunicipality}>
          <CrossIcon />
        </button>
        <div class="completions" hidden>
          <div id="municipality-options" role="listbox" aria-label={strings.municipality} />
        </div>
        <span class="visually-hidden" role="status" />
      </div>
    </div>
  )
}

function YearField({ search, byYear, areYearsCounted }: Omit<SearchFormProps, 'isFolded'>): JSX.Element {
  const { strings, formatNumber, formatIsoDate } = useLocale()
  const { from, to } = search
  const isOneYear = from === to && isYear(from)
  // Any other period, such as a range from the chart or a month from the address, is an option of its own.
  const isRange = hasPeriod(search) && !isOneYear
  /** The value of the selected option: `2004`, a range such as `2004-05/2008`, or empty for any year. */
  let chosen = ''
  if (isOneYear) chosen = from
  else if (isRange) chosen = toDateRange(search)
  // A year from the address may have no records; it is then an option of its own too.
  const isUnlistedYear = isOneYear && !byYear.some(({ year }) => String(year) === chosen)
  const shownRange = from === to ? formatIsoDate(from) : strings.period(formatIsoDate(from), formatIsoDate(to))
  return (
    <div class="field year" id="year-field">
      <label for="year">{strings.year}</label>
      <div class="entry">
        <select id="year" name="checkin_date" autocomplete="off">
          <option value="">{strings.anyYear}</option>
          {(isRange || isUnlistedYear) && (
            <option value={chosen} selected>
              {isRange ? shownRange : chosen}
            </option>
          )}
          {byYear.toReversed().map(({ year, records }) => (
            <option key={year} value={year} selected={String(year) === chosen}>
              {areYearsCounted ? `${year} (${formatNumber(records)})` : year}
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

/** The filters that are set, each as a link that removes it, and a link that removes all. */
export function ActiveFilters({ search }: { readonly search: Search }): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const urls = useUrls()
  const isOnlyWords = isUnfiltered({ ...search, words: '' })
  return (
    <ul class="active-filters">
      {toFilterLabels(search, locale).map(({ label, change }) => (
        <li key={label} class={'words' in change ? 'in-form' : undefined}>
          <a class="tag" href={urls.search({ ...search, ...change })} aria-label={strings.removeFilter(label)}>
            {label}
            <CrossIcon />
          </a>
        </li>
      ))}
      <li class={isOnlyWords ? 'in-form' : undefined}>
        <a class="quiet" href={urls.search(unfiltered)}>
          {strings.clearAll}
        </a>
      </li>
    </ul>
  )
}

/** For each filter that is set, the label of its link and the change that removes it. */
function toFilterLabels(search: Search, locale: Locale): { label: string; change: Partial<Search> }[] {
  const { strings, formatIsoDate } = locale
  const { words, municipality, province, community, from, to, registrationNumber, id } = search
  const period = from === to ? formatIsoDate(from) : strings.period(formatIsoDate(from), formatIsoDate(to))
  const provinceName = findProvince(province)?.name ?? province
  const communityName = findCommunity(community)?.name ?? community
  const filters: { isSet: boolean; label: string; change: Partial<Search> }[] = [
    { isSet: words !== '', label: strings.quote(words), change: { words: '' } },
    { isSet: municipality !== '', label: toReadableName(municipality), change: { municipality: '' } },
    { isSet: hasPeriod(search), label: period, change: { from: '', to: '' } },
    { isSet: province !== '', label: strings.provinceFilter(provinceName), change: { province: '' } },
    { isSet: community !== '', label: communityName, change: { community: '' } },
    { isSet: registrationNumber !== '', label: strings.number(registrationNumber), change: { registrationNumber: '' } },
    { isSet: id !== '', label: strings.idFilter(id), change: { id: '' } },
    ...otherFiltersOf(search).map((name) => ({
      isSet: true,
      label: toOtherFilterLabel(name, search, locale),
      change: { [name]: '' },
    })),
  ]
  return filters.filter(({ isSet }) => isSet)
}

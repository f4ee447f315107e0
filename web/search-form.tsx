// The search form: words, municipality and year. Without JavaScript the browser sends it to the start page.
import type { JSX } from 'preact'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { findCommunity, findProvince } from '../src/domain/province.ts'
import { termCharactersMax } from '../src/domain/query.ts'
import { readEarlyChoice, readEarlyText } from './early-input.ts'
import { FilterLink } from './filter-link.tsx'
import { CrossIcon, SearchIcon } from './icons.tsx'
import type { Locale } from './locale.ts'
import { MunicipalityField } from './municipality-field.tsx'
import {
  formMunicipalityParameter,
  hasPeriod,
  isYear,
  type Search,
  toDateRange,
  toFilters,
  unfiltered,
} from './search-url.ts'
import type { YearCount } from './service.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface SearchFormProps {
  /** The contents of the form, which may be ahead of the search that is shown. */
  readonly draft: Search
  /** The years that can be chosen, with their counts; null if these are not known. */
  readonly byYear: readonly YearCount[] | null
  /** Called when the user has typed, with the new words. */
  readonly onType: (change: Partial<Search>) => void
  /**
   * Called when the focus leaves the municipality field, with the name that was typed there. The start page searches it
   * at once; any other page only changes its form.
   */
  readonly onLeave: (change: Partial<Search>) => void
  /** Called to search at once, with what the user has chosen or cleared, or without a change to search the draft. */
  readonly onChoose: (change: Partial<Search>) => void
}

export function SearchForm({ draft, byYear, onType, onLeave, onChoose }: SearchFormProps): JSX.Element {
  const { strings } = useLocale()
  const formElement = useRef<HTMLFormElement>(null)
  const wordsElement = useRef<HTMLInputElement>(null)
  // Takes over what was typed and chosen before the scripts arrived. A layout effect runs before the next rendering,
  // which would overwrite it.
  useLayoutEffect(() => {
    const words = readEarlyText(wordsElement.current)
    if (words !== null) onType({ words })
    const choice = formElement.current === null ? null : readEarlyChoice(formElement.current)
    // A typed municipality counts as if the focus had left its field just now. A chosen year is searched at once.
    const report = choice?.from === undefined ? onLeave : onChoose
    if (choice !== null) report(choice)
  }, [])
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onChoose({})
  }
  return (
    <search>
      {/* With autocompletion, Back or a reload would fill in a choice again, which would then be searched again. */}
      <form class="form" action="./" autoComplete="off" ref={formElement} onSubmit={submit}>
        <HiddenFields draft={draft} />
        <div class="field words">
          <label for="words">{strings.words}</label>
          <p class="hint" id="words-hint">
            {strings.wordsHint}
          </p>
          <div class="entry">
            <input
              id="words"
              ref={wordsElement}
              name="search"
              type="text"
              inputMode="search"
              enterKeyHint="search"
              autoComplete="off"
              spellcheck={false}
              maxLength={termCharactersMax}
              value={draft.words}
              aria-describedby="words-hint"
              onInput={(event) => onType({ words: event.currentTarget.value })}
            />
            {draft.words !== '' && (
              <button
                type="button"
                class="clear"
                aria-label={strings.clearWords}
                onClick={() => {
                  // The button disappears, and the focus would be lost with it.
                  wordsElement.current?.focus()
                  onChoose({ words: '' })
                }}
              >
                <CrossIcon />
              </button>
            )}
            <button type="submit" class="primary">
              <SearchIcon />
              <span>{strings.search}</span>
            </button>
          </div>
        </div>
        <MunicipalityField
          value={draft.municipality}
          onChoose={(municipality, province) => onChoose({ municipality, province })}
          onLeave={(municipality) => onLeave({ municipality, province: '' })}
        />
        <YearField draft={draft} byYear={byYear} onChoose={onChoose} />
      </form>
    </search>
  )
}

/**
 * Repeats the filters that have no field in the form, and the language, for a browser without JavaScript. The province
 * belongs to the municipality that the form shows, so the name of that municipality is sent as well: if the user types
 * another one, `parsePageUrl` (search-url.ts) drops the province.
 */
function HiddenFields({ draft }: { readonly draft: Search }): JSX.Element {
  const { languageParameter } = useSite()
  const filters = Object.entries(toFilters(draft)).filter(([name]) => !formFilters.has(name))
  const shownMunicipality =
    draft.province === '' ? {} : { [formMunicipalityParameter]: toReadableName(draft.municipality) }
  return (
    <>
      {[...filters, ...Object.entries({ ...shownMunicipality, ...languageParameter })].map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
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

interface YearFieldProps {
  readonly draft: Search
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
}

function YearField({ draft, byYear, onChoose }: YearFieldProps): JSX.Element {
  const { strings, formatNumber, formatIsoDate } = useLocale()
  const { from, to } = draft
  const isOneYear = from === to && isYear(from)
  // Any other period, such as a range from the chart or a month from the address, is an option of its own.
  const isRange = hasPeriod(draft) && !isOneYear
  /** The value of the selected option: `2004`, a range such as `2004-05/2008`, or empty for any year. */
  let chosen = ''
  if (isOneYear) chosen = from
  else if (isRange) chosen = toDateRange(draft)
  const yearOptions = [...(byYear ?? [])].reverse().map(({ year, records }) => ({ value: String(year), records }))
  // A year from the address may have no records; it is then an option of its own too.
  const isUnlistedYear = isOneYear && !yearOptions.some(({ value }) => value === chosen)
  // Any option but the selected one is a year, or empty for all years, so it is both the first and the last date.
  const choose = (value: string): void => {
    if (value !== chosen) onChoose({ from: value, to: value })
  }
  return (
    <div class="field year">
      <label for="year">{strings.year}</label>
      <div class="entry">
        <select
          id="year"
          name="checkin_date"
          autoComplete="off"
          value={chosen}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="">{strings.anyYear}</option>
          {isRange && (
            <option value={chosen}>
              {from === to ? formatIsoDate(from) : strings.period(formatIsoDate(from), formatIsoDate(to))}
            </option>
          )}
          {isUnlistedYear && <option value={chosen}>{chosen}</option>}
          {yearOptions.map(({ value, records }) => (
            <option key={value} value={value}>
              {value} ({formatNumber(records)})
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

export interface ActiveFiltersProps {
  readonly search: Search
  readonly onChoose: (change: Partial<Search>) => void
}

/** The filters that are set, each as a link that removes it, also without JavaScript, and a link that removes all. */
export function ActiveFilters({ search, onChoose }: ActiveFiltersProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const urls = useUrls()
  return (
    <ul class="active-filters">
      {toFilterLabels(search, locale).map(({ label, change }) => (
        <li key={label} class={isInForm(change) ? 'in-form' : undefined}>
          <FilterLink
            class="tag"
            href={urls.search({ ...search, ...change })}
            onFollow={() => onChoose(change)}
            label={strings.removeFilter(label)}
          >
            {label}
            <CrossIcon />
          </FilterLink>
        </li>
      ))}
      <li>
        <FilterLink class="quiet" href={urls.search(unfiltered)} onFollow={() => onChoose(unfiltered)}>
          {strings.clearAll}
        </FilterLink>
      </li>
    </ul>
  )
}

/**
 * Whether the form has a field for the filter that the change removes. With JavaScript the link is then hidden, because
 * the user can empty the field.
 */
function isInForm(change: Partial<Search>): boolean {
  return 'words' in change || 'municipality' in change || 'from' in change
}

/** For each filter that is set, the label of its link and the change that removes it. */
function toFilterLabels(search: Search, locale: Locale): { label: string; change: Partial<Search> }[] {
  const { strings, formatIsoDate } = locale
  const { province, community, from, to, registrationNumber, id } = search
  const words = search.words.trim()
  const municipality = search.municipality.trim()
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
  ]
  return filters.filter(({ isSet }) => isSet)
}

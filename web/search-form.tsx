// The search form: words, municipality and year. Without JavaScript the browser sends it to the same page.
import type { JSX } from 'preact'
import { findCommunity, findProvince } from '../src/domain/province.ts'
import { FilterLink } from './filter-link.tsx'
import { CrossIcon, SearchIcon } from './icons.tsx'
import { MunicipalityField } from './municipality-field.tsx'
import { isYear, type Search, toFilters, unfiltered } from './search-url.ts'
import type { YearCount } from './service.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import type { Strings } from './strings.ts'

export interface SearchFormProps {
  readonly draft: Search
  readonly byYear: readonly YearCount[] | null
  readonly onType: (change: Partial<Search>) => void
  readonly onChoose: (change: Partial<Search>) => void
}

/** The limit of the service (decisions, "size"). */
const termCharactersMax = 500

export function SearchForm({ draft, byYear, onType, onChoose }: SearchFormProps): JSX.Element {
  const { strings } = useLocale()
  const submit = (event: SubmitEvent): void => {
    event.preventDefault()
    onChoose({})
  }
  return (
    <search>
      <form class="form" action="./" onSubmit={submit}>
        <HiddenFields draft={draft} />
        <div class="field words">
          <label for="words">{strings.words}</label>
          <p class="hint" id="words-hint">
            {strings.wordsHint}
          </p>
          <div class="entry">
            <input
              id="words"
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
                onClick={() => onChoose({ words: '' })}
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
        />
        <YearField draft={draft} byYear={byYear} onChoose={onChoose} />
      </form>
    </search>
  )
}

/** The filters without a field in the form. */
function HiddenFields({ draft }: { readonly draft: Search }): JSX.Element {
  const { languageParameter } = useSite()
  const { search: _words, municipality: _name, checkin_date: _year, ...others } = toFilters(draft)
  return (
    <>
      {Object.entries({ ...others, ...languageParameter }).map(([name, value]) => (
        <input key={name} type="hidden" name={name} value={value} />
      ))}
    </>
  )
}

interface YearFieldProps {
  readonly draft: Search
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (change: Partial<Search>) => void
}

function YearField({ draft, byYear, onChoose }: YearFieldProps): JSX.Element {
  const { strings, formatNumber, formatIsoDate } = useLocale()
  const { from, to } = draft
  const isOneYear = from === to && isYear(from)
  // A range is chosen in the chart. It is shown here, but its fields are sent by the hidden ones.
  const chosen = from === '' && to === '' ? '' : isOneYear ? from : 'range'
  const offered = byYear?.toReversed().map(({ year, records }) => ({ value: String(year), records })) ?? []
  const isOffered = !isOneYear || offered.some(({ value }) => value === chosen)
  const choose = (value: string): void => {
    if (value !== chosen) onChoose({ from: value, to: value })
  }
  return (
    <div class="field year">
      <label for="year">{strings.year}</label>
      <div class="entry">
        <select
          id="year"
          name={chosen === 'range' ? undefined : 'checkin_date'}
          onChange={(event) => choose(event.currentTarget.value)}
        >
          <option value="" selected={chosen === ''}>
            {strings.anyYear}
          </option>
          {chosen === 'range' && (
            <option value="range" selected>
              {strings.period(formatIsoDate(from), formatIsoDate(to))}
            </option>
          )}
          {!isOffered && (
            <option value={chosen} selected>
              {chosen}
            </option>
          )}
          {offered.map(({ value, records }) => (
            <option key={value} value={value} selected={value === chosen}>
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

/** The filters without a field in the form, each with a link that removes it, and a link that removes all filters. */
export function ActiveFilters({ search, onChoose }: ActiveFiltersProps): JSX.Element {
  const { strings } = useLocale()
  const urls = useUrls()
  return (
    <ul class="active-filters">
      {toFilterLabels(search, strings).map(({ label, change }) => (
        <li key={label}>
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

function toFilterLabels(search: Search, strings: Strings): { label: string; change: Partial<Search> }[] {
  const { province, community, registrationNumber, id } = search
  return [
    ...(province === ''
      ? []
      : [{ label: strings.provinceFilter(findProvince(province)?.name ?? province), change: { province: '' } }]),
    ...(community === '' ? [] : [{ label: findCommunity(community)?.name ?? community, change: { community: '' } }]),
    ...(registrationNumber === ''
      ? []
      : [{ label: strings.number(registrationNumber), change: { registrationNumber: '' } }]),
    ...(id === '' ? [] : [{ label: strings.recordId(id), change: { id: '' } }]),
  ]
}

// The search form: words, municipality and year.
import type { JSX } from 'preact'
import { CrossIcon, SearchIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import { MunicipalityField } from './municipality-field.tsx'
import { formatYears, type Search } from './search-url.ts'
import type { YearCount } from './service.ts'

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
        <MunicipalityField value={draft.municipality} onChoose={(municipality) => onChoose({ municipality })} />
        <YearField years={draft.years} byYear={byYear} onChoose={(years) => onChoose({ years })} />
      </form>
    </search>
  )
}

interface YearFieldProps {
  readonly years: Search['years']
  readonly byYear: readonly YearCount[] | null
  readonly onChoose: (years: Search['years']) => void
}

function YearField({ years, byYear, onChoose }: YearFieldProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const chosen = years === null ? '' : formatYears(years, '–')
  const offered = byYear?.toReversed().map(({ year, records }) => ({ value: String(year), records })) ?? []
  const isOffered = chosen === '' || offered.some(({ value }) => value === chosen)
  const choose = (value: string): void => {
    if (value !== chosen) onChoose(value === '' ? null : { from: Number(value), to: Number(value) })
  }
  return (
    <div class="field year">
      <label for="year">{strings.year}</label>
      <div class="entry">
        <select id="year" name="checkin_date" value={chosen} onChange={(event) => choose(event.currentTarget.value)}>
          <option value="">{strings.anyYear}</option>
          {!isOffered && <option value={chosen}>{chosen}</option>}
          {offered.map(({ value, records }) => (
            <option key={value} value={value}>
              {value} ({formatNumber(records)})
            </option>
          ))}
        </select>
      </div>
    </div>
  )
}

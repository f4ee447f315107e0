// One record in a list of results: title, municipality, area, dates, best passage, documents and registration number.
// All of it is shown as text, never as markup. document-url.ts decides which links to documents can be followed.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { ClientRecord } from '../src/client/client.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { DocumentLinks } from './document-links.tsx'
import { FilterLink } from './filter-link.tsx'
import { highlightWords } from './highlight.ts'
import { BestPassage } from './passage-text.tsx'
import type { Search } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'

export interface RecordEntryProps {
  readonly record: ClientRecord
  /** The search that found the record, whose words are highlighted. */
  readonly search: Search
  readonly onChoose: (change: Partial<Search>) => void
}

export function RecordEntry({ record, search, onChoose }: RecordEntryProps): JSX.Element {
  const { strings } = useLocale()
  const urls = useUrls()
  const { words } = search
  const title = useMemo(
    () =>
      highlightWords(record.title, words).map(({ text, isMatch }, index) =>
        isMatch ? <mark key={index}>{text}</mark> : text,
      ),
    [record.title, words],
  )
  // If the search is limited to a municipality, its name is in the heading.
  const isMunicipalityShown = search.municipality.trim() === ''
  return (
    <li class="record">
      <h3 lang="es">
        {record.cod_archivo === undefined ? title : <a href={urls.record(record.cod_archivo, words)}>{title}</a>}
      </h3>
      <p class="about">
        {isMunicipalityShown && (
          <span>
            <FilterLink
              href={urls.search({ ...search, municipality: record.municipality })}
              onFollow={() => onChoose({ municipality: record.municipality })}
            >
              {toReadableName(record.municipality)}
            </FilterLink>
          </span>
        )}{' '}
        {record.area !== '' && <span lang="es">{record.area}</span>} <Dates record={record} />
      </p>
      <BestPassage record={record} />
      <p class="documents">
        <DocumentLinks record={record} />
        {record.registration_number !== '' && <span class="number">{strings.number(record.registration_number)}</span>}
      </p>
    </li>
  )
}

function Dates({ record }: { readonly record: ClientRecord }): JSX.Element {
  const { strings, formatIsoDate } = useLocale()
  return (
    <>
      <span>
        <time dateTime={record.checkin_date}>{strings.entered(formatIsoDate(record.checkin_date))}</time>
      </span>{' '}
      {record.inscription_date === null ? (
        <span class="none">{strings.notInscribed}</span>
      ) : (
        <span>
          <time dateTime={record.inscription_date}>{strings.inscribed(formatIsoDate(record.inscription_date))}</time>
        </span>
      )}
    </>
  )
}

// One record in a list of results: title, municipality, area, dates, best passage, documents and registration number.
// All of it is shown as text, never as markup. document-url.ts decides which links to documents can be followed.
import type { JSX } from 'preact'
import type { ClientRecord } from '../src/client/client.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { DocumentLinks } from './document-links.tsx'
import { FilterLink } from './filter-link.tsx'
import { HighlightedText } from './highlighted-text.tsx'
import { BestPassage } from './passage-text.tsx'
import type { Search } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface RecordEntryProps {
  readonly record: ClientRecord
  /** The search that found the record: its words are highlighted, and the link to the record repeats it. */
  readonly search: Search
  /** By default true, unless the search is limited to a municipality: its name is then in the heading. */
  readonly isMunicipalityShown?: boolean
  readonly onChoose: (change: Partial<Search>) => void
}

export function RecordEntry(props: RecordEntryProps): JSX.Element {
  const { record, search, isMunicipalityShown = search.municipality.trim() === '', onChoose } = props
  const { strings } = useLocale()
  const { metadata } = useSite()
  const urls = useUrls()
  const { words } = search
  const code = record.cod_archivo
  const title = <HighlightedText text={record.title} words={words} />
  return (
    <li class="record">
      <h3 lang="es">
        {code === undefined ? (
          title
        ) : (
          // `data-address` is what a printed page shows (print.css).
          <a
            href={urls.record(code, search)}
            data-address={`${metadata.baseUrl}expediente/${encodeURIComponent(code)}`}
          >
            {title}
          </a>
        )}
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
        {record.area !== '' && (
          <span lang="es">
            <HighlightedText text={record.area} words={words} />
          </span>
        )}{' '}
        <Dates record={record} />
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

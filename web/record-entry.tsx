// One record in a list of results: title, municipality, area, dates, best passage, documents and code. Empty fields are
// left out. All of it is shown as text, never as markup. document-url.ts decides which links can be followed.

import type { PageRecord } from '../src/api/page-renderer.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { DocumentLinks } from './document-links.tsx'
import type { JSX } from './jsx-runtime.ts'
import { MarkedText } from './marked-text.tsx'
import { BestPassage } from './passage-text.tsx'
import type { Search } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'

export interface RecordEntryProps {
  readonly record: PageRecord
  /** The search that found the record: its words are marked, and the link to the record repeats it. */
  readonly search: Search
  /** By default true, unless it is the same for all records: the search or the registry has one municipality. */
  readonly isMunicipalityShown?: boolean
}

export function RecordEntry({ record, search, isMunicipalityShown }: RecordEntryProps): JSX.Element {
  const { strings, formatIsoDate } = useLocale()
  const { site, registry } = useSite()
  const urls = useUrls()
  const { words } = search
  const { cod_archivo: code = '', municipality, area, checkin_date: entered, inscription_date: inscribed } = record
  const hasMunicipality = isMunicipalityShown ?? (search.municipality === '' && registry.municipalities > 1)
  return (
    <li class="record">
      <h3 lang="es">
        {/* `data-address` is what a printed page shows (print.css). */}
        <a href={urls.record(code, search)} data-address={`${site.baseUrl}expediente/${encodeURIComponent(code)}`}>
          <MarkedText text={record.title.trim() === '' ? strings.untitled : record.title} words={words} />
        </a>
      </h3>
      <p class="about">
        {hasMunicipality && (
          <span>
            <a href={urls.search({ ...search, municipality })}>{toReadableName(municipality)}</a>
          </span>
        )}{' '}
        {area !== '' && (
          <span lang="es">
            <MarkedText text={area} words={words} />
          </span>
        )}{' '}
        <span>
          <time datetime={entered}>{strings.entered(formatIsoDate(entered))}</time>
        </span>{' '}
        {inscribed !== null && (
          <span>
            <time datetime={inscribed}>{strings.inscribed(formatIsoDate(inscribed))}</time>
          </span>
        )}
        {Object.entries(record.fields ?? {}).map(([label, value]) => (
          <span key={label}>
            {' '}
            {label}: <MarkedText text={value} words={words} />
          </span>
        ))}
      </p>
      <BestPassage record={record} />
      <p class="documents">
        <DocumentLinks record={record} />
        <span class="number">{strings.number(code)}</span>
      </p>
    </li>
  )
}

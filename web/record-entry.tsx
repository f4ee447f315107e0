// One record of the list. All of it is shown as text, never as markup. Only http and https links can be followed, and
// their URLs are exactly those of the registry (decisions, `links`).
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { WireRecord } from '../src/client/client.ts'
import { FilterLink } from './filter-link.tsx'
import { highlightWords } from './highlight.ts'
import { DocumentIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'
import { toRunningName } from './municipality-name.ts'
import { type Search, toPageUrl, unfiltered } from './search-url.ts'

export interface RecordEntryProps {
  readonly record: WireRecord
  readonly words: string
  readonly onChoose: (change: Partial<Search>) => void
}

export function RecordEntry({ record, words, onChoose }: RecordEntryProps): JSX.Element {
  const { strings, formatIsoDate } = useLocale()
  const title = useMemo(
    () =>
      highlightWords(record.title, words).map(({ text, isMatch }) => (isMatch ? <mark key={text}>{text}</mark> : text)),
    [record.title, words],
  )
  const document = toSafeUrl(record.links)
  const agreement = toSafeUrl(record.agreement_link ?? '')
  return (
    <li class="record">
      <h3 lang="es">
        {document === null ? (
          title
        ) : (
          <a href={document} rel={rel}>
            {title}
          </a>
        )}
      </h3>
      <p class="about">
        <span>
          <FilterLink
            href={toPageUrl({ ...unfiltered, municipality: record.municipality })}
            onFollow={() => onChoose({ municipality: record.municipality })}
          >
            {toRunningName(record.municipality)}
          </FilterLink>
        </span>{' '}
        {record.area !== '' && <span lang="es">{record.area}</span>}{' '}
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
      </p>
      <p class="documents">
        {document !== null && (
          <a class="document" href={document} rel={rel} aria-label={strings.documentOf(record.title)}>
            <DocumentIcon />
            {strings.document}
          </a>
        )}
        {agreement !== null && (
          <a class="document" href={agreement} rel={rel} aria-label={strings.agreementOf(record.title)}>
            <DocumentIcon />
            {strings.agreement}
          </a>
        )}
        {document === null && agreement === null && <span class="none">{strings.noDocument}</span>}
        {record.registration_number !== '' && <span class="number">{strings.number(record.registration_number)}</span>}
      </p>
    </li>
  )
}

const rel = 'external noopener noreferrer'

/** The URL unchanged, or null if it is not http or https: `javascript:` would run code. */
function toSafeUrl(url: string): string | null {
  return /^https?:\/\//i.test(url) ? url : null
}

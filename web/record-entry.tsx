// One record of the list. Everything in it is the registry's text, shown as text; addresses are followed only where
// they are http or https, and exactly as the registry writes them (decisions, `links`).
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import type { WireRecord } from '../src/domain/record.ts'
import { FilterLink } from './filter-link.tsx'
import { markWords } from './highlight.ts'
import { DocumentIcon } from './icons.tsx'
import { useSpeech } from './locale-context.ts'
import { everything, type Search, toPageAddress } from './search-url.ts'

export interface RecordEntryProps {
  readonly record: WireRecord
  readonly words: string
  readonly onChoose: (change: Partial<Search>) => void
}

export function RecordEntry({ record, words, onChoose }: RecordEntryProps): JSX.Element {
  const { say, date } = useSpeech()
  const title = useMemo(
    () => markWords(record.title, words).map(({ text, marked }) => (marked ? <mark key={text}>{text}</mark> : text)),
    [record.title, words],
  )
  const document = toFollowable(record.links)
  const agreement = toFollowable(record.agreement_link ?? '')
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
            href={toPageAddress({ ...everything, municipality: record.municipality })}
            onFollow={() => onChoose({ municipality: record.municipality })}
          >
            {record.municipality}
          </FilterLink>
        </span>{' '}
        {record.area !== '' && <span lang="es">{record.area}</span>}{' '}
        <span>
          <time dateTime={record.checkin_date}>{say.entered(date(record.checkin_date))}</time>
        </span>{' '}
        {record.inscription_date === null ? (
          <span class="none">{say.notInscribed}</span>
        ) : (
          <span>
            <time dateTime={record.inscription_date}>{say.inscribed(date(record.inscription_date))}</time>
          </span>
        )}
      </p>
      <p class="documents">
        {document !== null && (
          <a class="document" href={document} rel={rel} aria-label={say.documentOf(record.title)}>
            <DocumentIcon />
            {say.document}
          </a>
        )}
        {agreement !== null && (
          <a class="document" href={agreement} rel={rel} aria-label={say.agreementOf(record.title)}>
            <DocumentIcon />
            {say.agreement}
          </a>
        )}
        {document === null && agreement === null && <span class="none">{say.noDocument}</span>}
        {record.registration_number !== '' && <span class="number">{say.number(record.registration_number)}</span>}
      </p>
    </li>
  )
}

const rel = 'external noopener noreferrer'

/** The address itself, unchanged, or null where following it could run something. */
function toFollowable(address: string): string | null {
  return /^https?:\/\//i.test(address) ? address : null
}

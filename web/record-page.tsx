// The page of one record: where the words of a search stand in its text, all its fields, its documents, how to cite it,
// other records of the same plan, how to follow it, and the API request for it.

import type { PageRecord } from '../src/api/page-renderer.ts'
import { toSpanishReason } from '../src/domain/document-reason.ts'
import { toReadableName } from '../src/domain/municipality-name.ts'
import { passagesOfRecordMax } from '../src/domain/query-limits.ts'
import type { WireDocument, WirePassage } from '../src/domain/wire.ts'
import { CopyButton } from './copy-button.tsx'
import { isSameName, toProvinceLabel, toTitle } from './describe-search.ts'
import { toDocumentName } from './document-links.tsx'
import { useDocumentUrl } from './document-url.ts'
import { DocumentIcon } from './icons.tsx'
import type { JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import { MarkedText } from './marked-text.tsx'
import type { RecordView } from './page-data.ts'
import { PageFrame } from './page-frame.tsx'
import { Passage, toPageLabel, UnreadPages } from './passage-text.tsx'
import { hasNoTerm, type Search, toRecordFeedPath, unfiltered } from './search-url.ts'
import { useLocale, useSite, useUrls } from './site-context.ts'
import type { Strings } from './strings.ts'
import { ApiRequest, Follow, Tools, toRecordPath } from './tools.tsx'
import { toRecordTitle } from './window-title.ts'

export function RecordPage({ view }: { readonly view: RecordView }): JSX.Element {
  const { record, search, passages } = view
  const { strings } = useLocale()
  const urls = useUrls()
  const code = record.cod_archivo ?? ''
  return (
    <PageFrame isCompact url={urls.record(code, search)} skipTo="content">
      <main class="wrap article" id="content" tabindex={-1}>
        <Trail record={record} search={search} />
        <h1 lang="es">
          <MarkedText text={toRecordTitle(record, strings.untitled)} words={search.words} />
        </h1>
        {passages.length > 0 && <Passages view={view} />}
        {view.isTermMissing && <MissingTerm view={view} />}
        <Fields record={record} search={search} />
        <Documents record={record} linkCheck={view.linkCheck} />
        <Citation record={record} />
        {view.relatedRecords.length > 0 && <RelatedRecords view={view} />}
        <Tools>
          <Follow label={strings.followRecord} path={toRecordFeedPath(code)} />
          <ApiRequest path={toRecordPath(code)} />
        </Tools>
      </main>
    </PageFrame>
  )
}

/** The links above the title: back to the search, to the province and to the municipality. */
function Trail({ record, search }: Pick<RecordView, 'record' | 'search'>): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const urls = useUrls()
  const place = record.place ?? null
  const municipality = toReadableName(record.municipality)
  // The search may have the name in another spelling.
  const describedSearch = isSameName(search.municipality, municipality) ? { ...search, municipality } : search
  // The page of a municipality has its INE code in the address. If the place is unknown, so is the code.
  const municipalityUrl =
    place === null ? urls.search({ ...unfiltered, municipality }) : urls.municipality(place.ine_code)
  return (
    <nav class="trail" aria-label={strings.trail}>
      <a href={urls.search(search)}>{toBackLabel(describedSearch, locale)}</a>
      {place !== null && (
        <a href={urls.search({ ...unfiltered, province: place.ine_code.slice(0, 2) })}>
          {toProvinceLabel(place.province, municipality, strings)}
        </a>
      )}
      <a href={municipalityUrl}>{municipality}</a>
    </nav>
  )
}

/** `Results for “plan parcial” in Alicante`; without words `Records in Alicante`; without filters `Home`. */
function toBackLabel(search: Search, locale: Locale): string {
  const title = toTitle(search, locale)
  if (title === '') return locale.strings.home
  return search.words === '' ? title : locale.strings.backTo(title)
}

/** The fields of the record as a list. Empty ones are left out. */
function Fields({ record, search }: Pick<RecordView, 'record' | 'search'>): JSX.Element {
  const { strings, formatIsoDate } = useLocale()
  const place = record.place ?? null
  const fields: readonly (readonly [label: string, value: string, isSearched?: boolean])[] = [
    [strings.code, record.cod_archivo ?? ''],
    [strings.municipality, toReadableName(record.municipality)],
    [strings.tableProvince, place?.province ?? ''],
    [strings.community, place?.community ?? ''],
    [strings.area, record.area, true],
    [strings.entryDate, formatIsoDate(record.checkin_date)],
    [strings.inscriptionDate, record.inscription_date === null ? '' : formatIsoDate(record.inscription_date)],
    ...Object.entries(record.fields ?? {}).map(([label, value]) => [label, value, true] as const),
    [strings.registrationNumber, record.registration_number],
    // Sources without ids have the code in this field.
    [strings.identifier, record.id === record.cod_archivo ? '' : record.id],
  ]
  return (
    <dl class="fields">
      {fields
        .filter(([, value]) => value !== '')
        .map(([label, value, isSearched = false]) => (
          <div key={label}>
            <dt>{label}</dt>
            <dd>{isSearched ? <MarkedText text={value} words={search.words} /> : value}</dd>
          </div>
        ))}
    </dl>
  )
}

type DocumentsProps = Pick<RecordView, 'record' | 'linkCheck'>

function Documents({ record, linkCheck }: DocumentsProps): JSX.Element {
  const { strings, formatDate } = useLocale()
  const documents = listDocuments(record, strings)
  return (
    <section aria-labelledby="documents-heading">
      <h2 id="documents-heading">{strings.documents}</h2>
      {documents.length === 0 ? (
        <p class="none">{strings.noDocument}</p>
      ) : (
        <ul class="document-list">
          {documents.map(({ label, url, facts }) => (
            <li key={label}>
              <DocumentItem label={label} url={url} />
              {linkCheck?.dead.includes(url) && (
                <p class="dead-link">{strings.deadLink(formatDate(linkCheck.checkedAt))}</p>
              )}
              {facts !== null && <DocumentFacts facts={facts} />}
            </li>
          ))}
        </ul>
      )}
    </section>
  )
}

interface ListedDocument {
  readonly label: string
  /** As the registry has it; empty if the document has no public address. */
  readonly url: string
  /** What the import found out about the file, such as its pages; null if the document was not imported. */
  readonly facts: WireDocument | null
}

/**
 * First the documents that the record links to, then imported ones without a link, such as files that are not public.
 */
function listDocuments(record: PageRecord, strings: Strings): ListedDocument[] {
  const imported = record.documents ?? []
  const links = [
    { label: strings.document, url: record.links },
    { label: strings.agreement, url: record.agreement_link ?? '' },
  ].filter(({ url }) => url !== '')
  const linked = links.map((link) => ({ ...link, facts: imported.find(({ href }) => href === link.url) ?? null }))
  // Numbered among all imported documents, because passages refer to them by that number (passage-text.tsx).
  const unlinked = imported
    .map((facts, index) => ({
      label: toDocumentName(record, index + 1, strings),
      url: facts.href ?? '',
      facts,
    }))
    .filter(({ facts }) => !links.some(({ url }) => url === facts.href))
  return [...linked, ...unlinked]
}

/** A document with the host that it is on. An address that is not http or https is shown as text. */
function DocumentItem({ label, url }: Pick<ListedDocument, 'label' | 'url'>): JSX.Element {
  const { strings } = useLocale()
  const { site } = useSite()
  const toOpenableUrl = useDocumentUrl()
  const href = toOpenableUrl(url)
  if (url === '') return <>{label}</>
  if (href === null) {
    return (
      <>
        {label}: <code>{url}</code>
      </>
    )
  }
  return (
    <>
      <a class="document" href={href} rel="external noopener noreferrer">
        <DocumentIcon />
        {label}
      </a>{' '}
      <span class="hint">{strings.atHost(new URL(href, site.baseUrl).hostname)}</span>
    </>
  )
}

/**
 * How many pages can be searched, and why others cannot, so that "not found" can be told from "not read". Then the
 * checksum of the file.
 */
function DocumentFacts({ facts }: { readonly facts: WireDocument }): JSX.Element {
  const { language, strings, formatNumber } = useLocale()
  const { pages, read, recognised, unread, reason, sha256 } = facts
  return (
    <p class="hint">
      {pages > 0 &&
        strings.pageCounts(
          formatNumber(pages),
          formatNumber(read),
          formatNumber(recognised),
          formatNumber(unread),
        )}{' '}
      {toReasonText(facts, reason === null || language === 'en' ? reason : toSpanishReason(reason), strings)}
      {sha256 !== null && (
        <>
          {' '}
          SHA-256 <code>{sha256}</code>
        </>
      )}
    </p>
  )
}

/** Why the document, or a part of it, was not read; empty if there is no reason. */
function toReasonText({ pages, unread }: WireDocument, reason: string | null, strings: Strings): string {
  if (reason === null) return ''
  // A document that could not be opened has no number of pages.
  if (pages === 0) return strings.documentUnread(reason)
  // Attached files may be unread although all pages were read.
  return unread > 0 ? strings.pagesUnread(reason) : strings.allPagesRead(reason)
}

/** Where the words of the search stand in the text of the record. Each passage has an address, and can be cited. */
function Passages({ view }: { readonly view: RecordView }): JSX.Element {
  const { strings } = useLocale()
  const urls = useUrls()
  const { record, search, passages } = view
  const url = urls.record(record.cod_archivo ?? '', search)
  const ids = toPassageIds(passages)
  return (
    <section class="passages-section" aria-labelledby="passages-heading">
      <h2 id="passages-heading">{strings.passages(withoutQuotes(search.words))}</h2>
      {passages.length === passagesOfRecordMax && (
        <p class="hint">{strings.passagesMax(String(passagesOfRecordMax))}</p>
      )}
      <ol class="passages">
        {passages.map((passage, index) => (
          <li class="passage" key={ids[index]} id={ids[index]}>
            <Passage passage={passage} record={record} />{' '}
            <span class="passage-tools">
              <a class="quiet" href={`${url}#${ids[index]}`}>
                {strings.passageLink}
              </a>
              <PassageCitation passage={passage} record={record} address={`${url}#${ids[index]}`} />
            </span>
          </li>
        ))}
      </ol>
    </section>
  )
}

/** `passage-2-37` is on page 37 of document 2; `passage-2-37-2` is the second one on that page. */
function toPassageIds(passages: readonly WirePassage[]): string[] {
  const counts = new Map<string, number>()
  return passages.map(({ document, page }) => {
    const id = `passage-${document ?? 0}-${page ?? 0}`
    const count = (counts.get(id) ?? 0) + 1
    counts.set(id, count)
    return count === 1 ? id : `${id}-${count}`
  })
}

interface PassageCitationProps {
  readonly passage: WirePassage
  readonly record: PageRecord
  /** The address of the passage, relative to the base URL. */
  readonly address: string
}

function PassageCitation({ passage, record, address }: PassageCitationProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const { site } = useSite()
  const sha256 = record.documents?.[(passage.document ?? 0) - 1]?.sha256 ?? null
  const label = toPageLabel({ passage, record }, locale)
  const parts = [
    toCitation(record, locale),
    label === '' ? '' : `${label[0]?.toUpperCase()}${label.slice(1)}.`,
    sha256 === null ? '' : `SHA-256: ${sha256}.`,
    site.baseUrl + address,
  ]
  const text = parts.filter((part) => part !== '').join(' ')
  return <CopyButton text={text} what={strings.citePassage(label)} label={strings.citeShort} isCitation />
}

/** `Plan parcial (expediente 05019-1), Ávila, con entrada el 3 de marzo de 2004.` */
function toCitation(record: PageRecord, { strings, formatIsoDate }: Locale): string {
  return strings.citation(
    toRecordTitle(record, strings.untitled),
    record.cod_archivo ?? '',
    toReadableName(record.municipality),
    formatIsoDate(record.checkin_date),
  )
}

/** The words without quotation marks, because the texts put them into marks of their own. */
function withoutQuotes(words: string): string {
  return words.replaceAll('"', '')
}

/** That the words of the search are not in the text of the record, and which parts of it were not searched. */
function MissingTerm({ view }: { readonly view: RecordView }): JSX.Element {
  const { strings } = useLocale()
  const { record, search } = view
  if (hasNoTerm(search)) return <p class="notice">{strings.noTerm}</p>
  // A phrase in quotation marks counts as one word.
  const hasSeveralWords = /\s/.test(search.words.replace(/"[^"]*"/g, '_'))
  const documents = record.documents ?? []
  // A document that could not be opened has no number of pages.
  const unreadCount = documents.filter(({ pages, reason }) => pages === 0 && reason !== null).length
  return (
    <div class="notice">
      <p>{strings.missingTerm(withoutQuotes(search.words), hasSeveralWords)}</p>
      <UnreadPages documents={documents} />
      {unreadCount > 0 && (
        <p class="unread">{strings.unreadDocuments(String(unreadCount), String(documents.length))}</p>
      )}
    </div>
  )
}

/** The citation as one line of text. The copy button adds the date of access, which is the day of the copy. */
function Citation({ record }: { readonly record: PageRecord }): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const { site } = useSite()
  const url = `${site.baseUrl}expediente/${encodeURIComponent(record.cod_archivo ?? '')}`
  const text = `${toCitation(record, locale)} ${url}`
  return (
    <section aria-labelledby="cite-heading">
      <h2 id="cite-heading">{strings.cite}</h2>
      <div class="line cite">
        <span lang="es">{text}</span>
        <CopyButton text={text} what={strings.cite} isCitation />
      </div>
    </section>
  )
}

/** Links to other records whose titles name the same plan or sector, and to searches if not all are listed. */
function RelatedRecords({ view }: { readonly view: RecordView }): JSX.Element {
  const { strings, formatIsoDate } = useLocale()
  const urls = useUrls()
  const { relatedRecords, relatedSearches } = view
  const municipality = toReadableName(view.record.municipality)
  return (
    <section aria-labelledby="related-heading">
      <h2 id="related-heading">{strings.relatedRecords(municipality)}</h2>
      <ul class="related">
        {relatedRecords.map(({ code, title, checkinDate, name }) => (
          <li key={code}>
            <a href={urls.record(code)} lang="es">
              {title}
            </a>
            <span class="about">
              <span>
                <time datetime={checkinDate}>{formatIsoDate(checkinDate)}</time>
              </span>{' '}
              <span>{strings.namesToo(name)}</span>
            </span>
          </li>
        ))}
      </ul>
      {relatedSearches.map(({ name, search }) => (
        <p class="related-search" key={name}>
          <a href={urls.search(search)}>{strings.relatedSearch(name, municipality)}</a>
        </p>
      ))}
    </section>
  )
}

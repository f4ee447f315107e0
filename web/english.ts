// The text of the page in English; spanish.ts has the same texts. Callers pass numbers and dates already formatted
// (locale.ts). A parameter `records` is a count with its noun, such as `317 records`. `count` is a plain number, which
// decides between singular and plural.
import type { spanish } from './spanish.ts'

/** The names of autonomous communities that take an article, which are in Spanish or Catalan. */
const namesWithArticle = /^(?:Principado|Illes|Comunitat|Comunidad|Región|País) /

export const english: typeof spanish = {
  // The header of every page, and the introduction of the start page.
  name: 'Urban planning registry',
  otherLanguage: 'Español',
  skip: 'Skip to content',
  // The name of the navigation of the header, for screen readers.
  navigation: 'Service',
  reference: 'API',
  heading: 'Find a planning record',
  lead: 'General plans, partial plans, detail studies and their amendments in Spain: search the titles and the text of the documents.',
  fictional: 'Sample registry: every record you see here is fictional.',
  // `years` is the first and the last year of the records: `1956–2024`.
  facts: (recordsNumber: string, municipalitiesNumber: string, years: string): string =>
    `${recordsNumber} ${recordsNumber === '1' ? 'record' : 'records'} from ${municipalitiesNumber} ${municipalitiesNumber === '1' ? 'municipality' : 'municipalities'}, ${years}`,
  refreshed: (date: string): string => `Updated on ${date}`,

  // The search form, and the heading of the other searches that are offered below it.
  offers: 'Or perhaps',
  words: 'Words',
  wordsHint: 'For example, a place, a kind of plan, a sector or an inscription code',
  municipality: 'Municipality',
  municipalityHint: 'All',
  municipalityCount: (count: number, formattedCount: string): string => {
    if (count === 0) return 'No municipality matches that name'
    return count === 1 ? '1 municipality found' : `${formattedCount} municipalities found`
  },
  municipalityMore: (formattedCount: string): string => `and ${formattedCount} more; keep typing`,
  // On a phone, opens the fields other than the words.
  moreFields: 'Municipality and year',
  year: 'Year of entry',
  anyYear: 'All',
  search: 'Search',
  clearWords: 'Clear the words',
  clearMunicipality: 'Remove the municipality',
  clearAll: 'Remove all filters',

  // Example searches, the list of results, and a record in it.
  examplesHeading: 'For example',
  newest: 'Latest entries',
  records: (count: number, formattedCount: string): string => (count === 1 ? '1 record' : `${formattedCount} records`),
  recordsWithoutCount: 'Records',
  quote: (words: string): string => `“${words}”`,
  withWords: (words: string): string => `with “${words}”`,
  inMunicipality: (name: string): string => `in ${name}`,
  // An autonomous community: `in the Comunidad de Madrid`, but `in Galicia`.
  inCommunity: (name: string): string => `in ${namesWithArticle.test(name) ? 'the ' : ''}${name}`,
  inProvince: (name: string): string => `in the province of ${name}`,
  // `from` or `to` is empty if the period has no such limit. `inPeriod` is part of a sentence; `period` stands alone,
  // as an option or a filter, and is never a single day or year.
  inPeriod: (from: string, to: string): string => {
    if (to === '') return `since ${from}`
    if (from === '') return `until ${to}`
    return from === to ? `from ${from}` : `from ${from} to ${to}`
  },
  period: (from: string, to: string): string => {
    if (to === '') return `Since ${from}`
    if (from === '') return `Until ${to}`
    // `2004–2008`, but `March 2004 – 2008`: without spaces the dash would join the two years.
    return [from, to].join(`${from}${to}`.includes(' ') ? ' – ' : '–')
  },
  withNumber: (registrationNumber: string): string => `with registration number ${registrationNumber}`,
  withId: (id: string): string => `with identifier ${id}`,
  withField: (label: string, value: string): string => `with ${label} “${value}”`,
  // The province in a breadcrumb, if the municipality after it has the same name.
  provinceOf: (name: string): string => `Province of ${name}`,
  provinceFilter: (name: string): string => `Province: ${name}`,
  idFilter: (id: string): string => `Identifier ${id}`,
  removeFilter: (label: string): string => `Remove the filter: ${label}`,
  prefixNote: (word: string): string =>
    `No record contains the word “${word}”; these contain words starting with “${word}”.`,
  recordByCode: 'Record with that inscription code',
  recordsByWords: 'Records that contain those words',
  searching: 'Searching…',
  entered: (date: string): string => `Entered: ${date}`,
  // The date of inscription is called the date of registration in the texts `inscribed`, `notInscribed` and
  // `inscriptionDate`, because an English reader expects that word. The registration number is another field.
  inscribed: (date: string): string => `Registered: ${date}`,
  number: (registrationNumber: string): string => `No. ${registrationNumber}`,
  document: 'Technical document',
  agreement: 'Agreement',
  noDocument: 'No documents online',
  documentOf: (title: string): string => `Technical document: ${title}`,
  agreementOf: (title: string): string => `Agreement: ${title}`,
  more: 'Show more results',
  loadingMore: 'Loading more results…',
  endOfList: (records: string): string => `End of the list: ${records}.`,
  namesakes: (formattedCount: string): string => `${formattedCount} municipalities have that name. Choose one:`,
  continued: 'The list continues from the previous page.',
  firstPage: 'Go to the start',

  // The chart of years, the map, and the values of the office's own columns.
  charts: 'Filter the results',
  yearChart: 'Records by year of entry',
  yearChartHint: 'Click a year, or drag to select several.',
  yearChartSummary: (first: string, last: string, peak: string, records: string): string =>
    `From ${first} to ${last}. The year with the most records is ${peak}: ${records}.`,
  yearChartNote: (first: string, last: string): string =>
    `The chart shows ${first} to ${last}; the table has the other years too.`,
  from: 'From',
  to: 'To',
  applyYears: 'Apply',
  allYears: 'All years',
  showTable: 'Show as a table',
  tableYear: 'Year',
  tableMunicipality: 'Municipality',
  tableProvince: 'Province',
  tableRecords: 'Records',
  showMoreRows: (formattedCount: string): string => `Show ${formattedCount} more`,
  map: 'Map',
  mapOfProvinces: 'Records by province',
  mapOfMunicipalities: (province: string): string => `Records by municipality: ${province}`,
  mapProvinceHint: 'Click a province to see its municipalities.',
  mapHint: 'Click a municipality to see its records.',
  mapSummary: (places: string, name: string, records: string, isOfProvinces: boolean): string =>
    isOfProvinces
      ? `Number of provinces: ${places}. The one with the most records is ${name}: ${records}.`
      : `Number of municipalities: ${places}. The one with the most records is ${name}: ${records}.`,
  mapUnplaced: (count: number, formattedCount: string): string =>
    count === 1
      ? '1 municipality is not on the map; it is in the table.'
      : `${formattedCount} municipalities are not on the map; they are in the table.`,
  mapUnplacedRecords: (records: string): string => `Without a known province: ${records}.`,
  mapSource: 'Boundaries: © Instituto Geográfico Nacional (CC BY 4.0), simplified',
  allMunicipalities: 'All municipalities',
  allProvinces: 'All provinces',

  // The API request of the page, copying and downloading.
  tools: 'Download, follow and reuse',
  request: 'API request (JSON)',
  requestHint: 'The data on this page comes from this address. The API is open, returns JSON and needs no account.',
  address: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  // `what` names what is copied, for screen readers: `Copy: Request identifier`.
  copyOf: (what: string): string => `Copy: ${what}`,
  notCopied: 'Could not copy. Select the text and copy it yourself.',
  download: (records: string): string => `Download ${records} (CSV)`,
  // The label of a download for screen readers: `Download 317 records with “plan parcial” as CSV`. Without filters, the
  // argument `what` is the text `allRecords`: `317 records of the whole registry`.
  downloadAs: (what: string, format: string): string => `Download ${what} as ${format}`,
  allRecords: (records: string): string => `${records} of the whole registry`,

  // A search without results. Most reasons are in problem-texts.ts.
  emptyHeading: 'No records found',
  afterEndHeading: 'End of the list',
  // `filters` describes what no record has: all filters of a search without words, `in Aragón until 1950`, or only the
  // registration number or the identifier.
  noRecords: (filters: string): string => `There are no records ${filters}.`,
  noTerm: 'Write at least one letter or digit: without any, the search finds nothing.',
  didYouMean: 'Did you mean',
  alternatives: 'You can also',
  withoutYear: (records: string): string => `Search all years (${records})`,
  withoutMunicipality: (records: string): string => `Search all municipalities (${records})`,
  withoutWord: (word: string, records: string): string => `Search without “${word}” (${records})`,
  withoutWords: (records: string): string => `Search without words (${records})`,
  withoutProvince: (records: string): string => `Search all provinces (${records})`,
  withoutCommunity: (records: string): string => `Search all autonomous communities (${records})`,
  withoutNumber: (records: string): string => `Search without the registration number (${records})`,
  withoutIdentifier: (records: string): string => `Search without the identifier (${records})`,
  withoutFilter: (filter: string, records: string): string => `Search without “${filter}” (${records})`,
  withoutNumberAndIdentifier: (records: string): string =>
    `Search without the registration number and the identifier (${records})`,
  withoutFilters: 'See the latest entries',

  // A search that failed. Why the service refuses a search is in problem-texts.ts.
  refusedHeading: 'Invalid search',
  refused: 'The service does not accept this search. Change the criteria.',
  slow: 'The response is taking longer than usual. Please wait.',
  offlineHeading: 'No connection',
  offline: 'The service could not be reached. The search will be repeated when the connection is restored.',
  busyHeading: 'The service is busy',
  busy: 'There are too many requests at the moment.',
  limitedHeading: 'You have reached the request limit',
  limited: 'Too many requests have come from your connection in a short time. The service itself is working normally.',
  retryIn: (seconds: string): string => `Trying again in ${seconds} s.`,
  failedHeading: 'The service has failed',
  failed: 'Please try again. If the error persists, tell the operator of the registry what you were searching for.',
  requestId: 'Request identifier',
  retry: 'Try again',

  // The pages of a record and of a municipality. The list of results uses some of these texts too.
  // Feeds. `followHint` explains them.
  feed: 'New records (Atom)',
  followSearch: 'Follow this search',
  followAll: 'Follow the registry',
  followMunicipality: 'Follow this municipality',
  followRecord: 'Follow this record',
  followHint:
    'With this address, a feed reader (RSS or Atom) tells you of each new or changed record. Copy it into your reader, or open it to see the latest changes.',
  openFeed: 'See the latest changes',
  trail: 'Breadcrumb',
  home: 'Home',
  backTo: (search: string): string => `Results for ${search}`,
  untitled: 'Untitled',
  code: 'Inscription code',
  community: 'Autonomous community',
  area: 'Area',
  entryDate: 'Date of entry',
  inscriptionDate: 'Date of registration',
  registrationNumber: 'Registration number',
  identifier: 'Identifier',
  documents: 'Documents',
  documentNumber: (number: string): string => `Document ${number}`,
  pageOf: (page: string, pages: string): string => `page ${page} of ${pages}`,
  passages: (words: string): string => `Where “${words}” appears`,
  passagesMax: (count: string): string => `At most ${count} passages are shown.`,
  // `words` are one word or a phrase, unless `hasSeveralWords`.
  missingTerm: (words: string, hasSeveralWords: boolean): string =>
    `This record does not contain ${hasSeveralWords ? 'all words of ' : ''}“${words}” in its title, its area or the text that could be read.`,
  recognised: '(text recognised from an image)',
  // `unreadPages` and `unreadDocuments` tell what was not searched. The texts after them describe each document on the
  // page of a record: how many pages were read, and why the document or a part of it is missing.
  unreadPages: (unread: string, pages: string): string =>
    `Pages that could not be read, and are not searched: ${unread} of ${pages}.`,
  unreadDocuments: (unread: string, documents: string): string =>
    `Documents that could not be read, and are not searched: ${unread} of ${documents}.`,
  pageCounts: (pages: string, read: string, recognised: string, unread: string): string =>
    `Pages: ${pages}; with text: ${read}; with recognised text: ${recognised}; unread: ${unread}.`,
  // `documentUnread`: no page was read. `pagesUnread`: some pages were not. `allPagesRead`: something else was not,
  // such as an attached file.
  documentUnread: (reason: string): string => `Could not be read: ${reason}.`,
  pagesUnread: (reason: string): string => `Reason: ${reason}.`,
  allPagesRead: (reason: string): string => `Note: ${reason}.`,
  inTitle: 'In the title',
  // For records whose titles lack a word of the search: where it was found instead.
  inDocuments: 'In the documents',
  inOtherData: 'In other data of the record',
  inOtherDataOrDocuments: 'In other data of the record or in the documents',
  // Follows the link to a document: `Technical document at example.org`.
  atHost: (host: string): string => `at ${host}`,
  deadLink: (date: string): string => `It could not be opened at the last check (${date})`,
  cite: 'How to cite this record',
  citation: (title: string, code: string, municipality: string, date: string): string =>
    `${title} (record ${code}), ${municipality}, entered on ${date}.`,
  // The button beside a passage. `page` is like `page 37 of 512`.
  citeShort: 'Cite',
  citePassage: (page: string): string => `Citation of this passage${page === '' ? '' : `, ${page}`}`,
  passageLink: 'Link',
  accessed: (date: string): string => `(accessed on ${date})`,
  // The title of a related record names a plan or sector of the record on the page. `name` is that plan or sector.
  relatedRecords: (municipality: string): string => `Related records in ${municipality}`,
  relatedSearch: (name: string, municipality: string): string => `See all records with “${name}” in ${municipality}`,
  namesToo: (name: string): string => `Its title also names “${name}”`,
  ineCode: (code: string): string => `INE code ${code}`,
  // The label of a link: `See 317 records`. If the records could not be counted, `records` is `Records`, and the label
  // is `See records`.
  allOf: (records: string): string => `See ${records.toLowerCase()}`,
  // `nameWithPlace` is like `Santander (Cantabria)`.
  municipalityTitle: (nameWithPlace: string): string => `Planning records of ${nameWithPlace}`,

  // An address without a page, and the footer of every page.
  missing: {
    record: {
      heading: 'Record not found',
      text: (code: string): string => `No record has the inscription code “${code}”.`,
    },
    municipality: {
      heading: 'Municipality not found',
      text: (code: string): string => `No municipality with the INE code “${code}” has records.`,
    },
    address: {
      heading: 'Page not found',
      text: (path: string): string => `There is nothing at the address ${path}. You can search the registry.`,
    },
  },
  otherAddress: 'You may have meant',
  linkReference: 'API documentation',
  linkOpenApi: 'OpenAPI description',
  linkMunicipalities: 'Municipalities with records (JSON)',
  linkCatalog: 'Description of the dataset (DCAT)',
  footer: 'Open access: no account needed.',
  licence: (name: string): string => `Licence of the data: ${name}`,
  contact: (address: string): string => `Contact: ${address}`,
}

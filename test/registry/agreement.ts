// Property test: on random registries and random requests a search returns the same bytes as a naive scan, which
// compares every record with the request. The scan uses the analyser (which turns texts into words), the reference
// matcher (which compares words with a search term) and the municipalities of the snapshot, but no full-text index.
// agreement.test.ts runs this test with a fixed seed, agreement-random.ts with a random one.
import assert from 'node:assert/strict'
import naughtyStrings from 'big-list-of-naughty-strings' with { type: 'json' }
import fc from 'fast-check'
import {
  type AnalysedText,
  type AnalysedTitle,
  analyseArea,
  analyseTerm,
  analyseText,
  analyseTitle,
} from '../../src/analysis/analyser.ts'
import type { Clause, Term } from '../../src/analysis/term.ts'
import type { Tier } from '../../src/domain/cursor.ts'
import { foldValue } from '../../src/domain/exact-value.ts'
import { foldName } from '../../src/domain/municipality.ts'
import { foldFieldValue, toOwnField } from '../../src/domain/own-fields.ts'
import { filters, tokenFilters } from '../../src/domain/parameters.ts'
import { findCommunity, findProvince, provinceOf } from '../../src/domain/province.ts'
import type { Filters, Query } from '../../src/domain/query.ts'
import { compareCanonically, type RegistryRecord, toWireRecord } from '../../src/domain/record.ts'
import type { Snapshot, Summary } from '../../src/registry/contract.ts'
import { hasNeighbours, type MatchedText, matchesClause } from '../analysis/reference-matcher.ts'
import { titles, titleWords } from '../analysis/titles.ts'
import { createRegistry } from '../create-registry.ts'
import { type TestRecord, toRecord } from '../service.ts'
import { documentOf } from './paged-document.ts'
import { readAll, readPages } from './reading.ts'

/** Inflections, codes and abbreviations in several spellings, and characters that folding changes. */
const vocabulary = [
  ...['plan', 'planes', 'parcial', 'parciales', 'sector', 'UE-1', 'UE 2', 'U.E.1', 'PGOU', 'P.G.O.U.', 'de', 'la'],
  ...['edificación', 'edificio', 'edificar', 'edificabilidad', 'edicto', 'suelo', 'urbano', 'ñandú', 'año', '2004'],
  ...['C/', 'calle', 'Mayor', 'plan parcial', 'PP', 'nº V', 'núm. 5', 'S/SUNC/1', '"Iveco-Pegaso"', 'Montgó-6'],
  ...['a', 'x²', '𝄞', '東京', 'ﬁnca', "l'Alfàs"],
]
const municipalities = ['Ávila', 'Segovia', 'Coruña, A', 'Alacant/Alicante', 'Arévalo', 'Villa Desconocida']
/** Registration numbers and ids. Two differ only in case, which must not matter. */
const numbers = ['7', '7/2004', 'ab-7', 'AB-7', '8']

// `any…` are arbitraries of fast-check: `anyText` draws random texts.
const anyCharacters = fc.string({ unit: 'grapheme', maxLength: 30 })
const anyTitleWord = fc.constantFrom(...titleWords)
const anySentence = fc.array(anyTitleWord, { minLength: 1, maxLength: 14 }).map((words) => words.join(' '))
// Most texts are of the vocabulary, so that the terms below match many of them.
const anyText = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.array(fc.constantFrom(...vocabulary), { maxLength: 8 }).map((words) => words.join(' ')),
  },
  { weight: 2, arbitrary: fc.constantFrom(...titles) },
  { weight: 2, arbitrary: anySentence },
  { weight: 1, arbitrary: anyCharacters },
)

/** Most records have no document, as in a registry; a phrase may begin on one page and end on the next. */
const anyDocuments = fc.oneof(
  { weight: 2, arbitrary: fc.constant([]) },
  {
    weight: 1,
    arbitrary: fc.array(
      fc.array(anyText, { maxLength: 3 }).map((pages) => documentOf(pages)),
      { maxLength: 3 },
    ),
  },
)

/** The office's own columns: a record may lack any of them. */
const fieldLabels = ['Tipo', 'Aprob. inicial']
const anyFieldValue = fc.constantFrom('Plan Parcial', 'plan  parciál', 'UE-1', 'x²', '2004')
const anyFields = fc
  .record(Object.fromEntries(fieldLabels.map((label) => [label, anyFieldValue])), {
    requiredKeys: [],
  })
  .map((drawn) => ({ ...drawn }) as Record<string, string>)

const anyRecord: fc.Arbitrary<TestRecord> = fc.record({
  code: fc.integer({ min: 1, max: 500 }).map((number) => `C-${number}`),
  title: anyText,
  area: fc.oneof({ weight: 3, arbitrary: fc.constant('') }, { weight: 1, arbitrary: anyText }),
  content: anyText,
  documents: anyDocuments,
  fields: anyFields,
  municipality: fc.constantFrom(...municipalities),
  checkinDate: fc
    .record({ year: fc.integer({ min: 2001, max: 2005 }), day: fc.integer({ min: 10, max: 28 }) })
    .map(({ year, day }) => `${year}-02-${day}`),
  registrationNumber: fc.constantFrom(...numbers),
  id: fc.constantFrom(...numbers),
  agreementLink: fc.constantFrom(null, 'https://documents.example/acuerdo.pdf'),
})
const anyFewRecords = fc.uniqueArray(anyRecord, { selector: ({ code }) => code, maxLength: 60 })

/** Enough records that a long search reads several ranges of positions (scan.ts): each record drawn ten times. */
const manyRecords = 20_000
const anyManyRecords = fc
  .array(anyRecord, { minLength: manyRecords / 10, maxLength: manyRecords / 10, size: 'max' })
  .map((drawn) => Array.from({ length: 10 }, () => drawn).flat())
  .map((records) => records.map((record, number) => ({ ...record, code: `C-${number}` })))

// `plan` is listed twice, so it is twice as likely as any other word. The vocabulary lacks `desconocido`.
const anyWord = fc.constantFrom(
  ...vocabulary,
  'plan',
  'edi*',
  'edif*',
  'edific*',
  'pla*',
  'UE*',
  'UE-1*',
  'desconocido',
)
const anyPhrase = fc
  .array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 })
  .map((words) => `"${words.join(' ')}"`)
// `anyWord` twice, so that on average one clause in three is a phrase in quotes.
const anyVocabularyTerm = fc
  .array(fc.oneof(anyWord, anyWord, anyPhrase), { minLength: 1, maxLength: 3 })
  .map((clauses) => clauses.join(' '))
const anyTerm = fc.oneof(
  { weight: 6, arbitrary: anyVocabularyTerm },
  { weight: 2, arbitrary: fc.array(anyTitleWord, { minLength: 1, maxLength: 3 }).map((words) => words.join(' ')) },
  // The first 25 characters of a sentence as a phrase.
  { weight: 1, arbitrary: anySentence.map((sentence) => `"${sentence.slice(0, 25)}"`) },
  // A prefix of three letters or more. Those of up to five letters have tokens of their own (tokens.ts).
  {
    weight: 2,
    arbitrary: fc
      .record({
        word: anyTitleWord,
        letters: fc.constantFrom(3, 4, 5, 6, 7, 8, 100),
        other: fc.constantFrom('', 'plan '),
      })
      .map(({ word, letters, other }) => `${other}${word.slice(0, letters)}*`),
  },
  { weight: 1, arbitrary: anyCharacters },
  { weight: 1, arbitrary: fc.constantFrom(...naughtyStrings) },
)

const anyDay = fc
  .record({
    year: fc.integer({ min: 2000, max: 2006 }),
    monthAndDay: fc.constantFrom('01-01', '12-31', '02-10', '02-19'),
  })
  .map(({ year, monthAndDay }) => `${year}-${monthAndDay}`)

/** The filters on a field as a whole: fixed values, or those of the records. */
const anyTokenFilters = Object.fromEntries(
  tokenFilters.map(({ name }) => {
    const values = Object.keys(filters[name].choices ?? {})
    return [name, fc.constantFrom(...(values.length === 0 ? [...numbers, '9'] : values)).map(foldValue)]
  }),
) as Record<'id', fc.Arbitrary<string>> // One name stands for all.

/** The parameters that a request may have. */
const anyParameters = {
  cod_archivo: fc.integer({ min: 1, max: 500 }).map((number) => `C-${number}`),
  municipality: fc.constantFrom(...municipalities, 'A Coruña', 'Toledo', '05019', '99999'),
  province: fc.constantFrom('Ávila', 'la coruña', '40', 'Toledo', 'Atlantis'),
  community: fc.constantFrom('Castilla y León', '12', 'Canarias', 'Atlantis'),
  checkin_date: fc.integer({ min: 2000, max: 2005 }).map(String),
  checkin_from: anyDay,
  checkin_to: anyDay,
  ...anyTokenFilters,
  fields: fc.record({ tipo: anyFieldValue.map(foldFieldValue) }),
  search: anyTerm,
  limit: fc.integer({ min: 1, max: 20 }),
}
const parameterCount = Object.keys(anyParameters).length
/** A request with random parameters. About a third of those drawn are kept, because many together rarely match. */
const anyRequest = fc
  .tuple(
    fc.record(anyParameters, { requiredKeys: [] }),
    fc.array(fc.nat(), { minLength: parameterCount, maxLength: parameterCount }),
  )
  .map(([drawn, dice]): typeof drawn =>
    Object.fromEntries(Object.entries(drawn).filter((_parameter, index) => (dice[index] ?? 0) % 3 === 0)),
  )
type RandomRequest = typeof anyRequest extends fc.Arbitrary<infer T> ? T : never

/**
 * Lists of `count` requests. Half have only a term. A code rarely matches with another filter, so four of five of the
 * others have no code.
 */
const anyRequests = (count: number): fc.Arbitrary<RandomRequest[]> =>
  fc.array(
    fc.oneof(
      { weight: 5, arbitrary: fc.record({ search: anyTerm }) },
      { weight: 1, arbitrary: anyRequest },
      { weight: 4, arbitrary: anyRequest.map(({ cod_archivo: _, ...rest }) => rest) },
    ),
    { minLength: count, maxLength: count, size: 'max' },
  )

/** How many random registries and requests are compared. */
export interface AgreementOptions {
  readonly seed: number
  readonly registries: number
  readonly requestsPerRegistry: number
}

/** Compares registries of up to 60 records. After a failure, looks for the smallest example that fails (shrinking). */
export async function checkFewRecords(options: AgreementOptions): Promise<void> {
  await check(anyFewRecords, { ...options, endOnFailure: false })
}

/** Compares registries of 20,000 records. Reports the first failure as it is, because shrinking it would take hours. */
export async function checkManyRecords(options: AgreementOptions): Promise<void> {
  await check(anyManyRecords, { ...options, endOnFailure: true })
}

/** Compares the search for every word of realistic titles on a registry of these titles. */
export async function checkTitles(): Promise<void> {
  const records = titles.map((title, index) => ({ code: `T-${index}`, title }))
  const requests = titleWords.map((search) => ({ search }))
  await compareWithScan(records, requests)
}

/** Compares searches with the scan on random registries. With `endOnFailure` a failure is not shrunk. */
async function check(
  anyRegistry: fc.Arbitrary<TestRecord[]>,
  { seed, registries, requestsPerRegistry, endOnFailure }: AgreementOptions & { readonly endOnFailure: boolean },
): Promise<void> {
  const property = fc.asyncProperty(anyRegistry, anyRequests(requestsPerRegistry), compareWithScan)
  const { failed, counterexample, errorInstance } = await fc.check(property, {
    seed,
    numRuns: registries,
    endOnFailure,
  })
  if (!failed) return
  const shown = JSON.stringify(counterexample)?.slice(0, 10_000)
  throw new Error(`a search disagrees with the scan (seed ${seed}): ${shown}`, { cause: errorInstance })
}

/** Publishes the records and compares the result and the summary of each request with the scan. */
async function compareWithScan(records: readonly TestRecord[], requests: readonly RandomRequest[]): Promise<void> {
  const analysed = toAnalysed(records)
  await using registry = await createRegistry()
  await compareSnapshot(await registry.snapshotOf(records), analysed, requests)
}

async function compareSnapshot(
  snapshot: Snapshot,
  analysed: readonly AnalysedRecord[],
  requests: readonly RandomRequest[],
): Promise<void> {
  for (const request of requests) {
    const { search, ...rest } = request
    const query: Query = { ...rest, ...(search === undefined ? {} : { search: analyseTerm(search) }) }
    const expected = scan(analysed, query, snapshot)
    const message = JSON.stringify(request)
    const { limit = expected.length, ...unlimited } = query
    assert.equal(await readWhole(snapshot, unlimited), expected.map(toWire).join(), message)
    if (query.limit !== undefined) {
      const [first, ...others] = await readPages(snapshot, { ...query, limit })
      assert.equal([first, ...others].map((page) => page?.text ?? '').join(), expected.map(toWire).join(), message)
      // An export goes on after the cursor of a page.
      const after = first?.next ?? undefined
      const rest = after === undefined ? [] : expected.slice(limit)
      if (after !== undefined) {
        assert.equal(await readWhole(snapshot, { ...unlimited, after }), rest.map(toWire).join(), message)
      }
    }
    const summary = await snapshot.summarise(unlimited)
    assert.equal(summary.total, expected.length, message)
    assert.deepEqual(summary.byYear, countYears(expected), message)
    assert.deepEqual(summary.byMunicipality, countMunicipalities(expected, snapshot), message)
  }
}

/** The whole result. */
async function readWhole(snapshot: Snapshot, query: Query): Promise<string> {
  return (await readAll(snapshot, query)).map(({ bytes }) => Buffer.from(bytes).toString()).join()
}

interface AnalysedRecord {
  readonly record: RegistryRecord
  readonly title: AnalysedTitle
  /** The area, the office's own columns, and the text of all pages. A phrase of the term may not begin in one and end in the other. */
  readonly otherTexts: readonly MatchedText[]
  readonly area: AnalysedTitle
}

/** Analyses the texts of the records, and sorts them in canonical order: newest first, then by code. */
function toAnalysed(records: readonly TestRecord[]): AnalysedRecord[] {
  const entries = records.map((each) => ({ given: each, record: toRecord(each) }))
  entries.sort((a, b) => compareCanonically(a.record, b.record))
  /** By record as it was drawn: many records have the same texts. */
  const analysed = new Map<string, Omit<AnalysedRecord, 'record'>>()
  return entries.map(({ given: { content = '', documents = [] }, record }) => {
    const values = Object.values(record.fields ?? {})
    const key = JSON.stringify([record.title, record.area, values, content, documents])
    const known = analysed.get(key)
    if (known !== undefined) return { record, ...known }
    const texts = [content, ...documents.flatMap(({ texts }) => texts.map(({ text }) => text))]
    const area = analyseArea(record.area)
    const otherTexts = [area, ...values.map(analyseText), joinPages(texts.map(analyseText))]
    const entry = { title: analyseTitle(record.title), area, otherTexts }
    analysed.set(key, entry)
    return { record, ...entry }
  })
}

/** The words of all pages, one page after the other: a phrase may begin on one page and end on the next. */
function joinPages(pages: readonly AnalysedText[]): MatchedText {
  return {
    words: pages.flatMap(({ words }) => words),
    joinedForms: pages.flatMap(({ joinedForms }) => joinedForms),
    synonyms: pages.flatMap(({ synonyms }) => synonyms),
  }
}

/** The expected result: the three tiers of `findTier`, one after the other, each in canonical order like `records`. */
function scan(records: readonly AnalysedRecord[], query: Filters, snapshot: Snapshot): RegistryRecord[] {
  const { search: term } = query
  const tiers: Record<Tier, RegistryRecord[]> = { 1: [], 2: [], 3: [] }
  for (const { record, title, area, otherTexts } of records) {
    if (!matchesFilters(record, query, snapshot)) continue
    const tier = term === undefined ? 3 : findTier(term, title, area, otherTexts)
    if (tier !== undefined) tiers[tier].push(record)
  }
  return [...tiers[1], ...tiers[2], ...tiers[3]]
}

/**
 * The tier of a record with this title, area and other texts: 1 if the title or the area has the words of the term side
 * by side, 2 if the title has all of them in another order or apart, else 3. Undefined if the term does not match. A term
 * without clauses matches no record.
 */
function findTier(
  { clauses, neighbours }: Term,
  title: AnalysedTitle,
  area: AnalysedTitle,
  otherTexts: readonly MatchedText[],
): Tier | undefined {
  if (clauses.length === 0 || !clauses.every((clause) => matchesAny(clause, [title, ...otherTexts]))) return undefined
  // `neighbours` has the pairs of words that must be side by side. A term of a single word has none.
  const areSideBySide = (text: AnalysedTitle): boolean => neighbours.length > 0 && hasNeighbours(text, neighbours)
  if (areSideBySide(title) || areSideBySide(area)) return 1
  return clauses.every((clause) => matchesAny(clause, [title])) ? 2 : 3
}

/** Whether the record matches every filter besides the term. */
function matchesFilters(record: RegistryRecord, query: Filters, snapshot: Snapshot): boolean {
  const { cod_archivo: code, checkin_date: year, checkin_from: from, checkin_to: to } = query
  return (
    (code === undefined || record.code === code) &&
    (year === undefined || record.checkinDate.slice(0, 4) === year) &&
    (from === undefined || record.checkinDate >= from) &&
    (to === undefined || record.checkinDate <= to) &&
    tokenFilters.every(({ name, toValue }) => {
      const value = query[name]
      return value === undefined || foldValue(toValue(toWireRecord(record))) === value
    }) &&
    Object.entries(query.fields ?? {}).every(([name, value]) =>
      Object.entries(record.fields ?? {}).some(
        ([label, own]) => toOwnField(label).name === name && foldFieldValue(own) === value,
      ),
    ) &&
    matchesPlace(record, query, snapshot)
  )
}

/** Whether the record lies in the municipality, the province and the community, if these are given. */
function matchesPlace(
  record: RegistryRecord,
  { municipality, province, community }: Filters,
  snapshot: Snapshot,
): boolean {
  if (municipality === undefined && province === undefined && community === undefined) return true
  const index = findMunicipalityIndex(record.municipality, snapshot)
  if (municipality !== undefined && !snapshot.findMunicipalities(municipality).includes(index)) return false
  if (province === undefined && community === undefined) return true
  const ownProvince = provinceOf(snapshot.municipalities[index]?.ineCode ?? '')
  if (ownProvince === undefined) return false
  if (province !== undefined && findProvince(province) !== ownProvince) return false
  return community === undefined || findCommunity(community) === ownProvince.community
}

/** The index of a record's municipality in `snapshot.municipalities`, which has the municipalities of all records. */
function findMunicipalityIndex(name: string, snapshot: Snapshot): number {
  const key = foldName(name)
  return snapshot.municipalities.findIndex(({ lookupKeys }) => lookupKeys.includes(key))
}

/** Whether the clause matches one of the texts of a record. */
function matchesAny(clause: Clause, texts: readonly MatchedText[]): boolean {
  return texts.some((text) => matchesClause(text, clause))
}

/** The record in the wire format. */
function toWire(record: RegistryRecord): string {
  return JSON.stringify(toWireRecord(record))
}

/** Counts the records of each municipality, which is given as its index: most records first, then by index. */
function countMunicipalities(found: readonly RegistryRecord[], snapshot: Snapshot): Summary['byMunicipality'] {
  const groups = Map.groupBy(found, (record) => findMunicipalityIndex(record.municipality, snapshot))
  return [...groups]
    .map(([municipality, { length: records }]) => ({ municipality, records }))
    .sort((a, b) => b.records - a.records || a.municipality - b.municipality)
}

/** Counts the records of each year, oldest first. */
function countYears(found: readonly RegistryRecord[]): { year: number; records: number }[] {
  const counts = new Map<number, number>()
  for (const { checkinDate } of found) {
    const year = Number(checkinDate.slice(0, 4))
    counts.set(year, (counts.get(year) ?? 0) + 1)
  }
  return [...counts].map(([year, count]) => ({ year, records: count })).sort((a, b) => a.year - b.year)
}

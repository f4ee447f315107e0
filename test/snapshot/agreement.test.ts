// Random registries and random requests: every engine answers with the very bytes that a plain scan of the records
// would give. The scan knows the analyser and nothing of posting lists.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { type AnalysedText, analyseTerm, analyseText } from '../../src/analysis/analyser.ts'
import type { Clause } from '../../src/analysis/term.ts'
import { foldName } from '../../src/domain/municipality.ts'
import type { Filters, Query } from '../../src/domain/query.ts'
import { compareCanonically, type RegistryRecord, toWireRecord } from '../../src/domain/record.ts'
import type { Snapshot, Summary } from '../../src/snapshot/contract.ts'
import { engines } from '../engines.ts'
import { type TestRecord, toRecord } from '../service.ts'
import { readAll, readPages } from './reading.ts'

const vocabulary = [
  ...['plan', 'planes', 'parcial', 'parciales', 'sector', 'UE-1', 'UE 2', 'U.E.1', 'PGOU', 'P.G.O.U.', 'de', 'la'],
  ...['edificación', 'edificio', 'edificar', 'edificabilidad', 'edicto', 'suelo', 'urbano', 'ñandú', 'año', '2004'],
  ...['nº V', 'núm. 5', 'S/SUNC/1', '"Iveco-Pegaso"', 'Montgó-6', 'a', 'x²', '𝄞', '東京', 'ﬁnca', "l'Alfàs"],
]
const municipalities = ['Ávila', 'Segovia', 'Coruña, A', 'Alacant/Alicante']

const text = fc.array(fc.constantFrom(...vocabulary), { maxLength: 8 }).map((words) => words.join(' '))

const record: fc.Arbitrary<TestRecord> = fc.record({
  code: fc.integer({ min: 1, max: 500 }).map((number) => `C-${number}`),
  title: text,
  content: text,
  municipality: fc.constantFrom(...municipalities),
  checkinDate: fc
    .record({ year: fc.integer({ min: 2001, max: 2005 }), day: fc.integer({ min: 10, max: 28 }) })
    .map(({ year, day }) => `${year}-02-${day}`),
})
const records = fc.uniqueArray(record, { selector: ({ code }) => code, maxLength: 60 })

/** So many that the lists of most words have several blocks. */
const manyRecords = fc
  .array(record, { minLength: 3000, maxLength: 3000 })
  .map((entries) => entries.map((entry, number) => ({ ...entry, code: `C-${number}` })))

const word = fc.constantFrom(...vocabulary, 'plan', 'edi*', 'edif*', 'pla*', 'desconocido')
const phrase = fc.array(fc.constantFrom(...vocabulary), { minLength: 1, maxLength: 3 }).map((w) => `"${w.join(' ')}"`)
const term = fc.array(fc.oneof(word, word, phrase), { minLength: 1, maxLength: 3 }).map((words) => words.join(' '))

const request = fc.record(
  {
    code: fc.integer({ min: 1, max: 500 }).map((number) => `C-${number}`),
    municipality: fc.constantFrom(...municipalities, 'A Coruña', 'Toledo'),
    year: fc.integer({ min: 2000, max: 2005 }),
    search: term,
    limit: fc.integer({ min: 1, max: 20 }),
  },
  { requiredKeys: [] },
)
type Asked = typeof request extends fc.Arbitrary<infer T> ? T : never

// A code rarely meets another filter, so most requests go without it.
const requests = fc.array(
  fc.oneof({ weight: 1, arbitrary: request }, { weight: 4, arbitrary: request.map(({ code: _, ...rest }) => rest) }),
  { minLength: 30, maxLength: 30 },
)

for (const { name, registries, options } of [
  { name: 'a few records', registries: records, options: { numRuns: 8 } },
  // To look for the fewest of thousands that fail would take hours.
  { name: 'many records', registries: manyRecords, options: { numRuns: 1, endOnFailure: true } },
]) {
  test(`every engine answers random requests with the bytes of a plain scan of ${name}`, async () => {
    await fc.assert(
      fc.asyncProperty(registries, requests, async (entries, asked) => {
        for (const engine of engines) await compareWithScan(engine, entries, asked)
      }),
      { ...options, seed: 5 },
    )
  })
}

async function compareWithScan(
  engine: (typeof engines)[number],
  entries: TestRecord[],
  asked: readonly Asked[],
): Promise<void> {
  await using registry = await engine.createRegistry()
  await registry.publish(entries)
  const snapshot = (await registry.open()).current()
  for (const { search, ...filters } of asked) {
    const query: Query = { ...filters, ...(search === undefined ? {} : { term: analyseTerm(search) }) }
    const expected = scan(entries, query, snapshot)
    const told = `${engine.name} ${JSON.stringify({ ...filters, search })}`
    assert.equal(await read(snapshot, query), expected.map(toWire).join(','), told)
    const { limit: _, ...wanted } = query
    const summary = await snapshot.summarise(wanted)
    assert.equal(summary.total, expected.length, told)
    assert.deepEqual(summary.byYear, countYears(expected), told)
    assert.deepEqual(summary.byMunicipality, countMunicipalities(expected, snapshot), told)
  }
}

/** The whole result, and by pages where a limit is asked for. */
async function read(snapshot: Snapshot, query: Query): Promise<string> {
  if (query.limit !== undefined) {
    return (await readPages(snapshot, query, query.limit)).map(({ text }) => text).join()
  }
  return (await readAll(snapshot, query)).map(({ bytes }) => Buffer.from(bytes).toString()).join()
}

function scan(
  entries: readonly TestRecord[],
  { code, municipality, year, term }: Filters,
  snapshot: Snapshot,
): RegistryRecord[] {
  const named = municipality === undefined ? undefined : new Set(snapshot.municipalitiesNamed(municipality))
  const inTitle: RegistryRecord[] = []
  const others: RegistryRecord[] = []
  const sorted = entries.map((entry) => ({ record: toRecord(entry), content: entry.content ?? '' }))
  sorted.sort((a, b) => compareCanonically(a.record, b.record))
  for (const { record, content } of sorted) {
    if (code !== undefined && record.code !== code) continue
    if (year !== undefined && Number(record.checkinDate.slice(0, 4)) !== year) continue
    if (named !== undefined && !named.has(numberOf(record.municipality, snapshot))) continue
    const title = analyseText(record.title)
    const whole = [title, analyseText(content)]
    if (term === undefined) others.push(record)
    else if (term.clauses.length === 0) continue
    else if (term.clauses.every((clause) => holds(clause, [title]))) inTitle.push(record)
    else if (term.clauses.every((clause) => holds(clause, whole))) others.push(record)
  }
  return [...inTitle, ...others]
}

function numberOf(name: string, snapshot: Snapshot): number {
  return snapshot.municipalities.findIndex(({ keys }) => keys.includes(foldName(name)))
}

function holds(clause: Clause, texts: readonly AnalysedText[]): boolean {
  return texts.some((each) => holdsIn(clause, each))
}

function holdsIn(clause: Clause, text: AnalysedText): boolean {
  const { words, joined, extras } = text
  const all = [...words, ...joined, ...extras]
  switch (clause.kind) {
    case 'word':
      return all.some(({ stem }) => stem === clause.stem)
    case 'prefix':
      if (clause.whole !== undefined && holdsIn(clause.whole, text)) return true
      return [...words, ...joined].some(({ form }) => form.startsWith(clause.prefix))
    case 'phrase':
      if (clause.joined !== undefined && all.some(({ stem }) => stem === clause.joined)) return true
      return words.some((_, start) => clause.stems.every((stem, offset) => words[start + offset]?.stem === stem))
  }
}

function toWire(record: RegistryRecord): string {
  return JSON.stringify(toWireRecord(record))
}

/** Most records first. */
function countMunicipalities(found: readonly RegistryRecord[], snapshot: Snapshot): Summary['byMunicipality'] {
  const groups = Map.groupBy(found, (record) => numberOf(record.municipality, snapshot))
  return [...groups]
    .map(([municipality, { length: records }]) => ({ municipality, records }))
    .sort((a, b) => b.records - a.records || a.municipality - b.municipality)
}

function countYears(found: readonly RegistryRecord[]): { year: number; records: number }[] {
  const counts = new Map<number, number>()
  for (const { checkinDate } of found) {
    const year = Number(checkinDate.slice(0, 4))
    counts.set(year, (counts.get(year) ?? 0) + 1)
  }
  return [...counts].map(([year, count]) => ({ year, records: count })).sort((a, b) => a.year - b.year)
}

// Generates the records of the fictional sample registry, one at a time, oldest or newest first. Only the records of
// one day are in memory together. A record depends only on the options and on its index in order of entry, so that both
// orders have the same records.
import { compareCanonically, type RegistryRecord } from '../domain/record.ts'
import { addDays, entryDate } from './calendar.ts'
import { drawMunicipality, drawSpelling, municipalityAt, municipalityCount } from './places.ts'
import { drawPlan } from './plan.ts'
import { drawContent, drawDocument } from './prose.ts'
import { Random, toSeed } from './random.ts'

export interface SampleOptions {
  /** Number of records and of documents. */
  readonly records: number
  readonly documents: number
  readonly seed: string
  /** `canonical` (the default) is newest first, as a snapshot stores records; `entry` is oldest first. */
  readonly order?: 'canonical' | 'entry'
  /**
   * The range from which the length of each content is drawn, in words. The content has at least this length, in whole
   * sentences. `[0, 0]` for no content.
   */
  readonly contentWords?: readonly [min: number, max: number]
}

export interface SampleRecord {
  readonly record: RegistryRecord
  readonly content: string
  readonly documents: readonly SampleDocument[]
}

export interface SampleDocument {
  /** File name, unique in the sample. */
  readonly name: string
  readonly title: string
  /** The lines of each page. */
  readonly pages: readonly (readonly string[])[]
}

/** Yields `options.records` records, the same ones for the same options. */
export async function* sampleRecords(options: SampleOptions): AsyncGenerator<SampleRecord, void, undefined> {
  const seed = toSeed(options.seed)
  const random = new Random(seed, 0)
  if (options.order === 'entry') {
    const counts = new Uint32Array(municipalityCount)
    const countUp: TakeSerial = (rank) => {
      const serial = (counts[rank] ?? 0) + 1
      counts[rank] = serial
      return serial
    }
    for (let index = 0; index < options.records; index++) yield makeRecord(options, seed, random, index, countUp)
    return
  }
  // The newest record of a municipality comes first and has the highest serial number, which is the number of its
  // records. So the records of each municipality are counted beforehand.
  const counts = countRecords(options.records, seed, random)
  const countDown: TakeSerial = (rank) => {
    const serial = counts[rank] ?? 0
    counts[rank] = serial - 1
    return serial
  }
  // Indexes are in the order of dates. Within a day the canonical order is by code, so the records of a day are sorted.
  let sameDay: SampleRecord[] = []
  for (let index = options.records - 1; index >= 0; index--) {
    const sample = makeRecord(options, seed, random, index, countDown)
    const day = sameDay[0]?.record.checkinDate
    if (day !== undefined && day !== sample.record.checkinDate) {
      yield* sameDay.sort((a, b) => compareCanonically(a.record, b.record))
      sameDay = []
    }
    sameDay.push(sample)
  }
  yield* sameDay.sort((a, b) => compareCanonically(a.record, b.record))
}

/** Returns the serial number of the next record of a municipality, whose records are numbered from 1. */
type TakeSerial = (municipalityRank: number) => number

/** Returns the number of records of each municipality, by its rank in places.ts. */
function countRecords(recordCount: number, seed: number, random: Random): Uint32Array {
  const counts = new Uint32Array(municipalityCount)
  for (let index = 0; index < recordCount; index++) {
    random.reseed(seed, index)
    // This is the first draw in `makeRecord` too, so both draw the same municipality.
    const rank = drawMunicipality(random)
    counts[rank] = (counts[rank] ?? 0) + 1
  }
  return counts
}

/** Makes the record at `index` in order of entry, from 0. `random` is reseeded, so its earlier draws do not matter. */
function makeRecord(
  options: SampleOptions,
  seed: number,
  random: Random,
  index: number,
  takeSerial: TakeSerial,
): SampleRecord {
  random.reseed(seed, index)
  const rank = drawMunicipality(random)
  const { ineCode, name } = municipalityAt(rank)
  const checkinDate = entryDate(index, options.records)
  const code = toCode(ineCode, takeSerial(rank), checkinDate, index)
  const id = String(firstId + index)
  const { title, area } = drawPlan(random, Number(checkinDate.slice(0, 4)))
  // 14 % of the records have no inscription date. Those whose date would be after the end of the sample have none
  // either: `addDays` then returns null.
  const inscriptionDate = random.chance(14) ? null : addDays(checkinDate, random.between(12, 420))
  const municipality = drawSpelling(name, random)
  const address = `https://${random.pick(hosts)}/${ineCode}/${id}`
  const record: RegistryRecord = {
    code,
    id,
    registrationNumber: code.slice(code.lastIndexOf('-') + 1),
    title,
    area,
    checkinDate,
    inscriptionDate,
    municipality,
    links: `${address}/${random.pick(fileNames)}`,
    agreementLink: inscriptionDate !== null && random.chance(22) ? `${address}/acuerdo.pdf` : null,
  }
  const [wordsMin, wordsMax] = options.contentWords ?? defaultContentWords
  // The index selects the invented place of the record, which its content may name.
  const content = wordsMax === 0 ? '' : drawContent(random, random.between(wordsMin, wordsMax), index)
  return { record, content, documents: makeDocuments(options, random, record, index) }
}

const firstId = 100_001
const defaultContentWords: readonly [min: number, max: number] = [30, 250]

/**
 * Returns a unique code. Municipalities of Castilla y León (`05019-PU-20110520-202255`) and of Aragón
 * (`COT-50/2011-2255`) have codes like those of the real registries there, all others like those of the registry of
 * Valencia (`03082-1101`).
 */
function toCode(ineCode: string, serial: number, checkinDate: string, index: number): string {
  const province = ineCode.slice(0, 2)
  if (castillaLeon.has(province)) return `${ineCode}-PU-${checkinDate.replaceAll('-', '')}-${200_001 + index}`
  if (aragon.has(province)) return `COT-${province}/${checkinDate.slice(0, 4)}-${index + 1}`
  return `${ineCode}-${1000 + serial}`
}

/**
 * Makes the documents of a record. Documents are numbered from 0 and spread evenly over the records: with 40 documents
 * and 3,000 records, every 75th record has one. `index` is the index of the record in order of entry.
 */
function makeDocuments(
  options: SampleOptions,
  random: Random,
  record: RegistryRecord,
  index: number,
): SampleDocument[] {
  const documents: SampleDocument[] = []
  const firstNumber = Math.floor((index * options.documents) / options.records)
  const endNumber = Math.floor(((index + 1) * options.documents) / options.records)
  for (let number = firstNumber; number < endNumber; number++) {
    documents.push({
      name: `${String(number + 1).padStart(5, '0')}-${record.id}.pdf`,
      title: record.title,
      // The number selects the invented place that the document names, another one for each document.
      pages: drawDocument(random, record.title, record.municipality, number),
    })
  }
  return documents
}

/** The provinces of Castilla y León and of Aragón: the first two digits of the INE codes of their municipalities. */
const castillaLeon: ReadonlySet<string> = new Set(['05', '09', '24', '34', '37', '40', '42', '47', '49'])
const aragon: ReadonlySet<string> = new Set(['22', '44', '50'])

/** Domain names reserved for examples (RFC 2606). */
const hosts = ['documentos.urbanismo.example', 'planeamiento.example.org', 'archivo.territorio.example'] as const

/**
 * The ends of links, as real registries have them: file names percent-encoded in Latin-1 (`%F3`) or in UTF-8
 * (`%C3%B3`), and queries. `indice.pdf` is repeated, so that it is drawn more often than the others.
 */
const fileNames = [
  'indice.pdf',
  'indice.pdf',
  'indice.pdf',
  'memoria.pdf',
  'Ordenaci%F3n.pdf',
  'Ordenaci%C3%B3n.pdf',
  'descarga?doc=1&tipo=indice',
] as const

// The records of the sample, one at a time in flat memory: from here they go to a CSV file (command.ts), straight
// into a registry (bundled.ts), or to a test or benchmark. Each record depends on the seed and on its place in the
// book of entries alone, so that both orders give the same records.
import { compareCanonically, type RegistryRecord } from '../domain/record.ts'
import { daysLater, entryDate } from './calendar.ts'
import { drawMunicipality, municipalityAt, municipalityCount, writeName } from './places.ts'
import { drawPlan } from './plan.ts'
import { drawContent, drawDocument } from './prose.ts'
import { Chance, toSeed } from './random.ts'

export interface SampleOptions {
  readonly records: number
  readonly documents: number
  readonly seed: string
  /** `canonical`, the default, is the order that a `SnapshotWriter` takes; `entry` is that of a clerk's book. */
  readonly order?: 'canonical' | 'entry'
  /** Words of content a record, from least to most; none at all for `[0, 0]`. */
  readonly contentWords?: readonly [number, number]
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

export async function* sampleRecords(options: SampleOptions): AsyncGenerator<SampleRecord, void, undefined> {
  const seed = toSeed(options.seed)
  const chance = new Chance(seed, 0)
  if (options.order === 'entry') {
    const serials = new Uint32Array(municipalityCount)
    for (let index = 0; index < options.records; index++) yield makeRecord(options, seed, chance, index, serials, 1)
    return
  }
  // Newest first the serial numbers run backwards, so they are counted beforehand.
  const serials = countRecords(options.records, seed, chance)
  let day: SampleRecord[] = []
  for (let index = options.records - 1; index >= 0; index--) {
    const made = makeRecord(options, seed, chance, index, serials, -1)
    if (day[0] !== undefined && day[0].record.checkinDate !== made.record.checkinDate) {
      yield* day.sort((a, b) => compareCanonically(a.record, b.record))
      day = []
    }
    day.push(made)
  }
  yield* day.sort((a, b) => compareCanonically(a.record, b.record))
}

function countRecords(records: number, seed: number, chance: Chance): Uint32Array {
  const counts = new Uint32Array(municipalityCount)
  for (let index = 0; index < records; index++) {
    chance.restart(seed, index)
    const rank = drawMunicipality(chance)
    counts[rank] = (counts[rank] ?? 0) + 1
  }
  return counts
}

function makeRecord(
  options: SampleOptions,
  seed: number,
  chance: Chance,
  index: number,
  serials: Uint32Array,
  step: 1 | -1,
): SampleRecord {
  chance.restart(seed, index)
  const rank = drawMunicipality(chance)
  const serial = (serials[rank] ?? 0) + (step === 1 ? 1 : 0)
  serials[rank] = (serials[rank] ?? 0) + step

  const { ineCode, name } = municipalityAt(rank)
  const checkinDate = entryDate(index, options.records)
  const code = toCode(ineCode, serial, checkinDate, index)
  const { title, area } = drawPlan(chance, Number(checkinDate.slice(0, 4)))
  const inscriptionDate = chance.percent(14) ? null : daysLater(checkinDate, chance.between(12, 420))
  const municipality = writeName(name, chance)
  const address = `https://${chance.pick(hosts)}/${ineCode}/${index + 100_001}`
  const record: RegistryRecord = {
    code,
    id: String(index + 100_001),
    registrationNumber: code.slice(code.lastIndexOf('-') + 1),
    title,
    area,
    checkinDate,
    inscriptionDate,
    municipality,
    links: `${address}/${chance.pick(fileNames)}`,
    agreementLink: inscriptionDate !== null && chance.percent(22) ? `${address}/acuerdo.pdf` : null,
  }
  const [least, most] = options.contentWords ?? [30, 250]
  const content = most === 0 ? '' : drawContent(chance, chance.between(least, most), index)
  return { record, content, documents: makeDocuments(options, chance, record, index) }
}

/** As the registries of several communities write them: Castilla y León, Aragón, and all others as in Valencia. */
function toCode(ineCode: string, serial: number, checkinDate: string, index: number): string {
  const province = ineCode.slice(0, 2)
  if (castillaLeon.has(province)) return `${ineCode}-PU-${checkinDate.replaceAll('-', '')}-${200_001 + index}`
  if (aragon.has(province)) return `COT-${province}/${checkinDate.slice(0, 4)}-${index + 1}`
  return `${ineCode}-${1000 + serial}`
}

/** Documents are spread evenly over the records; with more documents than records some have several. */
function makeDocuments(
  options: SampleOptions,
  chance: Chance,
  record: RegistryRecord,
  index: number,
): SampleDocument[] {
  const documents: SampleDocument[] = []
  const end = Math.floor(((index + 1) * options.documents) / options.records)
  for (let number = Math.floor((index * options.documents) / options.records); number < end; number++) {
    documents.push({
      name: `${String(number + 1).padStart(5, '0')}-${record.id}.pdf`,
      title: record.title,
      pages: drawDocument(chance, record.title, record.municipality, number),
    })
  }
  return documents
}

const castillaLeon: ReadonlySet<string> = new Set(['05', '09', '24', '34', '37', '40', '42', '47', '49'])
const aragon: ReadonlySet<string> = new Set(['22', '44', '50'])

/** Names that the Internet reserves for examples (RFC 2606): nobody is ever sent to a real host. */
const hosts = ['documentos.urbanismo.example', 'planeamiento.example.org', 'archivo.territorio.example'] as const

/** Some servers of registries percent-encode in Latin-1, some in UTF-8, and some leave queries in. */
const fileNames = [
  'indice.pdf',
  'indice.pdf',
  'indice.pdf',
  'memoria.pdf',
  'Ordenaci%F3n.pdf',
  'Ordenaci%C3%B3n.pdf',
  'descarga?doc=1&tipo=indice',
] as const

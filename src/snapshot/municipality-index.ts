// Builds the municipality index of an import: which names mean the same municipality, and the records and years of
// each. A municipality has one or more spellings, such as `Alacant` and `Alicante`. Its INE code, such as 03014, is its
// number in the national list. While records are added, spellings are numbered in order of appearance; `finish` numbers
// the municipalities in the order of their names.
import { findOfficialName, type Municipality, toMunicipality } from '../domain/municipality.ts'
import type { StoredRecord } from '../domain/record.ts'
import { at, increment } from '../index/typed-array.ts'
import type { MunicipalityFacts, NameResolution } from './contract.ts'
import { Uint32List } from './uint32-list.ts'

/**
 * A name as records write it, for one municipality. A name that several municipalities share is a spelling of each of
 * them.
 */
interface Spelling {
  /** Counts the spellings of all municipalities in order of appearance, from 0. */
  readonly number: number
  readonly name: string
  /** What `toMunicipality` returned for the first record with this spelling. */
  readonly municipality: Municipality
  /** Number of records with this spelling, and the years (of `checkin_date`) of the oldest and the newest one. */
  records: number
  firstYear: number
  lastYear: number
}

/** One municipality while records are added. */
interface CollectedMunicipality {
  readonly ineCode: string | null
  /** By name. */
  readonly spellings: Map<string, Spelling>
}

/** The fields of a record that tell its municipality. */
type NamedRecord = Pick<StoredRecord, 'municipality' | 'code'>

export class MunicipalityIndex {
  /** By their keys (`toKey`). */
  readonly #collected = new Map<string, CollectedMunicipality>()
  /** Number of spellings of all municipalities. */
  #spellingCount = 0
  /** The number of the spelling of each record, by position. */
  readonly #spellingOfRecord = new Uint32List()

  /**
   * Adds a record. Records are added in the order of the snapshot, so its position is the number of records before it.
   * `year` is the year of its `checkin_date`. Returns the INE code of its municipality; null if the name is unknown or
   * ambiguous.
   */
  add(record: NamedRecord, year: number): string | null {
    const spelling = this.#findOrAddSpelling(record)
    spelling.records++
    spelling.firstYear = Math.min(spelling.firstYear, year)
    spelling.lastYear = Math.max(spelling.lastYear, year)
    this.#spellingOfRecord.push(spelling.number)
    return spelling.municipality.ineCode
  }

  /** If several municipalities share the name, the inscription code of the record tells which one is meant. */
  #findOrAddSpelling({ municipality: name, code }: NamedRecord): Spelling {
    const municipality = toMunicipality(name, code)
    const { spellings } = this.#findOrAddMunicipality(municipality)
    let spelling = spellings.get(name)
    if (spelling === undefined) {
      spelling = {
        number: this.#spellingCount++,
        name,
        municipality,
        records: 0,
        firstYear: Number.POSITIVE_INFINITY,
        lastYear: Number.NEGATIVE_INFINITY,
      }
      spellings.set(name, spelling)
    }
    return spelling
  }

  #findOrAddMunicipality(municipality: Municipality): CollectedMunicipality {
    const key = toKey(municipality)
    let collected = this.#collected.get(key)
    if (collected === undefined) {
      collected = { ineCode: municipality.ineCode, spellings: new Map() }
      this.#collected.set(key, collected)
    }
    return collected
  }

  /** The names as the records write them, for the report of an import. */
  toNameResolution(): NameResolution {
    // A set, because several municipalities may share a name, which counts once. Without an INE code, a name is in only
    // one entry of `#collected`.
    const resolved = new Set<string>()
    const unknown: { name: string; records: number }[] = []
    for (const { ineCode, spellings } of this.#collected.values()) {
      for (const { name, records } of spellings.values()) {
        if (ineCode === null) unknown.push({ name, records })
        else resolved.add(name)
      }
    }
    return { resolved: resolved.size, unknown }
  }

  /** Numbers the municipalities and groups the records by municipality. */
  finish(): GroupedRecords {
    const sorted = [...this.#collected.values()]
      .map(({ ineCode, spellings }) => ({ spellings, facts: toFacts(ineCode, [...spellings.values()]) }))
      .sort((a, b) => compareMunicipalities(a.facts, b.facts))
    const municipalityOfSpelling = new Uint32Array(this.#spellingCount)
    for (const [municipalityNumber, { spellings }] of sorted.entries()) {
      for (const spelling of spellings.values()) municipalityOfSpelling[spelling.number] = municipalityNumber
    }
    const municipalities = sorted.map(({ facts }) => facts)
    return { municipalities, ...this.#groupRecords(municipalities, municipalityOfSpelling) }
  }

  /** A counting sort of the records by municipality. `municipalityOfSpelling` has a municipality number by spelling. */
  #groupRecords(
    municipalities: readonly MunicipalityFacts[],
    municipalityOfSpelling: Uint32Array,
  ): Pick<GroupedRecords, 'municipalityOfRecord' | 'positions'> {
    // By municipality number: the index in `positions` where the position of its next record goes.
    const nextIndexes = new Uint32Array(municipalities.length)
    let recordsBefore = 0
    for (const [municipalityNumber, { records }] of municipalities.entries()) {
      nextIndexes[municipalityNumber] = recordsBefore
      recordsBefore += records
    }
    const municipalityOfRecord = new Uint32Array(this.#spellingOfRecord.length)
    const positions = new Uint32Array(this.#spellingOfRecord.length)
    let position = 0
    for (const spellingNumbers of this.#spellingOfRecord.chunks()) {
      for (const spellingNumber of spellingNumbers) {
        const municipalityNumber = at(municipalityOfSpelling, spellingNumber)
        municipalityOfRecord[position] = municipalityNumber
        // Returns the index as it was before the increment.
        const index = increment(nextIndexes, municipalityNumber)
        positions[index] = position
        position++
      }
    }
    return { municipalityOfRecord, positions }
  }
}

/**
 * If the records 0 and 2 are of Burgos, and record 1 is of Ávila, `municipalities` has Ávila (0) and Burgos (1),
 * `municipalityOfRecord` is 1, 0, 1, and `positions` is 1 (Ávila), 0, 2 (Burgos).
 */
export interface GroupedRecords {
  /** Sorted by name. The index of a municipality is its number. */
  readonly municipalities: MunicipalityFacts[]
  /** The municipality number of each record, by position. */
  readonly municipalityOfRecord: Uint32Array
  /** The positions of the records of each municipality, ascending, one municipality after the other. */
  readonly positions: Uint32Array
}

/** The INE code, such as `28079`; without one, `name ` and the folded name, such as `name villanueva`. */
function toKey({ name, ineCode, lookupKeys }: Municipality): string {
  // The first lookup key is the folded name. A name of punctuation only, such as `-`, has no lookup key.
  return ineCode ?? `name ${lookupKeys[0] ?? name}`
}

/** Adds up the spellings of one municipality. Its name is the most frequent spelling. */
function toFacts(ineCode: string | null, spellings: readonly Spelling[]): MunicipalityFacts {
  const officialName = ineCode === null ? undefined : findOfficialName(ineCode)
  const sorted = spellings.toSorted((a, b) => compareSpellings(a, b, officialName))
  const name = sorted[0]?.name ?? ''
  const allNames = sorted.flatMap((spelling) => [spelling.name, ...spelling.municipality.otherNames])
  return {
    name,
    ineCode,
    otherNames: [...new Set(allNames)].filter((other) => other !== name).sort(spanishOrder.compare),
    lookupKeys: [...new Set(sorted.flatMap(({ municipality }) => municipality.lookupKeys))].sort(),
    records: sorted.reduce((sum, { records }) => sum + records, 0),
    firstYear: sorted.reduce((first, { firstYear }) => Math.min(first, firstYear), Number.POSITIVE_INFINITY),
    lastYear: sorted.reduce((last, { lastYear }) => Math.max(last, lastYear), Number.NEGATIVE_INFINITY),
  }
}

/**
 * The most frequent spelling comes first. Of equally frequent spellings, the official name comes first. The others are
 * in the order of their character codes, so that the same records always give the same name.
 */
function compareSpellings(a: Spelling, b: Spelling, officialName: string | undefined): number {
  if (a.records !== b.records) return b.records - a.records
  if (a.name === officialName) return -1
  if (b.name === officialName) return 1
  return a.name < b.name ? -1 : 1
}

/** Orders municipalities by name, then by INE code. Of equal names, one without an INE code comes first. */
function compareMunicipalities(a: MunicipalityFacts, b: MunicipalityFacts): number {
  const byName = spanishOrder.compare(a.name, b.name)
  if (byName !== 0) return byName
  return (a.ineCode ?? '') < (b.ineCode ?? '') ? -1 : 1
}

const spanishOrder = new Intl.Collator('es')

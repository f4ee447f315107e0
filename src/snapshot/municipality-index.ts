// Builds the municipality index of an import: which names mean the same municipality, and the records and years of
// each. A municipality has one or more spellings, such as `Alacant` and `Alicante`. While records are added, spellings
// are numbered in order of appearance; `finish` numbers the municipalities by name.
import {
  findOfficialName,
  foldName,
  isAmbiguousName,
  type Municipality,
  toMunicipality,
} from '../domain/municipality.ts'
import type { StoredRecord } from '../domain/record.ts'
import { at, increment } from '../index/typed-array.ts'
import type { MunicipalityFacts, NameResolution } from './contract.ts'
import { Uint32List } from './uint32-list.ts'

/** One municipality while records are added. */
interface Entry {
  readonly ineCode: string | null
  /** Spelling number by spelling. */
  readonly spellingNumbers: Map<string, number>
}

export class MunicipalityIndex {
  /** By INE code, such as `28079`; without one, by `name ` and the folded name, such as `name villanueva`. */
  readonly #entries = new Map<string, Entry>()
  /** Facts of each spelling, by its number. Parallel arrays, because every record of an import updates them. */
  readonly #municipalities: Municipality[] = []
  readonly #recordCounts: number[] = []
  readonly #firstYears: number[] = []
  readonly #lastYears: number[] = []
  /**
   * Spelling number by the object that `toMunicipality` returned. It returns the same object while it caches it, so the
   * name is not folded again. Weak, so that objects that it no longer caches can be freed.
   */
  readonly #spellingOfMunicipality = new WeakMap<Municipality, number>()
  /** Spelling number by name, only for names that a single municipality has: these need no inscription code. */
  readonly #spellingOfName = new Map<string, number>()
  /** Spelling number by position of the record. */
  readonly #spellingOfRecord = new Uint32List()

  /** Adds the record with the next position. Returns the INE code of its municipality; null if it is unknown. */
  add(record: Pick<StoredRecord, 'municipality' | 'code'>, year: number): string | null {
    const spelling = this.#spellingOfName.get(record.municipality) ?? this.#findSpelling(record)
    this.#recordCounts[spelling] = (this.#recordCounts[spelling] as number) + 1
    this.#firstYears[spelling] = Math.min(this.#firstYears[spelling] as number, year)
    this.#lastYears[spelling] = Math.max(this.#lastYears[spelling] as number, year)
    this.#spellingOfRecord.push(spelling)
    return (this.#municipalities[spelling] as Municipality).ineCode
  }

  /** Returns a spelling number. The code tells which municipality is meant by a name that several share. */
  #findSpelling({ municipality: name, code }: Pick<StoredRecord, 'municipality' | 'code'>): number {
    const municipality = toMunicipality(name, code)
    let spelling = this.#spellingOfMunicipality.get(municipality)
    if (spelling === undefined) {
      spelling = this.#findOrAddSpelling(name, municipality)
      this.#spellingOfMunicipality.set(municipality, spelling)
    }
    if (!isAmbiguousName(name)) this.#spellingOfName.set(name, spelling)
    return spelling
  }

  /** Returns the number of a spelling, which is added if it is new. */
  #findOrAddSpelling(name: string, municipality: Municipality): number {
    const { ineCode } = municipality
    // A name of punctuation only is empty when it is folded, so it is used as written.
    const key = ineCode ?? `name ${foldName(name) || name}`
    let entry = this.#entries.get(key)
    if (entry === undefined) {
      entry = { ineCode, spellingNumbers: new Map() }
      this.#entries.set(key, entry)
    }
    let spelling = entry.spellingNumbers.get(name)
    if (spelling === undefined) {
      spelling = this.#municipalities.push(municipality) - 1
      this.#recordCounts.push(0)
      this.#firstYears.push(Number.POSITIVE_INFINITY)
      this.#lastYears.push(Number.NEGATIVE_INFINITY)
      entry.spellingNumbers.set(name, spelling)
    }
    return spelling
  }

  /** The names as the records write them, for the report of an import. */
  toNameResolution(): NameResolution {
    const resolved = new Set<string>()
    const unknown = new Map<string, number>()
    for (const { ineCode, spellingNumbers } of this.#entries.values()) {
      for (const [name, spelling] of spellingNumbers) {
        if (ineCode === null) unknown.set(name, (unknown.get(name) ?? 0) + (this.#recordCounts[spelling] as number))
        else resolved.add(name)
      }
    }
    return { resolved: resolved.size, unknown: [...unknown].map(([name, records]) => ({ name, records })) }
  }

  /** Numbers the municipalities and groups the records by municipality (a counting sort). */
  finish(): GroupedRecords {
    const sorted = [...this.#entries.values()]
      .map((entry) => ({ entry, facts: this.#toFacts(entry) }))
      .sort((a, b) => spanishOrder.compare(a.facts.name, b.facts.name) || compareCodes(a.facts, b.facts))
    const municipalityOfSpelling = new Uint32Array(this.#municipalities.length)
    // By municipality number: the index in `positions` where the position of its next record goes.
    const nextIndexes = new Uint32Array(sorted.length)
    let recordsBefore = 0
    for (const [number, { entry, facts }] of sorted.entries()) {
      for (const spelling of entry.spellingNumbers.values()) municipalityOfSpelling[spelling] = number
      nextIndexes[number] = recordsBefore
      recordsBefore += facts.records
    }
    const municipalityOfRecord = new Uint32Array(this.#spellingOfRecord.length)
    const positions = new Uint32Array(this.#spellingOfRecord.length)
    let position = 0
    for (const spellings of this.#spellingOfRecord.chunks()) {
      for (const spelling of spellings) {
        const number = at(municipalityOfSpelling, spelling)
        municipalityOfRecord[position] = number
        // `increment` returns the value before.
        positions[increment(nextIndexes, number)] = position
        position++
      }
    }
    return { municipalities: sorted.map(({ facts }) => facts), municipalityOfRecord, positions }
  }

  /** Adds up the spellings of one municipality. */
  #toFacts({ ineCode, spellingNumbers }: Entry): MunicipalityFacts {
    // The shown name is the most frequent spelling. Of equally frequent ones it is the official name, else the first by
    // alphabet, so that the same records always give the same name.
    const official = ineCode === null ? undefined : findOfficialName(ineCode)
    const spellings = Array.from(spellingNumbers, ([name, spelling]) => ({
      name,
      municipality: this.#municipalities[spelling] as Municipality,
      records: this.#recordCounts[spelling] as number,
      firstYear: this.#firstYears[spelling] as number,
      lastYear: this.#lastYears[spelling] as number,
    })).sort(
      (a, b) =>
        b.records - a.records ||
        Number(b.name === official) - Number(a.name === official) ||
        (a.name < b.name ? -1 : 1),
    )
    const name = spellings[0]?.name ?? ''
    const otherNames = spellings.flatMap((spelling) => [spelling.name, ...spelling.municipality.otherNames])
    return {
      name,
      ineCode,
      otherNames: [...new Set(otherNames)].filter((other) => other !== name).sort(spanishOrder.compare),
      lookupKeys: [...new Set(spellings.flatMap(({ municipality }) => municipality.lookupKeys))].sort(),
      records: spellings.reduce((sum, { records }) => sum + records, 0),
      firstYear: Math.min(...spellings.map(({ firstYear }) => firstYear)),
      lastYear: Math.max(...spellings.map(({ lastYear }) => lastYear)),
    }
  }
}

export interface GroupedRecords {
  /** Sorted by name. The index of a municipality is its number. */
  readonly municipalities: MunicipalityFacts[]
  /** The municipality number of each record, by position. */
  readonly municipalityOfRecord: Uint32Array
  /** The positions of the records of each municipality, ascending, one municipality after the other. */
  readonly positions: Uint32Array
}

const spanishOrder = new Intl.Collator('es')

/** Orders municipalities of the same name; one without an INE code comes first. */
function compareCodes(a: MunicipalityFacts, b: MunicipalityFacts): number {
  return (a.ineCode ?? '') < (b.ineCode ?? '') ? -1 : 1
}

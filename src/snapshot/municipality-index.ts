// Builds the municipality index of an import: which names mean the same municipality, and the records and years of
// each.
import { findNamesakes, findOfficialName, foldName, type Municipality, toMunicipality } from '../domain/municipality.ts'
import type { StoredRecord } from '../domain/record.ts'
import { at, increment } from '../index/typed-array.ts'
import type { MunicipalityFacts, MunicipalityNames } from './contract.ts'
import { Uint32List } from './uint32-list.ts'

interface Entry {
  readonly ineCode: string | null
  /** The spellings of its name, and their numbers. */
  readonly spellings: Map<string, number>
}

export class MunicipalityIndex {
  readonly #entries = new Map<string, Entry>()
  /** Facts of each spelling, by its number. Parallel arrays, because every record of an import updates them. */
  readonly #municipalities: Municipality[] = []
  readonly #records: number[] = []
  readonly #firstYears: number[] = []
  readonly #lastYears: number[] = []
  /** The number of the spelling for each object that `toMunicipality` returned. */
  readonly #spellings = new WeakMap<Municipality, number>()
  /** The number of the spelling, for names that only one municipality has. */
  readonly #byName = new Map<string, number>()
  /** The number of the spelling of each record, by position. */
  readonly #spellingOf = new Uint32List()

  /** Returns the INE code of the municipality, or null if it is unknown. */
  add(record: Pick<StoredRecord, 'municipality' | 'code'>, year: number): string | null {
    const spelling = this.#byName.get(record.municipality) ?? this.#find(record)
    this.#records[spelling] = (this.#records[spelling] as number) + 1
    this.#firstYears[spelling] = Math.min(this.#firstYears[spelling] as number, year)
    this.#lastYears[spelling] = Math.max(this.#lastYears[spelling] as number, year)
    this.#spellingOf.push(spelling)
    return (this.#municipalities[spelling] as Municipality).ineCode
  }

  #find({ municipality: name, code }: Pick<StoredRecord, 'municipality' | 'code'>): number {
    const municipality = toMunicipality(name, code)
    let spelling = this.#spellings.get(municipality)
    if (spelling === undefined) {
      spelling = this.#findOrAddSpelling(name, municipality)
      this.#spellings.set(municipality, spelling)
    }
    if (!findNamesakes(name)) this.#byName.set(name, spelling)
    return spelling
  }

  #findOrAddSpelling(name: string, municipality: Municipality): number {
    const { ineCode } = municipality
    const identity = ineCode ?? `name ${foldName(name) || name}`
    let entry = this.#entries.get(identity)
    if (entry === undefined) {
      entry = { ineCode, spellings: new Map() }
      this.#entries.set(identity, entry)
    }
    let spelling = entry.spellings.get(name)
    if (spelling === undefined) {
      spelling = this.#municipalities.push(municipality) - 1
      this.#records.push(0)
      this.#firstYears.push(9999)
      this.#lastYears.push(0)
      entry.spellings.set(name, spelling)
    }
    return spelling
  }

  /** The names as the records write them, for the report of an import. */
  names(): MunicipalityNames {
    const resolved = new Set<string>()
    const unknown = new Map<string, number>()
    for (const { ineCode, spellings } of this.#entries.values()) {
      for (const [name, spelling] of spellings) {
        if (ineCode === null) unknown.set(name, (unknown.get(name) ?? 0) + (this.#records[spelling] as number))
        else resolved.add(name)
      }
    }
    return { resolved: resolved.size, unknown: [...unknown].map(([name, records]) => ({ name, records })) }
  }

  /**
   * `municipalities` are sorted by name; their index is their number. `numbers` is the municipality number of each
   * record. `records` are the records of each municipality, ascending, one municipality after the other.
   */
  finish(): { municipalities: MunicipalityFacts[]; numbers: Uint32Array; records: Uint32Array } {
    const found = [...this.#entries.values()]
      .map((entry) => ({ entry, facts: this.#toFacts(entry) }))
      .sort((a, b) => byName.compare(a.facts.name, b.facts.name) || compareCodes(a.facts, b.facts))
    const numberPartOf = new Uint32Array(this.#municipalities.length)
    const next = new Uint32Array(found.length)
    let first = 0
    for (const [number, { entry, facts }] of found.entries()) {
      for (const spelling of entry.spellings.values()) numberPartOf[spelling] = number
      next[number] = first
      first += facts.records
    }
    const numbers = new Uint32Array(this.#spellingOf.length)
    const records = new Uint32Array(this.#spellingOf.length)
    let record = 0
    for (const spellings of this.#spellingOf.chunks()) {
      for (const spelling of spellings) {
        const number = at(numberPartOf, spelling)
        numbers[record] = number
        records[increment(next, number)] = record++
      }
    }
    return { municipalities: found.map(({ facts }) => facts), numbers, records }
  }

  #toFacts({ ineCode, spellings: numbers }: Entry): MunicipalityFacts {
    // The shown name is the most frequent spelling. Ties are broken by the official name, then by order, so that the
    // same records always give the same name.
    const official = ineCode === null ? undefined : findOfficialName(ineCode)
    const spellings = Array.from(numbers, ([name, number]) => ({
      name,
      municipality: this.#municipalities[number] as Municipality,
      records: this.#records[number] as number,
      firstYear: this.#firstYears[number] as number,
      lastYear: this.#lastYears[number] as number,
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
      otherNames: [...new Set(otherNames)].filter((other) => other !== name).sort(byName.compare),
      keys: [...new Set(spellings.flatMap(({ municipality }) => municipality.keys))].sort(),
      records: spellings.reduce((sum, { records }) => sum + records, 0),
      firstYear: Math.min(...spellings.map(({ firstYear }) => firstYear)),
      lastYear: Math.max(...spellings.map(({ lastYear }) => lastYear)),
    }
  }
}

const byName = new Intl.Collator('es')

function compareCodes(a: MunicipalityFacts, b: MunicipalityFacts): number {
  return (a.ineCode ?? '') < (b.ineCode ?? '') ? -1 : 1
}

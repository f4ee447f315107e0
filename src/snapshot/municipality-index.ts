// Collects the municipalities of the records as they pass by: which names mean the same one, and how many records
// and which years each has.
import { foldName, hasNamesakes, type Municipality, officialName, toMunicipality } from '../domain/municipality.ts'
import type { StoredRecord } from '../domain/record.ts'
import { at, increment } from '../index/varint.ts'
import type { MunicipalityFacts, MunicipalityNames } from './contract.ts'
import { NumberList } from './uint32-list.ts'

interface Entry {
  readonly ineCode: string | null
  /** By name, the numbers of its spellings. */
  readonly spellings: Map<string, number>
}

export class MunicipalityIndex {
  readonly #entries = new Map<string, Entry>()
  /** What is known of each spelling, by its number: a million records look here, so it lies close together. */
  readonly #municipalities: Municipality[] = []
  readonly #records: number[] = []
  readonly #firstYears: number[] = []
  readonly #lastYears: number[] = []
  /** The spellings of municipalities met lately. */
  readonly #spellings = new WeakMap<Municipality, number>()
  /** Where the name alone says which municipality is meant. */
  readonly #byName = new Map<string, number>()
  /** For each record the number of its spelling. */
  readonly #spellingOf = new NumberList()

  /** Returns the INE code of the municipality, null where no list knows it. */
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
      spelling = this.#spell(name, municipality)
      this.#spellings.set(municipality, spelling)
    }
    if (!hasNamesakes(name)) this.#byName.set(name, spelling)
    return spelling
  }

  #spell(name: string, municipality: Municipality): number {
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

  /** The names as they are written in the records, for the report of an import. */
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

  /** The municipalities by name, for each record the number of its own, and the records of each, ascending. */
  finish(): { municipalities: MunicipalityFacts[]; numbers: Uint32Array; records: Uint32Array } {
    const found = [...this.#entries.values()]
      .map((entry) => ({ entry, facts: this.#toFacts(entry) }))
      .sort((a, b) => byName.compare(a.facts.name, b.facts.name) || compareCodes(a.facts, b.facts))
    const numberOf = new Uint32Array(this.#municipalities.length)
    const next = new Uint32Array(found.length)
    let first = 0
    for (const [number, { entry, facts }] of found.entries()) {
      for (const spelling of entry.spellings.values()) numberOf[spelling] = number
      next[number] = first
      first += facts.records
    }
    const numbers = new Uint32Array(this.#spellingOf.count)
    const records = new Uint32Array(this.#spellingOf.count)
    let record = 0
    for (const spellings of this.#spellingOf.pieces()) {
      for (const spelling of spellings) {
        const number = at(numberOf, spelling)
        numbers[record] = number
        records[increment(next, number)] = record++
      }
    }
    return { municipalities: found.map(({ facts }) => facts), numbers, records }
  }

  #toFacts({ ineCode, spellings: numbers }: Entry): MunicipalityFacts {
    // The spelling that most records use; of equals, the official one, else the first in order: the same records give
    // the same name.
    const official = ineCode === null ? undefined : officialName(ineCode)
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

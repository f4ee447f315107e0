// Collects the municipalities of the records as they pass by: which names mean the same one, and how many records
// and which years each has.
import { foldName, hasNamesakes, type Municipality, officialName, toMunicipality } from '../../record/municipality.ts'
import type { StoredRecord } from '../../record/record.ts'
import { at, increment } from '../../search/bytes.ts'
import type { MunicipalityFacts, MunicipalityNames } from '../store.ts'
import { NumberList } from './number-list.ts'

interface Entry {
  /** In the order in which they were met. */
  readonly number: number
  readonly ineCode: string | null
  readonly spellings: Map<string, Spelling>
  records: number
  firstYear: number
  lastYear: number
}

interface Spelling {
  readonly entry: Entry
  readonly municipality: Municipality
  records: number
}

export class Gazetteer {
  readonly #entries = new Map<string, Entry>()
  /** What was found out about those met lately. */
  readonly #spellings = new WeakMap<Municipality, Spelling>()
  /** The same by name, where the name alone says which municipality is meant. */
  readonly #byName = new Map<string, Spelling>()
  /** For each record the number of its entry. */
  readonly #entryOf = new NumberList()

  add(record: StoredRecord, year: number): void {
    const spelling = this.#byName.get(record.municipality) ?? this.#find(record)
    spelling.records++
    const { entry } = spelling
    entry.records++
    entry.firstYear = Math.min(entry.firstYear, year)
    entry.lastYear = Math.max(entry.lastYear, year)
    this.#entryOf.push(entry.number)
  }

  #find({ municipality: name, code }: StoredRecord): Spelling {
    const municipality = toMunicipality(name, code)
    let spelling = this.#spellings.get(municipality)
    if (spelling === undefined) {
      spelling = this.#spell(name, municipality)
      this.#spellings.set(municipality, spelling)
    }
    if (!hasNamesakes(name)) this.#byName.set(name, spelling)
    return spelling
  }

  #spell(name: string, municipality: Municipality): Spelling {
    const { ineCode } = municipality
    const identity = ineCode ?? `name ${foldName(name) || name}`
    let entry = this.#entries.get(identity)
    if (entry === undefined) {
      const number = this.#entries.size
      entry = { number, ineCode, spellings: new Map(), records: 0, firstYear: 9999, lastYear: 0 }
      this.#entries.set(identity, entry)
    }
    let spelling = entry.spellings.get(name)
    if (spelling === undefined) {
      spelling = { entry, municipality, records: 0 }
      entry.spellings.set(name, spelling)
    }
    return spelling
  }

  /** The names as they are written in the records, for the report of an import. */
  names(): MunicipalityNames {
    const resolved = new Set<string>()
    const unknown = new Map<string, number>()
    for (const { ineCode, spellings } of this.#entries.values()) {
      for (const [name, { records }] of spellings) {
        if (ineCode === null) unknown.set(name, (unknown.get(name) ?? 0) + records)
        else resolved.add(name)
      }
    }
    return { resolved: resolved.size, unknown: [...unknown].map(([name, records]) => ({ name, records })) }
  }

  /** The municipalities by name, for each record the number of its own, and the records of each, ascending. */
  finish(): { municipalities: MunicipalityFacts[]; numbers: Uint32Array; records: Uint32Array } {
    const found = [...this.#entries.values()]
      .map((entry) => ({ entry, facts: toFacts(entry) }))
      .sort((a, b) => byName.compare(a.facts.name, b.facts.name) || compareCodes(a.facts, b.facts))
    const numberOf = new Uint32Array(found.length)
    const next = new Uint32Array(found.length)
    let first = 0
    for (const [number, { entry }] of found.entries()) {
      numberOf[entry.number] = number
      next[number] = first
      first += entry.records
    }
    const numbers = new Uint32Array(this.#entryOf.count)
    const records = new Uint32Array(this.#entryOf.count)
    let record = 0
    for (const entries of this.#entryOf.pieces()) {
      for (const entry of entries) {
        const number = at(numberOf, entry)
        numbers[record] = number
        records[increment(next, number)] = record++
      }
    }
    return { municipalities: found.map(({ facts }) => facts), numbers, records }
  }
}

const byName = new Intl.Collator('es')

function toFacts(entry: Entry): MunicipalityFacts {
  // The spelling that most records use; of equals, the official one, else the first in order: the same records give
  // the same name.
  const official = entry.ineCode === null ? undefined : officialName(entry.ineCode)
  const spellings = [...entry.spellings].sort(
    ([a, x], [b, y]) => y.records - x.records || Number(b === official) - Number(a === official) || (a < b ? -1 : 1),
  )
  const [first] = spellings
  const name = first?.[0] ?? ''
  const otherNames = spellings.flatMap(([spelling, { municipality }]) => [spelling, ...municipality.otherNames])
  return {
    name,
    ineCode: entry.ineCode,
    otherNames: [...new Set(otherNames)].filter((other) => other !== name).sort(byName.compare),
    keys: [...new Set(spellings.flatMap(([, { municipality }]) => municipality.keys))].sort(),
    records: entry.records,
    firstYear: entry.firstYear,
    lastYear: entry.lastYear,
  }
}

function compareCodes(a: MunicipalityFacts, b: MunicipalityFacts): number {
  return (a.ineCode ?? '') < (b.ineCode ?? '') ? -1 : 1
}

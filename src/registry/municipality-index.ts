// Collects the municipalities of an import: which names mean the same municipality, and the records and years of each.
// A municipality has one or more spellings, such as `Alacant` and `Alicante`. Its INE code, such as 03014, is its
// number in the national list.
import { findOfficialName, type Municipality, toMunicipality } from '../domain/municipality.ts'
import type { StoredRecord } from '../domain/record.ts'
import type { MunicipalityFacts, NameResolution } from './contract.ts'

/** A name as records write it, for one municipality. */
interface Spelling {
  readonly name: string
  /** What `toMunicipality` returned for the first record with this spelling. */
  readonly municipality: Municipality
  records: number
}

export interface CollectedMunicipality {
  /** Counts the municipalities in order of appearance, from 0. */
  readonly number: number
  /** The INE code, such as `28079`; without one, `name ` and the folded name, such as `name villanueva`. */
  readonly key: string
  readonly ineCode: string | null
  /** By name. */
  readonly spellings: Map<string, Spelling>
  /** The years (of `checkin_date`) of the oldest and the newest record. */
  firstYear: number
  lastYear: number
}

export class MunicipalityIndex {
  /** By their keys, in order of appearance. */
  readonly #collected = new Map<string, CollectedMunicipality>()

  /**
   * Adds a record of this year and returns its municipality. If several municipalities share the name, the inscription
   * code of the record tells which one is meant.
   */
  add({ municipality: name, code }: Pick<StoredRecord, 'municipality' | 'code'>, year: number): CollectedMunicipality {
    const municipality = toMunicipality(name, code)
    const collected = this.#findOrAdd(municipality, year)
    const spelling = collected.spellings.get(name) ?? { name, municipality, records: 0 }
    collected.spellings.set(name, spelling)
    spelling.records++
    collected.firstYear = Math.min(collected.firstYear, year)
    collected.lastYear = Math.max(collected.lastYear, year)
    return collected
  }

  #findOrAdd(municipality: Municipality, year: number): CollectedMunicipality {
    const key = toKey(municipality)
    let collected = this.#collected.get(key)
    if (collected === undefined) {
      const number = this.#collected.size
      const { ineCode } = municipality
      collected = { number, key, ineCode, spellings: new Map(), firstYear: year, lastYear: year }
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

  /** All municipalities, in order of appearance. */
  *toRows(): Generator<{ readonly number: number; readonly key: string } & MunicipalityFacts> {
    for (const collected of this.#collected.values()) {
      yield { number: collected.number, key: collected.key, ...toFacts(collected) }
    }
  }
}

function toKey({ name, ineCode, lookupKeys }: Municipality): string {
  // The first lookup key is the folded name. A name of punctuation only, such as `-`, has no lookup key.
  return ineCode ?? `name ${lookupKeys[0] ?? name}`
}

/** Adds up the spellings of one municipality. Its name is the most frequent spelling. */
function toFacts({ ineCode, spellings, firstYear, lastYear }: CollectedMunicipality): MunicipalityFacts {
  const officialName = ineCode === null ? undefined : findOfficialName(ineCode)
  const sorted = [...spellings.values()].sort((a, b) => compareSpellings(a, b, officialName))
  const name = sorted[0]?.name ?? ''
  const allNames = sorted.flatMap((spelling) => [spelling.name, ...spelling.municipality.otherNames])
  return {
    name,
    ineCode,
    otherNames: [...new Set(allNames)].filter((other) => other !== name).sort(spanishOrder.compare),
    lookupKeys: [...new Set(sorted.flatMap(({ municipality }) => municipality.lookupKeys))].sort(),
    records: sorted.reduce((sum, { records }) => sum + records, 0),
    firstYear,
    lastYear,
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
export function compareMunicipalities(a: Municipality, b: Municipality): number {
  const byName = spanishOrder.compare(a.name, b.name)
  if (byName !== 0) return byName
  return (a.ineCode ?? '') < (b.ineCode ?? '') ? -1 : 1
}

const spanishOrder = new Intl.Collator('es')

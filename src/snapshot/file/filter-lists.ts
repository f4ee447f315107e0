// Writes the posting lists of filters (the positions of the records of a province, an autonomous community, or with a
// registration number or an id). The builder calls it after the records and their words are written.
import type { DatabaseSync } from 'node:sqlite'
import { foldValue, isSearchable } from '../../domain/exact-value.ts'
import { provinceOf } from '../../domain/province.ts'
import { termKinds } from '../../index/posting-list.ts'
import type { PostingWriter } from '../../index/posting-writer.ts'
import type { MunicipalityFacts } from '../contract.ts'
import { Uint32List } from '../uint32-list.ts'

/** Writes a posting list without word positions. `positions` are those of its records, ascending. */
export function writePostingList(postings: PostingWriter, term: string, positions: Iterable<number>): void {
  postings.begin({ withPositions: false })
  for (const position of positions) postings.add(position)
  postings.end(term)
}

/**
 * Writes the posting lists of provinces and communities. `municipalityOfRecord` has the municipality number of each
 * record, by position.
 */
export function writeProvinceAndCommunityLists(
  postings: PostingWriter,
  municipalities: readonly MunicipalityFacts[],
  municipalityOfRecord: Uint32Array,
): void {
  const lists = new Map<string, Uint32List>()
  /** By municipality number: the lists of its province and of its community; none if its name is unknown. */
  const listsOfMunicipality = municipalities.map(({ ineCode }) => {
    const province = provinceOf(ineCode ?? '')
    if (province === undefined) return []
    const terms = [termKinds.province + province.code, termKinds.community + province.community.code]
    return terms.map((term) => {
      const list = lists.get(term) ?? new Uint32List()
      lists.set(term, list)
      return list
    })
  })
  for (const [position, municipality] of municipalityOfRecord.entries()) {
    for (const list of listsOfMunicipality[municipality] ?? []) list.push(position)
  }
  for (const [term, list] of lists) writePostingList(postings, term, iterate(list))
}

function* iterate(list: Uint32List): Generator<number, void, undefined> {
  for (const chunk of list.chunks()) yield* chunk
}

/**
 * Writes the posting lists of ids and registration numbers. SQLite sorts the values, because there may be too many for
 * the memory. A value that no request can contain (`isSearchable`) has no list.
 */
export function writeExactValueLists(database: DatabaseSync, postings: PostingWriter): void {
  database.function('fold_value', { deterministic: true }, (value) => {
    const folded = foldValue(String(value))
    return isSearchable(folded) ? folded : null
  })
  for (const [kind, field] of [
    [termKinds.id, 'id'],
    [termKinds.registrationNumber, 'registration_number'],
  ] as const) {
    const rows = database
      .prepare(`SELECT fold_value(json_extract(wire, '$.${field}')) AS value, position FROM record ORDER BY 1, 2`)
      .iterate() as Iterable<{ readonly value: string | null; readonly position: number }>
    // Rows with the same value follow each other and make one list.
    let current: string | undefined
    for (const { value, position } of rows) {
      if (value === null) continue
      if (value !== current) {
        if (current !== undefined) postings.end(kind + current)
        postings.begin({ withPositions: false })
        current = value
      }
      postings.add(position)
    }
    if (current !== undefined) postings.end(kind + current)
  }
}

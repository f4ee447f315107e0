// Writes the posting lists of filters: the positions of the records in a province or an autonomous community, or with
// a registration number or an id. builder.ts calls these functions after the records and their words are written. It
// writes the posting lists of municipalities itself, with `writePostingList`.
import type { DatabaseSync } from 'node:sqlite'
import { foldValue, isSearchable } from '../../domain/exact-value.ts'
import { provinceOf } from '../../domain/province.ts'
import { type TermKind, termKinds } from '../../index/posting-list.ts'
import type { PostingWriter } from '../../index/posting-writer.ts'
import type { MunicipalityFacts } from '../contract.ts'
import { Uint32List } from '../uint32-list.ts'

/**
 * Writes a posting list without word positions. `term` is its key in the index, such as `v46` for the province 46.
 * `positions` are the positions of its records (their indexes in the snapshot), ascending.
 */
export function writePostingList(postings: PostingWriter, term: string, positions: Iterable<number>): void {
  postings.begin({ withPositions: false })
  for (const position of positions) postings.add(position)
  postings.end(term)
}

/**
 * Writes the posting lists of provinces and communities. `municipalityOfRecord` has the municipality number of each
 * record, by position; the number is an index of `municipalities`.
 */
export function writeProvinceAndCommunityLists(
  postings: PostingWriter,
  municipalities: readonly MunicipalityFacts[],
  municipalityOfRecord: Uint32Array,
): void {
  /** The positions of the records, by term. */
  const lists = new Map<string, Uint32List>()
  const findOrAddList = (term: string): Uint32List => {
    const list = lists.get(term) ?? new Uint32List()
    lists.set(term, list)
    return list
  }
  /** By municipality number: the lists that its records belong to. */
  const listsOfMunicipality = municipalities.map(({ ineCode }) =>
    toProvinceAndCommunityTerms(ineCode).map(findOrAddList),
  )
  for (const [position, municipalityNumber] of municipalityOfRecord.entries()) {
    for (const list of listsOfMunicipality[municipalityNumber] ?? []) list.push(position)
  }
  for (const [term, list] of lists) writePostingList(postings, term, iterate(list))
}

/** The keys `v46` and `c10` for the INE code `46250`; none for null, which means that the municipality is unknown. */
function toProvinceAndCommunityTerms(ineCode: string | null): string[] {
  const province = provinceOf(ineCode ?? '')
  if (province === undefined) return []
  return [termKinds.province + province.code, termKinds.community + province.community.code]
}

function* iterate(list: Uint32List): Generator<number, void, undefined> {
  for (const chunk of list.chunks()) yield* chunk
}

/** Writes the posting lists of ids and registration numbers, which a filter compares as whole values. */
export function writeExactValueLists(database: DatabaseSync, postings: PostingWriter): void {
  // A value that no request can contain, such as an empty one, gets no list.
  database.function('fold_value', { deterministic: true }, (value) => {
    const folded = value === null ? '' : foldValue(String(value))
    return isSearchable(folded) ? folded : null
  })
  writeValueLists(database, postings, `fold_value(wire ->> 'id')`, termKinds.id)
  writeValueLists(database, postings, `fold_value(wire ->> 'registration_number')`, termKinds.registrationNumber)
}

/** Writes a posting list for each value of an SQL expression over the table `record`. Null values get no list. */
function writeValueLists(database: DatabaseSync, postings: PostingWriter, expression: string, kind: TermKind): void {
  // SQLite sorts the values, because there may be too many for the memory.
  const rows = database
    .prepare(`SELECT ${expression} AS value, position FROM record ORDER BY 1, 2`)
    .iterate() as Iterable<{ readonly value: string | null; readonly position: number }>
  // Rows with the same value follow each other and make one list, which ends when another value comes.
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

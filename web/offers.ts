// What else a search term may mean: a place inside it, a registration number or an identifier. The page offers these
// searches beside the plain one, with their counts.
import type { PageRegistry } from '../src/api/page-renderer.ts'
import { findPlaces, type Place, type PlaceIndex } from './place-index.ts'
import type { Offer } from './search-result.ts'
import { type Search, toFilters } from './search-url.ts'

/** More readings are not tried, because each takes a search that counts its records. */
const offersMax = 4

/** The other readings of the words, without those that match no record or could not be counted. */
export async function findOffers(registry: PageRegistry, search: Search, index: PlaceIndex): Promise<Offer[]> {
  const changes = [...toPlaceChanges(search, index), ...toNumberChanges(search)].slice(0, offersMax)
  const offers = await Promise.all(
    changes.map(async (change): Promise<Offer> => {
      const summary = await registry.count(toFilters({ ...search, ...change }))
      return { change, records: summary?.total ?? 0 }
    }),
  )
  return offers.filter(({ records }) => records > 0)
}

/** The changes that search in a place which the words name; none if the search already has a place. */
function toPlaceChanges(search: Search, index: PlaceIndex): Partial<Search>[] {
  const hasPlace = [search.municipality, search.province, search.community].some((name) => name !== '')
  if (hasPlace) return []
  return findPlaces(search.words, index).map(({ place, otherWords }) => ({
    words: otherWords,
    ...toPlaceFilters(place),
  }))
}

/** The filters for the place. Namesakes are told apart by their province. */
function toPlaceFilters({ kind, name, code, hasNamesake }: Place): Pick<Search, 'municipality' | 'province'> {
  if (kind === 'province') return { municipality: '', province: code ?? name }
  return { municipality: name, province: hasNamesake && code !== null ? code.slice(0, 2) : '' }
}

/** Letters, digits and `./_-`, at least one of them a digit: `2019/0042`, `PL-17`. */
const wordWithDigit = /^[\p{L}\p{N}./_-]*\p{N}[\p{L}\p{N}./_-]*$/u

/**
 * The changes that search for the term as a registration number or as an identifier; none unless it is one word with a
 * digit.
 */
function toNumberChanges({ words }: Search): Partial<Search>[] {
  if (!wordWithDigit.test(words)) return []
  return [
    { words: '', registrationNumber: words },
    { words: '', id: words },
  ]
}

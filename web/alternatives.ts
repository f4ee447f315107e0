// Finds what the page offers if a search matches nothing: the same search without one filter (or pair of filters), or
// without one word, if any record matches that.
import type { Problem } from '../src/problems.ts'
import type { Summary } from '../src/registry/contract.ts'
import type { Alternative } from './search-result.ts'
import { hasPeriod, isUnfiltered, otherFiltersOf, type Search } from './search-url.ts'

/** Counts the records of a search; null if they could not be counted. */
export type CountRecords = (search: Search) => Promise<Summary | null>

/** An alternative whose records are not counted yet. */
type Relaxation = Omit<Alternative, 'records'>

/** Of a long term, only this many words are left out in turn, because each search without a word takes a request. */
const wordsTriedMax = 6
/** How many searches without one word are offered at most. */
const wordsOfferedMax = 3

/** The relaxed searches that match at least one record, with their counts. */
export async function findAlternatives(count: CountRecords, search: Search, problem: Problem): Promise<Alternative[]> {
  // If the service suggests terms, it has also tried to leave words out, so that is not tried here.
  const isTermSuggested = problem.parameter === 'search' && problem.suggestions.length > 0
  const relaxations = [...relaxFilters(search), ...(isTermSuggested ? [] : relaxWords(search))]
  const counted = await Promise.all(
    relaxations
      // A search without any filter matches everything. The page always offers it, so it is not counted.
      .filter(({ change }) => !isUnfiltered({ ...search, ...change }))
      .map(async (relaxation): Promise<Alternative> => {
        const summary = await count({ ...search, ...relaxation.change })
        return { ...relaxation, records: summary?.total ?? 0 }
      }),
  )
  const matching = counted.filter(({ records }) => records > 0)
  const withoutFilter = matching.filter(({ omittedWord }) => omittedWord === null)
  // The search that matches the fewest records is the closest to the original one.
  const withoutWord = matching
    .filter(({ omittedWord }) => omittedWord !== null)
    .sort((a, b) => a.records - b.records)
    .slice(0, wordsOfferedMax)
  return [...withoutWord, ...withoutFilter]
}

/**
 * One relaxation for each filter that is set. Two filters of one kind have one for both: province and community, and
 * the two numbers of a record.
 */
function relaxFilters(search: Search): Relaxation[] {
  const { words, municipality, province, community, registrationNumber, id } = search
  const changes: Partial<Search>[] = []
  if (hasPeriod(search)) changes.push({ from: '', to: '' })
  if (municipality !== '') changes.push({ municipality: '' })
  if (province !== '' || community !== '') changes.push({ province: '', community: '' })
  if (registrationNumber !== '' || id !== '') changes.push({ registrationNumber: '', id: '' })
  for (const name of otherFiltersOf(search)) changes.push({ [name]: '' })
  if (words !== '') changes.push({ words: '' })
  return changes.map((change) => ({ change, omittedWord: null }))
}

/** One relaxation for each of the first words; none if the term has only one word, or has a phrase. */
function relaxWords({ words: term }: Search): Relaxation[] {
  const hasPhrase = /["“”«»]/.test(term)
  const words = term.split(/\s+/).filter((word) => word !== '')
  if (hasPhrase || words.length < 2) return []
  return words.slice(0, wordsTriedMax).map((omittedWord, omittedIndex) => ({
    change: { words: words.filter((_, index) => index !== omittedIndex).join(' ') },
    omittedWord,
  }))
}

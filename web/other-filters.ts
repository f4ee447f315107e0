// The filters for which the form has no field and spanish.ts no text: the page keeps them in its addresses, and
// describes them as the table of parameters does.
import { type Filter, type FilterName, filterNames, filters } from '../src/domain/parameters.ts'

/** The filters that the page describes itself. */
const ownFilters = [
  'cod_archivo',
  'municipality',
  'province',
  'community',
  'checkin_date',
  'checkin_from',
  'checkin_to',
  'registration_number',
  'id',
  'search',
] as const

export type OtherFilterName = Exclude<FilterName, (typeof ownFilters)[number]>

/** The words for each filter with a value, as in the table. */
export const otherFilters: Readonly<Record<OtherFilterName, Pick<Filter, 'words' | 'choices'>>> = Object.fromEntries(
  filterNames
    .filter((name) => !ownFilters.some((own) => own === name))
    .map((name) => [name, { words: filters[name].words, choices: filters[name].choices }]),
) as Readonly<Record<OtherFilterName, Pick<Filter, 'words' | 'choices'>>>

// The counts by the values of the office's own columns: for each column a list of links, each of which limits the search
// to one value, or removes that limit.

import { foldFieldValue } from '../src/domain/own-fields.ts'
import { CountTable } from './count-table.tsx'
import { ChevronIcon } from './icons.tsx'
import type { JSX } from './jsx-runtime.ts'
import type { FieldCounts } from './search-result.ts'
import type { Search } from './search-url.ts'
import { useLocale, useUrls } from './site-context.ts'

export interface FieldPanelsProps {
  readonly search: Search
  readonly counts: readonly FieldCounts[]
}

/** A column with more values than this shows its first ones and folds the others. */
const visibleValues = 8
/** Of many columns, only the first ones and the chosen ones are open. */
const openPanels = 3

export function FieldPanels({ search, counts }: FieldPanelsProps): JSX.Element {
  return (
    <>
      {counts.map((field, index) => (
        <FieldPanel key={field.parameter} search={search} field={field} isOpen={index < openPanels} />
      ))}
    </>
  )
}

interface FieldPanelProps {
  readonly search: Search
  readonly field: FieldCounts
  readonly isOpen: boolean
}

function FieldPanel({ search, field: { parameter, label, values }, isOpen }: FieldPanelProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const urls = useUrls()
  const chosen = foldFieldValue(search[parameter] ?? '')
  return (
    <details class="panel field-panel" id={parameter.replace('.', '-')} open={isOpen || chosen !== ''}>
      <summary>
        <h2>{label}</h2>
        <ChevronIcon />
      </summary>
      <CountTable
        id={`${parameter.replace('.', '-')}-more`}
        summary={strings.showMoreRows(formatNumber(values.length - visibleValues))}
        heading={label}
        caption={label}
        visibleRows={values.length > visibleValues + 2 ? visibleValues : values.length}
        rows={values.map(({ value, records }) => {
          const isChosen = foldFieldValue(value) === chosen
          return {
            label: value,
            records,
            isChosen,
            href: urls.search({ ...search, [parameter]: isChosen ? '' : value }),
          }
        })}
      />
    </details>
  )
}

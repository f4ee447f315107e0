// The counts of a chart as a table, an alternative for users who cannot see the chart. Clicking a row chooses it.
import type { JSX } from 'preact'
import { useState } from 'preact/hooks'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './locale-context.ts'

export interface CountTableProps {
  readonly heading: string
  readonly caption: string
  readonly rows: readonly CountRow[]
  readonly onChoose: (key: string) => void
}

export interface CountRow {
  readonly key: string
  readonly label: string
  readonly records: number
  readonly isChosen: boolean
}

/** Spain has eight thousand municipalities; the other rows are rendered on demand. */
const initialRows = 100

export function CountTable({ heading, caption, rows, onChoose }: CountTableProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const [isOpen, setOpen] = useState(false)
  const [isComplete, setComplete] = useState(false)
  const shownRows = isComplete ? rows : rows.slice(0, initialRows)
  const hiddenCount = rows.length - shownRows.length
  return (
    <details class="count-table" onToggle={(event) => setOpen(event.currentTarget.open)}>
      <summary>
        {strings.showTable}
        <ChevronIcon />
      </summary>
      {isOpen && (
        <div class="table">
          <table>
            <caption class="visually-hidden">{caption}</caption>
            <thead>
              <tr>
                <th scope="col">{heading}</th>
                <th scope="col">{strings.tableRecords}</th>
              </tr>
            </thead>
            <tbody>
              {shownRows.map(({ key, label, records, isChosen }) => (
                <tr key={key} class={isChosen ? 'chosen' : undefined}>
                  <th scope="row">
                    <button type="button" aria-pressed={isChosen} onClick={() => onChoose(key)}>
                      {label}
                    </button>
                  </th>
                  <td>{formatNumber(records)}</td>
                </tr>
              ))}
            </tbody>
          </table>
          {hiddenCount > 0 && (
            <button type="button" class="quiet" onClick={() => setComplete(true)}>
              {strings.showMoreRows(hiddenCount, formatNumber(hiddenCount))}
            </button>
          )}
        </div>
      )}
    </details>
  )
}

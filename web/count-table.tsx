// The counts of a chart as a table of links, an alternative for users who cannot see or hit the chart.
import type { JSX } from 'preact'
import { FilterLink } from './filter-link.tsx'
import { ChevronIcon } from './icons.tsx'
import { useLocale } from './site-context.ts'

export interface CountTableProps {
  /** The text that opens the rows that are not visible at once. */
  readonly summary: string
  /** The heading of the first column. */
  readonly heading: string
  /** What the table shows, for screen readers. */
  readonly caption: string
  /** How many of the first rows are always visible. */
  readonly visibleRows: number
  readonly rows: readonly CountRow[]
}

export interface CountRow {
  readonly key: string
  readonly label: string
  readonly records: number
  readonly isChosen: boolean
  readonly href: string
  readonly onFollow: () => void
}

export function CountTable(props: CountTableProps): JSX.Element {
  const { summary, rows, visibleRows, ...table } = props
  const visible = rows.slice(0, visibleRows)
  const folded = rows.slice(visibleRows)
  return (
    <div class="count-table">
      {visible.length > 0 && <Table {...table} rows={visible} />}
      {folded.length > 0 && (
        <details>
          <summary>
            {summary}
            <ChevronIcon />
          </summary>
          <div class="table">
            <Table {...table} rows={folded} />
          </div>
        </details>
      )}
    </div>
  )
}

type TableProps = Pick<CountTableProps, 'heading' | 'caption' | 'rows'>

function Table({ heading, caption, rows }: TableProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  return (
    <table>
      <caption class="visually-hidden">{caption}</caption>
      <thead>
        <tr>
          <th scope="col">{heading}</th>
          <th scope="col">{strings.tableRecords}</th>
        </tr>
      </thead>
      <tbody>
        {rows.map(({ key, label, records, isChosen, href, onFollow }) => (
          <tr key={key} class={isChosen ? 'chosen' : undefined}>
            <th scope="row">
              <FilterLink href={href} onFollow={onFollow} isCurrent={isChosen}>
                {label}
              </FilterLink>
            </th>
            <td>{formatNumber(records)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// The counts of a chart or map as a table of links, for users who cannot see it or click on its small parts.

import { ChevronIcon } from './icons.tsx'
import type { JSX } from './jsx-runtime.ts'
import { useLocale } from './site-context.ts'

export interface CountTableProps {
  readonly id: string
  /** The text that is clicked to show the other rows. */
  readonly summary: string
  /** The heading of the first column. */
  readonly heading: string
  /** What the table shows, for screen readers. */
  readonly caption: string
  /** How many rows are always visible; a click shows the others. */
  readonly visibleRows: number
  readonly rows: readonly CountRow[]
}

export interface CountRow {
  readonly label: string
  readonly records: number
  /** Whether the search is limited to the row, or to a range that includes it. */
  readonly isChosen: boolean
  /** The address of the search that is limited to the row. */
  readonly href: string
}

export function CountTable({ id, summary, heading, caption, visibleRows, rows }: CountTableProps): JSX.Element {
  const visible = rows.slice(0, visibleRows)
  const collapsed = rows.slice(visibleRows)
  return (
    <div class="count-table">
      {visible.length > 0 && <Table heading={heading} caption={caption} rows={visible} />}
      {collapsed.length > 0 && (
        <details id={id}>
          <summary>
            {summary}
            <ChevronIcon />
          </summary>
          <div class="table">
            <Table heading={heading} caption={caption} rows={collapsed} />
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
        {rows.map(({ label, records, isChosen, href }) => (
          <tr key={label} class={isChosen ? 'chosen' : undefined}>
            <th scope="row">
              <a href={href} aria-current={isChosen ? 'true' : undefined}>
                {label}
              </a>
            </th>
            <td>{formatNumber(records)}</td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

// Writes the tables of documents that follow from tables of the code. `npm run format` runs it, and a test compares.
import { readFileSync, writeFileSync } from 'node:fs'
import { changesParameters, conditionParameters, recordParameters } from '../src/api/parameters.ts'
import { settings } from '../src/cli/commands.ts'
import type { CommandName, Setting } from '../src/cli/setting.ts'
import { type ParameterName, toParameter } from '../src/domain/parameters.ts'
import { columnRules, columns, listedHeadings } from '../src/import/rows/columns.ts'

/** The first table below a heading of a document. */
interface Table {
  readonly document: string
  readonly heading: string
  readonly columns: readonly string[]
  readonly rows: readonly (readonly string[])[]
}

const tables: readonly Table[] = [
  toParameterTable('## record', 'searchRecords', recordParameters),
  // `changes` also takes the filters of `record`.
  toParameterTable(
    '## changes',
    'listChanges',
    changesParameters.filter((name) => !conditionParameters.includes(name)),
  ),
  toSettingTable('### Several commands', ({ commands }) => commands.length > 1),
  ...(['serve', 'import', 'check', 'sample', 'search'] as const).map((command: CommandName) =>
    toSettingTable(`### \`${command}\``, ({ commands }) => commands.length === 1 && commands[0] === command),
  ),
  {
    document: 'docs/import.md',
    heading: '## Columns',
    columns: ['column', 'required', 'at most', 'rule'],
    rows: columns.map((column) => {
      const { isRequired, charactersMax, meaning } = columnRules[column]
      return [`\`${column}\``, isRequired ? 'yes' : 'no', charactersMax.toLocaleString('en'), meaning]
    }),
  },
  {
    document: 'docs/import.md',
    heading: '### Recognised headings',
    columns: ['column', 'headings'],
    rows: columns
      .map((column) => [`\`${column}\``, listedHeadings(column).join(', ')])
      .filter(([, headings]) => headings !== ''),
  },
]

function toParameterTable(heading: string, operationId: string, names: readonly ParameterName[]): Table {
  const rows = names.map((name) => [`\`${name}\``, toParameter(operationId, name).meaning.en])
  return { document: 'docs/api.md', heading, columns: ['parameter', 'meaning'], rows }
}

function toSettingTable(heading: string, isIncluded: (setting: Setting) => boolean): Table {
  const columns = ['flag', 'variable', 'default', 'commands', 'meaning']
  const rows = settings
    .filter(isIncluded)
    .map(({ flag, placeholder, variable, default: defaultValue, commands, meaning }) => [
      `\`--${flag}${placeholder === undefined ? '' : ` ${placeholder.en}`}\``,
      variable === undefined ? '–' : `\`${variable}\``,
      defaultValue === undefined ? '–' : `\`${defaultValue}\``,
      commands.join(', '),
      meaning.en,
    ])
  return { document: 'docs/settings.md', heading, columns, rows }
}

/** The documents that have such tables. */
export const documentsWithTables: readonly string[] = [...new Set(tables.map(({ document }) => document))]

/** The text of the document with its tables as they should be. */
export function withTables(document: string, text: string): string {
  return tables
    .filter((table) => table.document === document)
    .reduce((written, { heading, columns, rows }) => {
      const toLine = (cells: readonly string[]): string => `| ${cells.map(escapeCell).join(' | ')} |`
      const lines = [columns, columns.map(() => '---'), ...rows].map(toLine)
      const [section, ...more] = written.split(`\n${heading}\n`).slice(1)
      if (section === undefined || more.length > 0) throw new Error(`${document} must have ${heading} once`)
      return written.replace(section, () => section.replace(/^(?:\|.*\n)+/m, () => `${lines.join('\n')}\n`))
    }, text)
}

/** A bar would end the cell, and `<` begin HTML. */
function escapeCell(cell: string): string {
  return cell.replaceAll(/[|<]/g, '\\$&')
}

if (import.meta.main) {
  for (const document of documentsWithTables) {
    writeFileSync(document, withTables(document, readFileSync(document, 'utf8')))
  }
}

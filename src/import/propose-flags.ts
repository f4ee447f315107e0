// Proposes the flags with which a source could be imported, for `--inspect` and for an import whose source lacks
// columns. The proposed mapping (which heading each column is read from) and code pattern (the form of the codes) are
// tried on the source first: only then is it known how many rows have duplicate codes or would still be rejected, and
// whether the flags help at all.
import { foldCode, toCodeFormat } from '../domain/inscription-code.ts'
import { t, toCount, toQuantity, translate } from '../language.ts'
import { describeDuplicateRows } from './duplicates.ts'
import type { Column } from './rows/columns.ts'
import { type Mapping, toFormJson, type ValueForm } from './rows/mapping.ts'
import { isRowFault, newRepairCounts, normaliseRow, type RowRules, toRowRules } from './rows/normalise.ts'
import { toReasons } from './rows/row-fault.ts'
import { openSource, type SourceOptions } from './sources/open.ts'

/** Rows that are tried. If a source has as many or more, `--max-rejects` is not proposed: it might be too low. */
const triedRowsMax = 200_000
/** Width of the column of counts, in characters. */
const countWidth = 9
/** Stands for the name of the municipality, which the user has to give. */
const placeholder = 'YOUR MUNICIPALITY'

export interface Proposal {
  /** The headings to add to the mapping, by column. */
  readonly headings: ReadonlyMap<Column, string>
  /** Whether the source has no column for the municipality, probably because all its records are of the same one. */
  readonly needsMunicipality: boolean
  /** Undefined if the codes have the expected form, or if no pattern can be proposed. */
  readonly codePattern: string | undefined
}

/**
 * Reads the source again. Returns lines of text with the flags; none if no flag is needed, or if every row would still
 * be rejected. `options` and `rules` are those of the inspection. The proposed `--mapping` also contains
 * `options.mapping`; if the proposed mapping has been saved in a file, it names the file, `mappingPath`.
 */
export async function proposeFlags(
  name: string,
  options: SourceOptions,
  rules: RowRules,
  { headings, needsMunicipality, codePattern }: Proposal,
  mappingPath?: string,
): Promise<string[]> {
  const addedForms = new Map<Column, ValueForm>()
  for (const [column, heading] of headings) addedForms.set(column, { kind: 'heading', heading })
  if (needsMunicipality) addedForms.set('municipality', { kind: 'value', value: translate(placeholder) })
  const mapping: Mapping = new Map([...options.mapping, ...addedForms])
  const codeOptions = codePattern === undefined ? {} : { isCode: toCodeFormat(codePattern).isCode }
  const triedRules = codePattern === undefined ? rules : toRowRules({ ...rules, codePattern })
  const trial = await tryRows(name, { ...options, ...codeOptions, mapping }, triedRules)
  const { rows, duplicates, duplicatesWithOtherTitle } = trial
  // Merging duplicates with another title would lose records (`describeDuplicateRows`), so `--duplicates merge` is not
  // proposed, and an import rejects all duplicates.
  const canMerge = duplicates > 0 && duplicatesWithOtherTitle === 0
  const rejected = trial.rejected + (canMerge ? 0 : duplicates)
  const reasons = new Map(trial.reasons)
  if (rejected > trial.rejected) reasons.set(`code: ${t`duplicate code`}`, duplicates)
  if (rejected === rows) return []
  const flags: string[] = []
  if (addedForms.size > 0) {
    const forms = Object.fromEntries([...mapping].map(([column, form]) => [column, toFormJson(form)]))
    flags.push(`--mapping ${quoteForShell(mappingPath ?? JSON.stringify(forms))}`)
  }
  if (codePattern !== undefined) flags.push(`--code-pattern ${quoteForShell(codePattern)}`)
  if (canMerge) flags.push('--duplicates merge')
  if (rejected > 0 && rows < triedRowsMax) flags.push(`--max-rejects ${rejected}`)
  if (flags.length === 0) return []
  return [
    '',
    t`to import it, add these flags:`,
    `  ${flags.join(' ')}`,
    ...(needsMunicipality ? [`  ${describeMunicipality(mappingPath)}`] : []),
    ...(duplicates > 0 ? [`  ${describeDuplicateRows(duplicates, duplicatesWithOtherTitle)}`] : []),
    ...(rejected > 0 ? [`  ${t`${toQuantity(rejected, 'row')} would still be rejected`}`] : []),
    ...[...reasons].map(([reason, count]) => `    ${toCount(count).padStart(countWidth)}   ${reason}`),
  ]
}

/** Says where the user gives the municipality of all records. */
function describeMunicipality(mappingPath: string | undefined): string {
  return mappingPath === undefined
    ? t`replace ${translate(placeholder)} with the name of the municipality`
    : t`first add the municipality to ${mappingPath}`
}

/** What became of the rows of a source when they were read with the proposed flags. */
interface Trial {
  /** Number of all rows that were read. */
  readonly rows: number
  readonly rejected: number
  /** Number of rejected rows by reason. A row with several reasons counts under each. */
  readonly reasons: ReadonlyMap<string, number>
  /** Number of accepted rows with the code of an earlier accepted row. */
  readonly duplicates: number
  /** Number of those that have another title than the first row with their code. */
  readonly duplicatesWithOtherTitle: number
}

/** Reads the rows, up to the batch that reaches `triedRowsMax`, as an import with these options would. */
async function tryRows(name: string, options: SourceOptions, rules: RowRules): Promise<Trial> {
  // If a column is missing in spite of the proposal, every row is rejected, and no flags are shown.
  const source = await openSource(name, { ...options, mayLackColumns: true })
  /** The title of the first row with each code. */
  const titles = new Map<string, string>()
  const reasons = new Map<string, number>()
  let rows = 0
  let rejected = 0
  let duplicates = 0
  let duplicatesWithOtherTitle = 0
  try {
    for await (const batch of source.rows()) {
      for (const row of batch) {
        rows += 1
        // The counts of repairs are not used here.
        const outcome = normaliseRow(row, source.layout, newRepairCounts(), rules)
        if (isRowFault(outcome)) {
          rejected += 1
          for (const reason of toReasons(outcome)) reasons.set(reason, (reasons.get(reason) ?? 0) + 1)
        } else {
          const code = foldCode(outcome.record.code)
          const firstTitle = titles.get(code)
          if (firstTitle === undefined) titles.set(code, outcome.record.title)
          else {
            duplicates += 1
            if (firstTitle !== outcome.record.title) duplicatesWithOtherTitle += 1
          }
        }
      }
      if (rows >= triedRowsMax) break
    }
    return { rows, rejected, reasons, duplicates, duplicatesWithOtherTitle }
  } finally {
    await source.close()
  }
}

/** Returns the text as one word of a shell: `'it'\''s'` for `it's`. A name such as `a.csv` needs no quotes. */
export function quoteForShell(text: string): string {
  if (/^[\p{L}\d_./-]+$/u.test(text)) return text
  return `'${text.replaceAll("'", "'\\''")}'`
}

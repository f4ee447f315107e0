// `import --inspect FILE`: shows what an import would understand of a source, and proposes flags and a mapping (which
// heading each column of a record is read from). It imports nothing. `--write-mapping` writes the mapping to a file.
import { findByKey } from '../domain/municipality-list.ts'
import { nameKeys } from '../domain/municipality-name.ts'
import { t, toQuantity } from '../language.ts'
import { CodeForms, describeCodes, proposeCodePattern } from './code-form.ts'
import type { ImportPlan } from './plan.ts'
import { parseCalendarDate } from './rows/calendar-date.ts'
import { type Column, columns, toHeadingKey } from './rows/columns.ts'
import { resolveFields } from './rows/field-forms.ts'
import type { Layout } from './rows/layout.ts'
import { headingsOf, toFormJson } from './rows/mapping.ts'
import { isRowFault, newRepairCounts, normaliseRow, type RowRules } from './rows/normalise.ts'
import { shortenHeading, toQuoted } from './rows/quote.ts'
import { isRejectsHeading } from './rows/rejects-headings.ts'
import type { Row } from './rows/row.ts'
import { toMessage } from './rows/row-fault.ts'
import { quoteForShell } from './shell.ts'
import { openSource, type SourceOptions } from './sources/open.ts'
import { batchCharactersMax, type Source } from './sources/source.ts'

/**
 * At most so many rows of the source are inspected. They are in memory together, so there are fewer of them if they are
 * long (`batchCharactersMax`).
 */
const rowsMax = 2000
/** Values that are shown of each heading. */
const shownValuesMax = 3
/** Messages of rejected rows that are shown. */
const shownRejectsMax = 5
/** Widths of the table of headings, in characters. A longer text shifts the rest of its line. */
const headingWidthMax = 36
const meaningWidth = 20
/** A heading is proposed for a column if at least this share of its values looks like values of the column. */
const matchingShareMin = 0.8
/** A Spanish telephone number, which may begin with the prefix of the country, `34` or `0034`. */
const telephoneNumber = /^(?:(?:00)?34)?[6-9]\d{8}$/

/** The endings of files that documents are read from. */
const fileEnding = /\.(?:pdf|html?|txt)$/i
/** Headings of the names of files, in Castilian, Catalan, Galician and Basque, by their words (`toHeadingKey`). */
const documentHeading =
  /^(?:documentacion?|dokumentazioa|documents?|documentos?|adjuntos?|adjunts?|anexos?|annexos?)(?:_|$)/

/** What `--inspect` needs of the plan. */
type InspectionPlan = SourceOptions & Pick<ImportPlan, 'rules' | 'codePattern'>

export interface Inspection {
  /** What `--inspect` prints. */
  readonly text: string
  /** As `--mapping` takes it: `{ "title": "Denominación" }`. */
  readonly mapping: Readonly<Record<string, unknown>>
  /** In the order of the source; blank ones without values are left out. */
  readonly headings: readonly InspectedHeading[]
  /** Required columns for which no heading was found or proposed. */
  readonly missing: readonly Column[]
  /** A form of codes that the source needs and the plan does not have. */
  readonly codePattern: string | undefined
}

export interface InspectedHeading {
  readonly heading: string
  /** The first values. */
  readonly values: readonly string[]
  /** Whether a mapping can name it. */
  readonly canBeMapped: boolean
  /** Whether heading or values look like personal data. */
  readonly isPersonal: boolean
}

/**
 * `mappingPath` is the file to which the caller writes the mapping before it prints the text, which says so; undefined
 * if it writes none. Throws `SourceFault` if the source cannot be read.
 */
export async function inspectSource(name: string, plan: InspectionPlan, mappingPath?: string): Promise<Inspection> {
  const source = await openSource(name, { ...plan, mayLackColumns: true })
  try {
    const { rows, isCut } = await readFirstRows(source)
    const fields = resolveFields(plan.rules.fields, source)
    const shownCount = toQuantity(rows.length, 'row')
    const summary = `${source.name}: ${source.describe()}, ${isCut ? t`the first ${shownCount}` : shownCount}`
    const rules = { ...plan.rules, fields }
    return describeSource(summary, source.layout, rows, { ...plan, rules }, mappingPath)
  } finally {
    await source.close()
  }
}

/**
 * Reads up to `rowsMax` rows, but no further row once they have `batchCharactersMax` characters together. `isCut` says
 * whether the source has more.
 */
async function readFirstRows(source: Source): Promise<{ readonly rows: readonly Row[]; readonly isCut: boolean }> {
  const rows: Row[] = []
  let characters = 0
  for await (const batch of source.rows()) {
    for (const row of batch) {
      if (rows.length === rowsMax || characters >= batchCharactersMax) return { rows, isCut: true }
      rows.push(row)
      for (const cell of row.cells) characters += cell?.length ?? 0
    }
  }
  return { rows, isCut: false }
}

/** `summary` is the first line of the text. */
function describeSource(
  summary: string,
  layout: Layout,
  rows: readonly Row[],
  plan: InspectionPlan,
  mappingPath: string | undefined,
): Inspection {
  const proposed = proposeColumns(layout, rows, plan.rules)
  const mapping = { ...toMapping(layout, proposed), ...toFieldsJson(plan.rules) }
  const missing = layout.missingColumns().filter((column) => !proposed.has(column))
  const codes = new CodeForms()
  for (const { cells } of rows) {
    const code = layout.read('code', cells).trim()
    if (code !== '') codes.add(code, layout.isCode(code))
  }
  const codeWarning = plan.codePattern === null ? describeCodes([codes]) : undefined
  const codePattern = proposeCodePattern([codes])
  const lines = [
    summary,
    ...[...layout.notes, ...layout.warnings].map((note) => `  ${note}`),
    '',
    ...toHeadingLines(layout, rows, proposed, plan.rules),
    '',
    mappingPath === undefined
      ? t`proposed mapping (--write-mapping FILE writes it):`
      : t`proposed mapping, saved in ${mappingPath}:`,
    ...JSON.stringify(mapping, null, 2).split('\n'),
    ...missing.map((column) => describeMissingColumn(column)),
    ...(codeWarning === undefined ? [] : [codeWarning]),
    ...toRejectedLines(layout, rows, plan.rules),
    ...toFieldLines(layout, rows, proposed, plan.rules),
    ...toFlagLines(layout, proposed, missing, plan, codePattern, mappingPath),
  ]
  return {
    text: `${lines.join('\n')}\n`,
    mapping,
    headings: toInspectedHeadings(layout, rows),
    missing,
    codePattern: plan.codePattern === null ? codePattern : undefined,
  }
}

/**
 * The flags with which the source can be imported; none if no flag is needed, or if a column is missing that no flag can
 * replace. A missing municipality is no obstacle, because a mapping can give one to all records.
 */
function toFlagLines(
  layout: Layout,
  proposed: ReadonlyMap<Column, number>,
  missing: readonly Column[],
  plan: InspectionPlan,
  codePattern: string | undefined,
  mappingPath: string | undefined,
): string[] {
  if (missing.some((column) => column !== 'municipality')) return []
  const placeholder = t`YOUR MUNICIPALITY`
  const forms = new Map<Column, unknown>([...plan.mapping].map(([column, form]) => [column, toFormJson(form)]))
  for (const [column, heading] of toProposedHeadings(layout, proposed)) forms.set(column, heading)
  if (missing.length > 0) forms.set('municipality', { value: placeholder })
  const flags: string[] = []
  // The saved mapping has all columns. Without it, the flag has only those that are not recognised without the flag.
  if (proposed.size > 0 || missing.length > 0)
    flags.push(`--mapping ${quoteForShell(mappingPath ?? JSON.stringify(Object.fromEntries(forms)))}`)
  if (codePattern !== undefined && plan.codePattern === null) flags.push(`--code-pattern ${quoteForShell(codePattern)}`)
  if (flags.length === 0) return []
  const municipality =
    mappingPath === undefined
      ? t`replace ${placeholder} with the name of the municipality`
      : t`first add the municipality to ${mappingPath}`
  return [
    '',
    t`to import it, add these flags:`,
    `  ${flags.join(' ')}`,
    ...(missing.length > 0 ? [`  ${municipality}`] : []),
  ]
}

/** Headings of columns that often hold personal data, by their words (`toHeadingKey`). */
const personalHeading =
  /(?:^|_)(?:dni|nif|nie|cif|nombre|apellidos?|nom|cognoms?|solicitante|sol_licitant|interesad[oa]s?|interessats?|titular|propietari[oa]?|promotor[a]?|tel|telf|telefono|telefon|movil|mobil|e?_?mail|correo|correu|domicilio|domicili|iban|cuenta|firmante|eskatzailea|izen_abizenak)(?:_|$)/
/** An e-mail address, a telephone number or the number of an identity card. */
const personalValue = /@|^(?:\+?34)?[\s.-]?[6-9]\d{2}[\s.-]?\d{3}[\s.-]?\d{3}$|^[XYZ]?\d{7,8}[\s-]?[A-Z]$/i

function isPersonal(heading: string, values: readonly string[]): boolean {
  return personalHeading.test(toHeadingKey(heading)) || values.some((value) => personalValue.test(value))
}

function toInspectedHeadings({ headings }: Layout, rows: readonly Row[]): InspectedHeading[] {
  return headings.flatMap((heading, index) => {
    const values = valuesOf(rows, index)
    if (heading.trim() === '' && values.length === 0) return []
    return [
      {
        heading,
        values: values.slice(0, shownValuesMax),
        canBeMapped: canBeProposed(heading, headings),
        isPersonal: isPersonal(heading, values),
      },
    ]
  })
}

/** The columns that would be left out, and the flag that keeps them. Those that may hold personal data are only named. */
function toFieldLines(
  layout: Layout,
  rows: readonly Row[],
  proposed: ReadonlyMap<Column, number>,
  { fields }: RowRules,
): string[] {
  if (fields.length > 0) return []
  const taken = new Set(proposed.values())
  const leftOut = layout.headings.flatMap((heading, index) => {
    const values = layout.isUsed(index) || taken.has(index) ? [] : valuesOf(rows, index)
    const canBeNamed = canBeProposed(heading, layout.headings) && !/[,=]/.test(heading)
    return values.length > 0 && canBeNamed ? [{ heading, values }] : []
  })
  const [kept, personal] = [false, true].map((wanted) =>
    leftOut.filter(({ heading, values }) => isPersonal(heading, values) === wanted).map(({ heading }) => heading),
  ) as [string[], string[]]
  if (leftOut.length === 0) return []
  return [
    '',
    ...(kept.length === 0
      ? []
      : [
          t`to keep and publish further columns, after checking that they hold no personal data:`,
          `  --fields ${quoteForShell(kept.join(','))}`,
        ]),
    ...(personal.length === 0
      ? []
      : [t`not proposed, because they may hold personal data: ${personal.map(toQuoted).join(', ')}`]),
  ]
}

/** Lines about the rows that would be rejected; none if a required column is missing, because that rejects all rows. */
function toRejectedLines(layout: Layout, rows: readonly Row[], rules: RowRules): string[] {
  if (layout.missingColumns().length > 0) return []
  const messages = rows
    // The counts of repairs are not used here.
    .map((row) => normaliseRow(row, layout, newRepairCounts(), rules))
    .filter(isRowFault)
    .map(toMessage)
  const shown = messages.slice(0, shownRejectsMax).map((message) => `  ${message}`)
  return ['', t`${toQuantity(messages.length, 'row')} would be rejected`, ...shown]
}

/** Returns the headings for the flag `--mapping`, by column. `proposed` has the indexes of the proposed headings. */
function toProposedHeadings(layout: Layout, proposed: ReadonlyMap<Column, number>): Map<Column, string> {
  const headings = new Map([...proposed].map(([column, index]) => [column, layout.headings[index] ?? '']))
  // If the source has only the date of inscription, its heading is proposed for the check-in date too. A heading that
  // is mapped to one column is no longer recognised as that of another, so both columns are mapped to it.
  const inscriptionIndex = layout.indexOf('inscription_date')
  if (inscriptionIndex !== undefined && proposed.get('checkin_date') === inscriptionIndex) {
    headings.set('inscription_date', layout.headings[inscriptionIndex] ?? '')
  }
  return headings
}

/**
 * One line for each heading, with the columns that are read from it, those proposed for it (`title?`), and its first
 * values. Blank headings without values are left out. `proposed` has the index of the proposed heading, by column.
 */
function toHeadingLines(
  layout: Layout,
  rows: readonly Row[],
  proposed: ReadonlyMap<Column, number>,
  { fields }: RowRules,
): string[] {
  const width = Math.min(headingWidthMax, Math.max(...layout.headings.map((heading) => heading.length), 0))
  return layout.headings.flatMap((heading, index) => {
    const values = valuesOf(rows, index).slice(0, shownValuesMax).map(toQuoted)
    if (heading.trim() === '' && values.length === 0) return []
    const readBy = columns.filter((column) => layout.readsFrom(column, index))
    const proposedHere = [...proposed].filter(([, proposedIndex]) => proposedIndex === index)
    const proposedFor = proposedHere.map(([column]) => `${column}?`)
    const own = fields.filter(({ form }) => headingsOf(form).some((name) => layout.find(name) === index))
    const meaning = [...readBy, ...own.map(({ label }) => t`field ${label}`), ...proposedFor].join(', ') || '–'
    return [
      `  ${shortenHeading(heading).padEnd(width)}  → ${meaning.padEnd(meaningWidth)}  ${values.join('  ')}`.trimEnd(),
    ]
  })
}

/** Returns the values under the heading with this index that are not empty. */
function valuesOf(rows: readonly Row[], index: number): string[] {
  return rows.map(({ cells }) => cells[index]?.trim() ?? '').filter((value) => value !== '')
}

/**
 * Whether the heading may be proposed. A mapping must be able to name it, so it must not be blank or occur twice. Nor
 * may it be so long that the table shows only its beginning, or one that only a rejects file has, such as `reason`.
 */
function canBeProposed(heading: string, headings: readonly string[]): boolean {
  const isUnique = headings.filter((other) => other === heading).length === 1
  return (
    heading.trim() !== '' && isUnique && shortenHeading(heading) === heading && !isRejectsHeading(heading, headings)
  )
}

/** Guesses the headings of missing columns by their values. Returns the index of the heading by column. */
function proposeColumns(layout: Layout, rows: readonly Row[], rules: RowRules): Map<Column, number> {
  const proposed = new Map<Column, number>()
  const unusedIndexes = layout.headings.entries().flatMap(([index, heading]) => {
    return layout.isUsed(index) || !canBeProposed(heading, layout.headings) ? [] : [index]
  })
  const candidates = unusedIndexes
    .map((index) => ({ index, values: valuesOf(rows, index) }))
    .filter(({ values }) => values.length > 0)
    .toArray()
  /** Proposes for a column the first heading that is still free and whose values mostly look right. */
  const propose = (column: Column, looksRight: (value: string, heading: string) => boolean): void => {
    if (layout.hasColumn(column)) return
    const takenIndexes = [...proposed.values()]
    const found = candidates.find(({ index, values }) => {
      const heading = layout.headings[index] ?? ''
      const matching = values.filter((value) => looksRight(value, heading))
      return !takenIndexes.includes(index) && matching.length >= values.length * matchingShareMin
    })
    if (found !== undefined) proposed.set(column, found.index)
  }
  const isDate = (value: string): boolean => parseCalendarDate(value, rules.timeZone) !== null
  propose('municipality', (value) => nameKeys(value).some((key) => findByKey(key).length > 0))
  // The nine digits of a telephone number may also be a Unix time, of a year from 1989 to 2001.
  propose('checkin_date', (value) => isDate(value) && !telephoneNumber.test(value))
  propose('links', (value) => /^https?:\/\//i.test(value))
  // Before the code, because the name of a file may have its form: `186-2008` for `186-2008.pdf`.
  propose('document', (value, heading) => {
    const isNamed = documentHeading.test(toHeadingKey(heading))
    return value.split(';').every((name) => fileEnding.test(name.trim()) || (isNamed && /\d/.test(name)))
  })
  // `2004-05-18` has the form of a code, but is a date. With a code pattern, a code of digits may have that of a date.
  propose('code', (value) => layout.isCode(value) && !(value.includes('-') && isDate(value)))
  // Last, because any text of several words looks like a title.
  propose('title', (value) => /\p{L}.*\s.*\p{L}/u.test(value))
  // Some registries know only the date of the inscription, which then serves for both columns.
  const inscriptionIndex = layout.indexOf('inscription_date')
  if (inscriptionIndex !== undefined && !layout.hasColumn('checkin_date') && !proposed.has('checkin_date')) {
    proposed.set('checkin_date', inscriptionIndex)
  }
  return proposed
}

/** The fields as a mapping file has them. */
function toFieldsJson({ fields }: RowRules): Record<string, unknown> {
  if (fields.length === 0) return {}
  return { fields: Object.fromEntries(fields.map(({ label, form }) => [label, toFormJson(form)])) }
}

/** Returns where each column is read from, or would be with the proposed headings. */
function toMapping(layout: Layout, proposed: ReadonlyMap<Column, number>): Record<string, unknown> {
  const mapping: Record<string, unknown> = {}
  for (const column of columns) {
    const index = proposed.get(column)
    const readFrom = index === undefined ? layout.toMappingJson(column) : layout.headings[index]
    if (readFrom !== undefined) mapping[column] = readFrom
  }
  return mapping
}

function describeMissingColumn(column: Column): string {
  if (column === 'municipality') {
    return t`missing: municipality; for a registry of one municipality add "municipality": {"value": "Madrid"}`
  }
  return t`missing: ${column}; add the heading that has it`
}

// The office's own columns that an import keeps (`--fields`, or `"fields"` in the mapping file): with which label, and
// where each is read from.
import { UsageFault } from '../../cli/config.ts'
import { type OwnField, toOwnField } from '../../domain/own-fields.ts'
import { t } from '../../language.ts'
import { MissingColumns } from '../source-fault.ts'
import type { Layout } from './layout.ts'
import { headingsOf, parseMapping, type ValueForm } from './mapping.ts'
import { shortenHeading, toQuoted } from './quote.ts'

export interface FieldForm extends OwnField {
  readonly form: ValueForm
}

/** More would not fit on a page. */
const fieldsMax = 50

/** A longer value of a field rejects its row. */
export const fieldCharactersMax = 10_000

/**
 * Reads `TIPO,ESTADO,Boletín=BOP`: a heading, or a label and the heading that it stands for; or the JSON object that a
 * mapping file has as `"fields"`.
 */
export function parseFields(text: string): FieldForm[] {
  if (text.trimStart().startsWith('{')) {
    return toFieldForms(parseMapping(`{"fields":${text}}`, '--fields').fields, '--fields')
  }
  const items = text.split(',').map((item) => item.trim())
  return toFieldForms(
    items.map((item) => {
      const [label = '', heading = label] = item.split(/=(.*)/s).map((part) => part.trim())
      return [label, { kind: 'heading', heading }]
    }),
    '--fields',
  )
}

/** `name` is for messages: that of the flag or of the mapping file. Throws `UsageFault` if the fields cannot be told apart. */
export function toFieldForms(
  entries: readonly (readonly [label: string, form: ValueForm])[],
  name: string,
): FieldForm[] {
  const fields = entries.map(([label, form]) => ({ ...toOwnField(label), form }))
  const toFault = (problem: string): UsageFault => new UsageFault(t`Cannot read ${name}: ${problem}`)
  if (fields.length > fieldsMax) throw toFault(t`expected at most ${fieldsMax} fields`)
  for (const [index, field] of fields.entries()) {
    if (field.name === '') throw toFault(t`${toQuoted(field.label)} needs a letter or a digit`)
    const other = fields.slice(0, index).find((each) => each.name === field.name)
    if (other !== undefined) {
      throw toFault(
        t`${toQuoted(other.label)} and ${toQuoted(field.label)} have the same name, ${field.name}; give one another label`,
      )
    }
  }
  return fields
}

/** What is needed of a source to find the headings of fields. */
interface NamedLayout {
  readonly name: string
  readonly layout: Layout
}

/**
 * The fields as the source has them; marks their headings as read. Its headings must be known, that is, its first rows
 * must have been read. If there is no heading for `BOP=Boletín` but one `BOP`, the two were given the other way round.
 * Throws `MissingColumns` if a heading is missing.
 */
export function resolveFields(fields: readonly FieldForm[], { layout, name: source }: NamedLayout): FieldForm[] {
  const isFound = (form: ValueForm): boolean =>
    form.kind === 'value' || headingsOf(form).some((heading) => layout.find(heading) !== undefined)
  const resolved = fields.map((field): FieldForm => {
    const { label, form } = field
    if (isFound(form)) return field
    const swapped: ValueForm = { kind: 'heading', heading: label }
    if (form.kind === 'heading' && isFound(swapped)) return { ...toOwnField(form.heading), form: swapped }
    const [missing = label] = headingsOf(form)
    const unused = layout.unused().map((heading) => toQuoted(shortenHeading(heading)))
    const hint = unused.length === 0 ? '' : t`; the headings that are not imported are ${unused.join(', ')}`
    throw new MissingColumns(
      t`Cannot read ${source}: there is no heading ${toQuoted(missing)} for the field ${toQuoted(label)}${hint}`,
    )
  })
  layout.useOwn(resolved.map(({ form }) => form))
  return resolved
}

// The office's own columns ("fields"), beside those of the specification: an import keeps those that are named, with a
// label and a text value in each record. A registry declares its fields; requests filter by their names
// (`field.estado=aprobado`).
import { foldWord } from '../analysis/fold.ts'

/** A field that a registry declares. */
export interface OwnField {
  /** In requests: the label in lower case without accents, with `_` for other signs: `aprob_inicial`. */
  readonly name: string
  /** As the office writes it: `Aprob. inicial`. */
  readonly label: string
}

/** The values of a record by label, in the order in which the fields are declared. Empty values are left out. */
export type FieldValues = Readonly<Record<string, string>>

/** What the parameter of a filter begins with; the name of the field follows. */
export const fieldPrefix = 'field.'

/** The parameter that filters by a field. */
export type FieldParameter = `${typeof fieldPrefix}${string}`

export function isFieldParameter(name: string): name is FieldParameter {
  return name.startsWith(fieldPrefix)
}

/** A field with more different values than this is not counted in summaries. */
export const countedValuesMax = 200

/** The name is empty if the label has neither letters nor digits. */
export function toOwnField(label: string): OwnField {
  const name = foldWord(label)
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_|_$/g, '')
  return { name, label: label.trim() }
}

/** The form in which values are compared: without differences of case, accents and white space. */
export function foldFieldValue(value: string): string {
  return foldWord(value.toWellFormed().replace(/[\p{Cc}\s]+/gu, ' ')).trim()
}

// The columns of a record as the desk names them.
import type { Column } from '../import/rows/columns.ts'
import { say } from './say.ts'

/** The columns that can be chosen, those that are needed first. A `prefix` is left as the plan has it. */
export function columnNames(): readonly (readonly [Column, string])[] {
  return [
    ['code', say('Código', 'Code')],
    ['title', say('Título', 'Title')],
    ['municipality', say('Municipio', 'Municipality')],
    ['checkin_date', say('Fecha de entrada', 'Check-in date')],
    ['id', say('Identificador', 'Id')],
    ['registration_number', say('Número de registro', 'Registration number')],
    ['area', say('Ámbito', 'Area')],
    ['inscription_date', say('Fecha de inscripción', 'Inscription date')],
    ['links', say('Dirección del documento', 'Address of the document')],
    ['agreement_link', say('Dirección del acuerdo', 'Address of the agreement')],
    ['document', say('Nombre del PDF', 'Name of the PDF')],
    ['content', say('Otro texto que se busca', 'Other text to search')],
  ]
}

/** The text of a report or message with the name of the column that it begins with: `Título: …` for `title: …`. */
export function withColumnName(text: string): string {
  const [, column, rest] = /^(\w+)(: .*)$/s.exec(text) ?? []
  const name = columnNames().find(([each]) => each === column)?.[1]
  return name === undefined ? text : `${name}${rest}`
}

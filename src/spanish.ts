// Spanish translations of the messages that language.ts marks with `t`. A test fails where one is missing or unused.

/** By the English text. `{0}`, `{1}`, … stand for the values. */
export const spanish: Readonly<Record<string, string>> = {}

/** Nouns that follow a number: singular and plural. */
export const spanishPlurals: Readonly<Record<string, readonly [string, string]>> = {
  element: ['elemento', 'elementos'],
  name: ['nombre', 'nombres'],
  record: ['expediente', 'expedientes'],
  row: ['fila', 'filas'],
  value: ['valor', 'valores'],
}

// The inscription code (`cod_archivo`): its form and how two of them are compared (decisions, "cod_archivo form").

/**
 * Characters beyond the basic plane are left out: without them every database and every language puts codes in the
 * same order, whether it compares characters, UTF-16 units or UTF-8 bytes.
 */
const codeForm = /^(?!.*[\u{10000}-\u{10ffff}])[\p{L}\p{N}._/-]+-\d+$/u

/** Whether the text has the form `<prefix>-<number>`. */
export function isCode(text: string): boolean {
  return codeForm.test(text)
}

/** Codes are compared without regard to case. */
export function foldCode(code: string): string {
  return folded.test(code) ? code : code.normalize('NFC').toUpperCase()
}

/** Most codes are folded as they stand. */
const folded = /^[\dA-Z._/-]*$/

/** The number part, which is what `registration_number` holds where the source gives none. */
export function numberOf(code: string): string {
  return code.slice(code.lastIndexOf('-') + 1)
}

// The inscription code (`cod_archivo`): its format, and the folding by which codes are compared.

/**
 * Characters outside the basic multilingual plane are excluded. Without them, codes sort the same by characters, by
 * UTF-16 code units and by UTF-8 bytes, so every database and language agrees on the canonical order.
 */
const codePattern = /^(?!.*[\u{10000}-\u{10ffff}])[\p{L}\p{N}._/-]+-\d+$/u

/** Whether the text has the format `<prefix>-<number>`. */
export function isInscriptionCode(text: string): boolean {
  return codePattern.test(text)
}

/** The form in which codes are compared: case does not matter. */
export function foldCode(code: string): string {
  return alreadyFolded.test(code) ? code : code.normalize('NFC').toUpperCase()
}

const alreadyFolded = /^[\dA-Z._/-]*$/

/** The number part of a code. It is the default `registration_number` when the source has none. */
export function numberPartOf(code: string): string {
  return code.slice(code.lastIndexOf('-') + 1)
}

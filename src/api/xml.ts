// Text for XML documents: Atom, sitemaps and OpenSearch.

/**
 * Escapes text for element content and quoted attributes, and removes characters that XML 1.0 does not allow.
 * `toWellFormed` replaces lone surrogates, which UTF-8 cannot encode.
 */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbiddenCharacters, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * All characters except those that XML 1.0 allows (`Char`, section 2.2): control characters other than tab and line
 * breaks, and U+FFFE and U+FFFF. U+007F to U+009F are also removed; XML discourages all of them but U+0085.
 */
const forbiddenCharacters = /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

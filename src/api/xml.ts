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
 * Matches the characters that XML 1.0 does not allow (`Char`, section 2.2): control characters other than tab and line
 * breaks, and U+FFFE and U+FFFF. Also matches U+007F to U+009F: XML allows them, but discourages most of them.
 */
const forbiddenCharacters = /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

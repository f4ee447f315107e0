// Text for XML documents: Atom, sitemaps and OpenSearch.

/** Escapes text for element content and quoted attributes, and removes characters that XML 1.0 does not allow. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbiddenCharacters, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/**
 * Control characters except tab and line breaks, and U+FFFE and U+FFFF: the opposite of `Char` in XML 1.0, section 2.2,
 * and the controls U+007F to U+009F, which it discourages.
 */
const forbiddenCharacters = /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

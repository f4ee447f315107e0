// Text for XML documents: Atom, sitemaps and OpenSearch.

/** Escapes text for element content and quoted attributes, and removes characters that XML 1.0 does not allow. */
export function escapeXml(text: string): string {
  return text
    .toWellFormed()
    .replace(forbidden, '')
    .replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`)
}

/** Control characters and the two noncharacters; `Char` in XML 1.0, section 2.2. C1 controls are discouraged there. */
const forbidden = /[^\t\n\r\u{20}-\u{7e}\u{a0}-\u{d7ff}\u{e000}-\u{fffd}\u{10000}-\u{10ffff}]/gu

export const xmlDeclaration = '<?xml version="1.0" encoding="UTF-8"?>\n'

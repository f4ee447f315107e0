// Quotes a value of a source for a message: shortened, on one line, with invisible characters escaped.

const quotedCharactersMax = 60

/** `"03065-2\u200b"`: the escape shows why a value that looks right is rejected. */
export function toQuoted(value: string): string {
  const shown = value.length > quotedCharactersMax ? `${value.slice(0, quotedCharactersMax)}…` : value
  return JSON.stringify(shown).replace(/[\p{Cf}\u00a0]/gu, (character) =>
    Array.from(
      { length: character.length },
      (_, index) => `\\u${character.charCodeAt(index).toString(16).padStart(4, '0')}`,
    ).join(''),
  )
}

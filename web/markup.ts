// HTML as text, for the chart, the map and the tables: they have hundreds of small elements, which Preact would take
// most of the time of a page for.

type Attributes = Readonly<Record<string, string | number | undefined>>

/** An element. An attribute without a value is left out. `content` is HTML. */
export function toElement(name: string, attributes: Attributes, content = ''): string {
  let start = `<${name}`
  for (const attribute in attributes) {
    const value = attributes[attribute]
    if (value !== undefined) start += ` ${attribute}="${escapeText(String(value))}"`
  }
  return `${start}>${content}</${name}>`
}

/** Escapes a text for the content of an element or a quoted attribute. */
export function escapeText(text: string): string {
  return /[&<>"']/.test(text) ? text.replace(/[&<>"']/g, (character) => `&#${character.charCodeAt(0)};`) : text
}

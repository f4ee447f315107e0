// Converts the JSON-LD document that catalog.ts builds to Turtle, the notation that open-data portals prefer.

/** A node, a link (`@id` alone), a literal (`@value`) or a plain text; an array has several values. */
export type JsonLd = string | readonly JsonLd[] | { readonly [property: string]: JsonLd }

/** Nodes with an `@id` become subjects of their own; other nodes are written where they occur. */
export function toTurtle(document: { readonly [property: string]: JsonLd }): string {
  const { '@context': context, ...root } = document
  const prefixes = Object.entries(context ?? {}).map(([prefix, address]) => `@prefix ${prefix}: ${toIri(address)} .`)
  /** The text of each subject. */
  const blocks: string[] = []
  writeSubject(root, blocks)
  return `${prefixes.join('\n')}\n\n${blocks.join('\n\n')}\n`
}

type Node = Readonly<Record<string, JsonLd>>

/** Appends the text of the node to `blocks`, and then the texts of the nodes inside it that have an `@id`. */
function writeSubject(node: Node, blocks: string[]): void {
  // An empty text reserves the place of this node, because `toProperties` already appends the nodes inside it.
  const index = blocks.push('') - 1
  blocks[index] = `${toIri(node['@id'] ?? '')} ${toProperties(node, blocks, '  ')} .`
}

/** The properties of the node, one on each line: `a dcat:Catalog ;` and so on. `toObject` appends to `blocks`. */
function toProperties({ '@id': _id, '@type': type, ...properties }: Node, blocks: string[], indent: string): string {
  // `a` is Turtle's short form of `rdf:type`.
  const lines = type === undefined ? [] : [`a ${toList(type).join(', ')}`]
  for (const [property, value] of Object.entries(properties)) {
    const objects = toList(value).map((each) => toObject(each, blocks, indent))
    if (objects.length > 0) lines.push(`${property} ${objects.join(', ')}`)
  }
  return lines.join(` ;\n${indent}`)
}

/** The values of a property, which may have one or several. */
function toList(value: JsonLd): readonly JsonLd[] {
  return Array.isArray(value) ? value : [value]
}

/**
 * A value of a property, which Turtle calls an object. A node with an `@id` and properties of its own is appended to
 * `blocks`, and linked.
 */
function toObject(value: JsonLd, blocks: string[], indent: string): string {
  if (typeof value === 'string') return toLiteral(value)
  const node = value as Node
  if (node['@value'] !== undefined) {
    const { '@language': language, '@type': type } = node
    // `"2015"^^xsd:gYear`, or `"urbanismo"@es`.
    const typeSuffix = type === undefined ? '' : `^^${String(type)}`
    const suffix = language === undefined ? typeSuffix : `@${String(language)}`
    return toLiteral(String(node['@value'])) + suffix
  }
  if (node['@id'] === undefined) return `[ ${toProperties(node, blocks, `${indent}  `)} ]`
  if (Object.keys(node).length > 1) writeSubject(node, blocks)
  return toIri(node['@id'])
}

/**
 * An address in angle brackets. Control characters, and the others that Turtle does not allow in an IRI (its rule
 * IRIREF), are percent-encoded. `toWellFormed` replaces lone surrogates, which UTF-8 cannot encode.
 */
function toIri(address: JsonLd): string {
  return `<${String(address)
    .toWellFormed()
    .replace(/[\p{Cc} <>"{}|^`\\]/gu, encodeURIComponent)}>`
}

/** A quoted text. Control characters are escaped, a line feed as `\u000a`. */
function toLiteral(text: string): string {
  const escaped = text.toWellFormed().replace(/["\\\p{Cc}]/gu, (character) => {
    if (character === '"' || character === '\\') return `\\${character}`
    return `\\u${character.charCodeAt(0).toString(16).padStart(4, '0')}`
  })
  return `"${escaped}"`
}

// Response headers as one list, the fastest form for `writeHead` of Node.

/** Names and values alternate: `['Content-Type', 'text/html', 'Vary', 'Accept-Encoding']`. */
export type HeaderList = readonly string[]

/** The value of a header; undefined if the list does not have it. The case of the name matters. */
export function findHeader(headers: HeaderList, name: string): string | undefined {
  for (let index = 0; index < headers.length; index += 2) if (headers[index] === name) return headers[index + 1]
  return undefined
}

/** The list without the given headers. */
export function removeHeaders(headers: HeaderList, names: readonly string[]): HeaderList {
  // A name has an even index, and its value the odd index after it.
  const nameAt = (index: number): string => headers[index - (index % 2)] ?? ''
  return headers.filter((_, index) => !names.includes(nameAt(index)))
}

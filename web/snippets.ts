// The API request behind a page as one line of curl, JavaScript or Python, for api-request.tsx. `toQueryString`
// percent-encodes every character that a shell or a string literal would interpret inside the quotes.
import { recordsPerPage } from './load-search.ts'
import { type Search, toFilters, toQueryString } from './search-url.ts'

export interface Snippet {
  /** The program or programming language. */
  readonly name: string
  /** The line to copy. */
  readonly line: string
}

/**
 * The address of the request for the record with the inscription code, relative to the base URL. `encodeURIComponent`
 * leaves apostrophes, which would end the quotes of a snippet.
 */
export function toCodePath(code: string): string {
  return `record/${encodeURIComponent(code).replaceAll("'", '%27')}`
}

/** The address of the request for the first page of the search, relative to the base URL. */
export function toSearchPath(search: Search): string {
  return `record?${toQueryString({ ...toFilters(search), limit: recordsPerPage })}`
}

/** The request to the URL, one snippet for each program or language. */
export function toSnippets(url: string): Snippet[] {
  return [
    { name: 'curl', line: `curl '${url}'` },
    { name: 'JavaScript', line: `const { resultadoBusqueda } = await (await fetch('${url}')).json()` },
    {
      name: 'Python',
      line: `import json, urllib.request; records = json.load(urllib.request.urlopen('${url}'))['resultadoBusqueda']`,
    },
  ]
}

// The request whose result is on screen as one line of curl, JavaScript or Python, for api-request.tsx.
// `toQueryString` percent-encodes every character that a shell or a string literal would interpret.
import { recordsPerPage } from './result-pages.ts'
import { baseUrl, type Search, toFilters, toQueryString } from './search-url.ts'

export interface Snippets {
  readonly url: string
  readonly snippets: readonly { readonly name: string; readonly code: string }[]
}

/** The request for the record with the code. */
export function toCodeSnippets(code: string): Snippets {
  return toSingleRequest(`${baseUrl}record/${encodeURIComponent(code)}`)
}

/** The request for the first page of the search. A range of years is one request per year. */
export function toSearchSnippets(search: Search): Snippets {
  const { years } = search
  if (years === null || years.from === years.to) return toSingleRequest(toRecordUrl(search, years?.from ?? null))
  const { from, to } = years
  const urlWithoutYear = toRecordUrl(search, null)
  return {
    url: toRecordUrl(search, to),
    snippets: [
      { name: 'curl', code: `curl '${urlWithoutYear}&checkin_date=[${from}-${to}]'` },
      {
        name: 'JavaScript',
        code: `const records = []; for (let year = ${to}; year >= ${from}; year--) { const response = await fetch(\`${urlWithoutYear}&checkin_date=\${year}\`); if (response.ok) records.push(...(await response.json()).resultadoBusqueda) }`,
      },
      {
        name: 'Python',
        code: `import requests; records = [r for year in range(${to}, ${from - 1}, -1) for r in requests.get(f'${urlWithoutYear}&checkin_date={year}').json().get('resultadoBusqueda', [])]`,
      },
    ],
  }
}

function toSingleRequest(url: string): Snippets {
  return {
    url,
    snippets: [
      { name: 'curl', code: `curl '${url}'` },
      { name: 'JavaScript', code: `const { resultadoBusqueda } = await (await fetch('${url}')).json()` },
      {
        name: 'Python',
        code: `import json, urllib.request; records = json.load(urllib.request.urlopen('${url}'))['resultadoBusqueda']`,
      },
    ],
  }
}

function toRecordUrl(search: Search, year: number | null): string {
  return `${baseUrl}record?${toQueryString({ ...toFilters(search, year), limit: recordsPerPage })}`
}

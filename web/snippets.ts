// The request on screen as one line of curl, JavaScript or Python. `toQueryString` percent-encodes every character that
// a shell or a string literal would interpret.
import { recordsPerPage } from './result-pages.ts'
import { baseUrl, type Search, toFilters, toQueryString } from './search-url.ts'

export interface Snippets {
  readonly url: string
  readonly snippets: readonly { readonly name: string; readonly code: string }[]
}

export function toSnippets(search: Search, isByCode: boolean): Snippets {
  const { years } = search
  if (isByCode) return toSingleRequest(`${baseUrl}record/${encodeURIComponent(search.words.trim())}`)
  if (years === null || years.from === years.to) return toSingleRequest(toRecordUrl(search, years?.from ?? null))
  const { from, to } = years
  const allYears = toRecordUrl(search, null)
  return {
    url: toRecordUrl(search, to),
    snippets: [
      { name: 'curl', code: `curl '${allYears}&checkin_date=[${from}-${to}]'` },
      {
        name: 'JavaScript',
        code: `const records = []; for (let year = ${to}; year >= ${from}; year--) { const response = await fetch(\`${allYears}&checkin_date=\${year}\`); if (response.ok) records.push(...(await response.json()).resultadoBusqueda) }`,
      },
      {
        name: 'Python',
        code: `import requests; records = [r for year in range(${to}, ${from - 1}, -1) for r in requests.get(f'${allYears}&checkin_date={year}').json().get('resultadoBusqueda', [])]`,
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

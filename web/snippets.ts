// The request on screen as a line of curl, JavaScript and Python. `toServiceQuery` percent-encodes quotes, brackets
// and everything else that a shell or a string would trip over.

import { recordsPerPage } from './result-pages.ts'
import { baseUrl, type Search, toServiceQuery } from './search-url.ts'

export interface Snippets {
  readonly address: string
  readonly snippets: readonly { readonly name: string; readonly code: string }[]
}

export function toSnippets(search: Search, isByCode: boolean): Snippets {
  const { years } = search
  if (isByCode) return toPlain(`${baseUrl}record/${encodeURIComponent(search.words.trim())}`)
  if (years === null || years.from === years.to) return toPlain(toAddress(search, years?.from ?? null))
  const before = toAddress({ ...search, years: null }, null)
  const address = toAddress(search, years.to)
  return {
    address,
    snippets: [
      { name: 'curl', code: `curl '${before}&checkin_date=[${years.from}-${years.to}]'` },
      {
        name: 'JavaScript',
        code: `const records = []; for (let year = ${years.to}; year >= ${years.from}; year--) { const answer = await fetch(\`${before}&checkin_date=\${year}\`); if (answer.ok) records.push(...(await answer.json()).resultadoBusqueda) }`,
      },
      {
        name: 'Python',
        code: `import requests; records = [r for year in range(${years.to}, ${years.from - 1}, -1) for r in requests.get(f'${before}&checkin_date={year}').json().get('resultadoBusqueda', [])]`,
      },
    ],
  }
}

function toPlain(address: string): Snippets {
  return {
    address,
    snippets: [
      { name: 'curl', code: `curl '${address}'` },
      { name: 'JavaScript', code: `const { resultadoBusqueda } = await (await fetch('${address}')).json()` },
      {
        name: 'Python',
        code: `import json, urllib.request; records = json.load(urllib.request.urlopen('${address}'))['resultadoBusqueda']`,
      },
    ],
  }
}

function toAddress(search: Search, year: number | null): string {
  const query = toServiceQuery(search, year)
  return `${baseUrl}record?${query}${query === '' ? '' : '&'}limit=${recordsPerPage}`
}

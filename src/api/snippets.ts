// Code examples for the reference page (reference.ts): one request of each operation, and a complete script.

/** Code before and after the address of the request. The console of the reference page replaces the address. */
export interface Snippet {
  readonly language: string
  readonly before: string
  readonly after: string
}

/** The snippets of an operation in three languages. */
export function toSnippets(operationId: string): Snippet[] {
  if (operationId === 'exportRecords') return csvSnippets
  const { javascript, python } = usages.get(operationId) ?? printResponse
  return [
    { language: 'curl', before: "curl '", after: "'" },
    {
      language: 'JavaScript',
      before: "const response = await fetch('",
      after: `')
const data = await response.json()
if (!response.ok) throw new Error(data.detail)
${javascript}`,
    },
    {
      language: 'Python',
      before: `import json, urllib.request

with urllib.request.urlopen('`,
      after: `') as response:
    data = json.load(response)
${python}`,
    },
  ]
}

const csvSnippets: Snippet[] = [
  { language: 'curl', before: "curl -o expedientes.csv '", after: "'" },
  {
    language: 'JavaScript',
    before: "const response = await fetch('",
    after: `')
if (!response.ok) throw new Error((await response.json()).detail)
console.log(await response.text())`,
  },
  {
    language: 'Python',
    before: `import csv, io, urllib.request

with urllib.request.urlopen('`,
    after: `') as response:
    lines = io.TextIOWrapper(response, 'utf-8-sig', newline='')
    for record in csv.DictReader(lines, delimiter=';'):
        print(record['checkin_date'], record['title'])`,
  },
]

const printRecords = {
  javascript: 'for (const record of data.resultadoBusqueda) console.log(record.checkin_date, record.title)',
  python: `for record in data['resultadoBusqueda']:
    print(record['checkin_date'], record['title'])`,
}

const printResponse = { javascript: 'console.log(data)', python: 'print(data)' }

/** Code that uses the parsed response, by `operationId`. */
const usages: ReadonlyMap<string, { readonly javascript: string; readonly python: string }> = new Map([
  ['searchRecords', printRecords],
  ['getRecord', printRecords],
  [
    'listMunicipalities',
    {
      javascript: 'for (const each of data.municipalities) console.log(each.name, each.records)',
      python: `for each in data['municipalities']:
    print(each['name'], each['records'])`,
    },
  ],
])

/** Scripts that print the records of a municipality since 2015 that contain the word `plan`. */
export function toTutorial(baseUrl: string, municipality: string): { language: string; code: string }[] {
  // A JSON string is also a string of JavaScript and of Python.
  const name = JSON.stringify(municipality)
  const curlFilters = [`municipality=${municipality}`, 'search=plan', 'checkin_from=2015']
    .map((pair) => `--data-urlencode ${shellQuote(pair)}`)
    .join(' ')
  return [
    {
      language: 'JavaScript',
      code: `const filters = new URLSearchParams({ municipality: ${name}, search: 'plan', checkin_from: '2015' })
const response = await fetch('${baseUrl}/record?' + filters)
const data = await response.json()
if (!response.ok && response.status !== 404) throw new Error(data.detail)
const records = response.status === 404 ? [] : data.resultadoBusqueda
for (const record of records) {
  console.log(record.checkin_date, record.title, record.links)
}`,
    },
    {
      language: 'Python',
      code: `import json, urllib.error, urllib.parse, urllib.request

filters = urllib.parse.urlencode({'municipality': ${name}, 'search': 'plan', 'checkin_from': '2015'})
try:
    with urllib.request.urlopen('${baseUrl}/record?' + filters) as response:
        records = json.load(response)['resultadoBusqueda']
except urllib.error.HTTPError as error:
    if error.code != 404:
        raise
    records = []
for record in records:
    print(record['checkin_date'], record['title'], record['links'])`,
    },
    {
      language: 'curl and jq',
      code: `curl -sG '${baseUrl}/record' ${curlFilters} |
  jq -r '.resultadoBusqueda[]? | [.checkin_date, .title, .links] | @tsv'`,
    },
  ]
}

/** The text in single quotes. Each single quote in it becomes `'\''`: `'it'\''s'`. */
function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

// Code examples for the reference page (reference.ts): one request of each operation, and a complete script. In a
// snippet, `URL` stands for the address of the request.

export interface Snippet {
  readonly language: string
  readonly code: string
}

/** Code that uses the response, by `operationId`. The other operations print it. */
const usages: Readonly<Record<string, readonly [javascript: string, python: string]>> = {
  searchRecords: printEach('resultadoBusqueda', 'checkin_date', 'title'),
  getRecord: printEach('resultadoBusqueda', 'checkin_date', 'title'),
  listMunicipalities: printEach('municipalities', 'name', 'records'),
}

function printEach(list: string, first: string, second: string): [javascript: string, python: string] {
  return [
    `for (const each of data.${list}) console.log(each.${first}, each.${second})`,
    `for each in data['${list}']:\n    print(each['${first}'], each['${second}'])`,
  ]
}

/** The snippets of an operation in three languages. */
export function toSnippets(operationId: string): Snippet[] {
  if (operationId === 'exportRecords') return csvSnippets
  const [javascript, python] = usages[operationId] ?? ['console.log(data)', 'print(data)']
  return [
    { language: 'curl', code: "curl 'URL'" },
    {
      language: 'JavaScript',
      code: `const response = await fetch('URL')
const data = await response.json()
if (!response.ok) throw new Error(data.detail)
${javascript}`,
    },
    {
      language: 'Python',
      code: `import json, urllib.request

with urllib.request.urlopen('URL') as response:
    data = json.load(response)
${python}`,
    },
  ]
}

const csvSnippets: Snippet[] = [
  { language: 'curl', code: "curl -o expedientes.csv 'URL'" },
  {
    language: 'JavaScript',
    code: `const response = await fetch('URL')
if (!response.ok) throw new Error((await response.json()).detail)
console.log(await response.text())`,
  },
  {
    language: 'Python',
    code: `import csv, io, urllib.request

with urllib.request.urlopen('URL') as response:
    lines = io.TextIOWrapper(response, 'utf-8-sig', newline='')
    for record in csv.DictReader(lines, delimiter=';'):
        print(record['checkin_date'], record['title'])`,
  },
]

/** Scripts that print the records of a municipality since 2015 that contain the word `plan`. */
export function toTutorial(baseUrl: string, municipality: string): Snippet[] {
  // A JSON string is also a string of JavaScript and of Python.
  const name = JSON.stringify(municipality)
  const curlFilters = [`municipality=${municipality}`, 'search=plan', 'checkin_from=2015']
    .map((pair) => `--data-urlencode '${pair.replaceAll("'", "'\\''")}'`)
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

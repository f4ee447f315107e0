// Code to copy for each operation, in the languages developers ask for most. The address stands apart, so that the
// console of the reference can put another one in.

export interface Snippet {
  readonly language: string
  readonly before: string
  readonly after: string
}

export function toSnippets(operationId: string): Snippet[] {
  const { javascript, python } = readings.get(operationId) ?? wholeReading
  return [
    { language: 'curl', before: "curl '", after: "'" },
    {
      language: 'JavaScript',
      before: "const response = await fetch('",
      after: `')
const answer = await response.json()
if (!response.ok) throw new Error(answer.detail)
${javascript}`,
    },
    {
      language: 'Python',
      before: `import json, urllib.request

with urllib.request.urlopen('`,
      after: `') as response:
    answer = json.load(response)
${python}`,
    },
  ]
}

const recordsReading = {
  javascript: 'for (const record of answer.resultadoBusqueda) console.log(record.checkin_date, record.title)',
  python: `for record in answer['resultadoBusqueda']:
    print(record['checkin_date'], record['title'])`,
}

const wholeReading = { javascript: 'console.log(answer)', python: 'print(answer)' }

const readings: ReadonlyMap<string, { readonly javascript: string; readonly python: string }> = new Map([
  ['searchRecords', recordsReading],
  ['getRecord', recordsReading],
  [
    'listMunicipalities',
    {
      javascript: 'for (const each of answer.municipalities) console.log(each.name, each.records)',
      python: `for each in answer['municipalities']:
    print(each['name'], each['records'])`,
    },
  ],
])

/** Every record of a municipality since 2015 that mentions a word. */
export function toTutorial(baseAddress: string, municipality: string): { language: string; code: string }[] {
  const name = JSON.stringify(municipality)
  return [
    {
      language: 'JavaScript',
      code: `const filters = new URLSearchParams({ municipality: ${name}, search: 'plan' })
const response = await fetch('${baseAddress}/record?' + filters)
const answer = await response.json()
if (!response.ok && response.status !== 404) throw new Error(answer.detail)
const records = response.status === 404 ? [] : answer.resultadoBusqueda
for (const record of records.filter((each) => each.checkin_date >= '2015')) {
  console.log(record.checkin_date, record.title, record.links)
}`,
    },
    {
      language: 'Python',
      code: `import json, urllib.error, urllib.parse, urllib.request

filters = urllib.parse.urlencode({'municipality': ${name}, 'search': 'plan'})
try:
    with urllib.request.urlopen('${baseAddress}/record?' + filters) as response:
        records = json.load(response)['resultadoBusqueda']
except urllib.error.HTTPError as error:
    if error.code != 404:
        raise
    records = []
for record in records:
    if record['checkin_date'] >= '2015':
        print(record['checkin_date'], record['title'], record['links'])`,
    },
    {
      language: 'curl and jq',
      code: `curl -sG '${baseAddress}/record' --data-urlencode ${shellQuote(`municipality=${municipality}`)} --data-urlencode 'search=plan' |
  jq -r '.resultadoBusqueda[]? | select(.checkin_date >= "2015") | [.checkin_date, .title, .links] | @tsv'`,
    },
  ]
}

function shellQuote(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

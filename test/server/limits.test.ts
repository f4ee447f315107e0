// docs/settings.md agrees with the constants of src/limits.ts and src/domain/query-limits.ts.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import * as parameterLimits from '../../src/domain/query-limits.ts'
import * as limits from '../../src/limits.ts'

test('docs/settings.md lists every limit with its value, and no other', () => {
  const text = readFileSync(new URL('../../docs/settings.md', import.meta.url), 'utf8')
  // Rows such as
  // | `headersTimeoutMs` | 10000 | milliseconds | …
  const rows = [...text.matchAll(/^\| `(\w+)` +\| ([\d.]+) /gm)].map(([, name, value]) => [name, Number(value)])
  const { termCharactersMax, termWordsMax, valueCharactersMax, limitMax } = parameterLimits
  const all = { ...limits, termCharactersMax, termWordsMax, valueCharactersMax, limitMax }
  assert.deepEqual(Object.fromEntries(rows), all)
})

test('the name of a limit has its unit, or ends in `Max` or `Reserved`', () => {
  for (const name of Object.keys(limits)) assert.match(name, /(?:Ms|Seconds|Bytes\w*|Max|Reserved)$/)
})

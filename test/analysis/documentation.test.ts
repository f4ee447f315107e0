import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { foldName, nearestNames, toMunicipality } from '../../src/domain/municipality.ts'
import { finds } from './reference-matcher.ts'

/** The rows of all tables whose first heading is this, each cell as its examples. */
function examples(heading: string): string[][][] {
  const rows: string[][][] = []
  let isInTable = false
  for (const line of readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8').split('\n')) {
    if (!line.startsWith('|')) isInTable = false
    else if (isInTable && !line.startsWith('| -')) rows.push(toCells(line))
    else if (line.startsWith(`| ${heading} `)) isInTable = true
  }
  assert.notEqual(rows.length, 0)
  return rows
}

function toCells(line: string): string[][] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\n', '\n')))
}

describe('docs/search.md', () => {
  for (const [[term = ''] = [], found = [], missed = []] of examples('search')) {
    test(`a search for ${term} answers as the page says`, () => {
      for (const text of found) assert.ok(finds(term, text), `finds ${text}`)
      for (const text of missed) assert.ok(!finds(term, text), `does not find ${text}`)
      assert.ok(found.length > 0)
    })
  }

  for (const [[name = ''] = [], asked = [], not = []] of examples('municipality')) {
    test(`${name} is found as the page says`, () => {
      const { keys, ineCode } = toMunicipality(name, '')
      assert.notEqual(ineCode, null)
      for (const other of asked) assert.ok(keys.includes(foldName(other)), other)
      for (const other of not) assert.ok(!keys.includes(foldName(other)), other)
    })
  }

  test('misspelt names lead where the page says', () => {
    const rows = examples('asked')
    const registry = rows.map(([, [name = ''] = []]) => toMunicipality(name, ''))
    for (const [[asked = ''] = [], [name] = []] of rows) assert.equal(nearestNames(asked, registry)[0], name)
  })
})

// Tests that every example in the tables of docs/search.md is true.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { foldName, suggestNames, toMunicipality } from '../../src/domain/municipality.ts'
import { finds } from './reference-matcher.ts'

/** The rows of all tables whose first column has this heading. Each cell is the list of its texts between backticks. */
function readExamples(heading: string): string[][][] {
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

/** The texts between backticks in each cell of a row. In the documents `\n` stands for a line break. */
function toCells(line: string): string[][] {
  return line
    .split('|')
    .slice(1, -1)
    .map((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\n', '\n')))
}

/**
 * An inscription code, the unique name of a record, may tell which of several municipalities with the same name is
 * meant. This one does not.
 */
const unknownCode = ''

describe('docs/search.md', () => {
  for (const [[term = ''] = [], matching = [], notMatching = []] of readExamples('search')) {
    test(`a search for ${term} finds what the document says`, () => {
      for (const text of matching) assert.ok(finds(term, text), `finds ${text}`)
      for (const text of notMatching) assert.ok(!finds(term, text), `does not find ${text}`)
      assert.ok(matching.length > 0)
    })
  }

  for (const [[name = ''] = [], otherNames = [], unrelatedNames = []] of readExamples('municipality')) {
    test(`${name} is found by the names that the document says, and not by others`, () => {
      const { lookupKeys, ineCode } = toMunicipality(name, unknownCode)
      assert.notEqual(ineCode, null)
      for (const other of otherNames) assert.ok(lookupKeys.includes(foldName(other)), other)
      for (const other of unrelatedNames) assert.ok(!lookupKeys.includes(foldName(other)), other)
    })
  }

  test('misspelt names get the suggestions in the document', () => {
    const rows = readExamples('asked')
    const municipalities = rows.map(([, [name = ''] = []]) => toMunicipality(name, unknownCode))
    for (const [[misspelt = ''] = [], [name] = []] of rows)
      assert.equal(suggestNames(misspelt, municipalities)[0], name)
  })
})

// Tests that every example in the tables of docs/search.md is true. `finds` analyses the term and the text as a search
// does, and compares them without an index (reference-matcher.ts).
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { describe, test } from 'node:test'
import { foldName, suggestNames, toMunicipality } from '../../src/domain/municipality.ts'
import { finds } from './reference-matcher.ts'

/** A row of a table: the texts between backticks in its columns. */
interface Example {
  /** The only text of the first column: a search term, the name of a municipality, or a misspelt name. */
  readonly input: string
  /** The second column: what the input finds, is found by or is corrected to. */
  readonly matching: readonly string[]
  /** The third column: what does not match. Empty if the table has two columns. */
  readonly notMatching: readonly string[]
}

/** The rows of all tables whose first column has this heading. */
function readExamples(heading: string): Example[] {
  const rows: Example[] = []
  let isInTable = false
  for (const line of readFileSync(new URL('../../docs/search.md', import.meta.url), 'utf8').split('\n')) {
    if (!line.startsWith('|')) isInTable = false
    else if (isInTable && !line.startsWith('| -')) rows.push(toExample(line))
    else if (line.startsWith(`| ${heading} `)) isInTable = true
  }
  assert.notEqual(rows.length, 0)
  return rows
}

function toExample(line: string): Example {
  const [inputs = [], matching = [], notMatching = []] = line.split('|').slice(1, -1).map(toTexts)
  return { input: inputs[0] ?? '', matching, notMatching }
}

/** The texts between backticks in a cell. In the documents `\n` stands for a line break. */
function toTexts(cell: string): string[] {
  return [...cell.matchAll(/`([^`]+)`/g)].map(([, text = '']) => text.replaceAll('\\n', '\n'))
}

/**
 * An inscription code, the unique name of a record, may tell which of several municipalities with the same name is
 * meant. This one does not.
 */
const unknownCode = ''

describe('docs/search.md', () => {
  for (const { input: term, matching, notMatching } of readExamples('search')) {
    test(`a search for ${term} finds what the document says`, () => {
      for (const text of matching) assert.ok(finds(term, text), `finds ${text}`)
      for (const text of notMatching) assert.ok(!finds(term, text), `does not find ${text}`)
      assert.ok(matching.length > 0)
    })
  }

  for (const { input: name, matching: otherNames, notMatching: unrelatedNames } of readExamples('municipality')) {
    test(`${name} is found by the names that the document says, and not by others`, () => {
      const { lookupKeys, ineCode } = toMunicipality(name, unknownCode)
      assert.notEqual(ineCode, null)
      for (const other of otherNames) assert.ok(lookupKeys.includes(foldName(other)), other)
      for (const other of unrelatedNames) assert.ok(!lookupKeys.includes(foldName(other)), other)
    })
  }

  test('misspelt names get the suggestions in the document', () => {
    const rows = readExamples('asked')
    const municipalities = rows.map(({ matching: [name = ''] }) => toMunicipality(name, unknownCode))
    for (const { input: misspelt, matching } of rows)
      assert.equal(suggestNames(misspelt, municipalities)[0], matching[0])
  })
})

// Checks the text of documents, comments and messages: the width of tables, and words that have a plain substitute.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const documents = ['*.md', 'docs/**/*.md', 'examples/*.md']

const tableColumnsMax = 120

test('no table in a document is wider than 120 columns', () => {
  for (const [path, line, text] of linesOf(documents)) {
    const isTable = text.trimStart().startsWith('|')
    assert.ok(!isTable || [...text].length <= tableColumnsMax, `${path}:${line} has ${[...text].length} columns`)
  }
})

const writtenFiles = ['*.md', 'docs/**', 'src/**', 'web/**', 'bench/*.ts', 'deploy/**']

const replacedWords = /\b(?:mend(?:s|ed|ing)?|bears|whoever|heed(?:s|ed)?|heirs?|crew|turnstile|patience)\b/i

test('archaic and private words are replaced by plain ones', () => {
  for (const [path, line, text] of linesOf(writtenFiles)) {
    assert.ok(!replacedWords.test(text), `${path}:${line}: ${text.trim()}`)
  }
})

/** The lines of all text files of the patterns, numbered from 1. Data files are left out: their words are not ours. */
function* linesOf(patterns: readonly string[]): Generator<[path: string, line: number, text: string]> {
  for (const path of globSync(patterns, { cwd: root, exclude: ['**/data/**'] })) {
    if (!/\.(?:md|ts|tsx|js|html|css)$/.test(path)) continue
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    for (const [index, text] of lines.entries()) yield [path, index + 1, text]
  }
}

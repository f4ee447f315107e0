// Checks the text of documents, comments and messages: the width of tables, and words that have a plain substitute.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

/** Documents whose tables fit. The list grows until it is `*.md` and `docs/**`. */
const documentsWithNarrowTables = [
  '*.md',
  'docs/decisions/*.md',
  'docs/es/*.md',
  'docs/problems/*.md',
  'docs/{api,architecture,glossary,limits,operating,performance,postgres,problems,scaling}.md',
]

const tableColumnsMax = 120

test('no table in a document is wider than 120 columns', () => {
  for (const [path, line, text] of linesOf(documentsWithNarrowTables)) {
    const isTable = text.trimStart().startsWith('|')
    assert.ok(!isTable || [...text].length <= tableColumnsMax, `${path}:${line} has ${[...text].length} columns`)
  }
})

/** Files without the words below. The list grows until it is src, web, docs and the documents of the root. */
const plainFiles = [
  '*.md',
  'docs/decisions/*.md',
  'docs/es/*.md',
  'docs/{api,architecture,glossary,limits,operating,performance,postgres,problems,scaling}.md',
  'docs/{assistants,client,configuration,page,schema}.md',
  'src/analysis/**',
  'src/mcp/**',
]

const replacedWords = /\b(?:mend(?:s|ed|ing)?|bears|whoever|heed(?:s|ed)?|heirs?|crew|turnstile|patience)\b/i

test('archaic and private words are replaced by plain ones', () => {
  for (const [path, line, text] of linesOf(plainFiles)) {
    assert.ok(!replacedWords.test(text), `${path}:${line}: ${text.trim()}`)
  }
})

function* linesOf(patterns: readonly string[]): Generator<[path: string, line: number, text: string]> {
  for (const path of globSync(patterns, { cwd: root, exclude: ['**/data/**'] })) {
    if (!/\.(?:md|ts|tsx|js|html|css)$/.test(path)) continue
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    for (const [index, text] of lines.entries()) yield [path, index + 1, text]
  }
}

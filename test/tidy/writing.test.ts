// Checks the text of documents, comments and messages: the length of table rows, and words with a plain substitute.
import assert from 'node:assert/strict'
import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'

const root = fileURLToPath(new URL('../../', import.meta.url))

const documents = ['*.md', 'docs/**/*.md', 'examples/*.md']

const rowCharactersMax = 120

test('no row of a table in a document is longer than 120 characters', () => {
  for (const [path, line, text] of linesOf(documents)) {
    const isRow = text.trimStart().startsWith('|')
    assert.ok(!isRow || [...text].length <= rowCharactersMax, `${path}:${line} has ${[...text].length} characters`)
  }
})

/** No tests, because this file itself contains the words. */
const filesWithoutTests = ['*.md', '{docs,src,web,bench,examples,scripts,deploy}/**']

const archaicWords = /\b(?:mend(?:s|ed|ing)?|bears|whoever|heed(?:s|ed)?)\b/i

/** Earlier names of parts of this code, such as `Crew` for the workers and `Patience` for `Deadline`. */
const formerNames = /\b(?:heirs?|crew|turnstile|patience)\b/i

test('no text has archaic words, or names that this code no longer uses', () => {
  for (const [path, line, text] of linesOf(filesWithoutTests)) {
    const isPlain = !archaicWords.test(text) && !formerNames.test(text)
    assert.ok(isPlain, `${path}:${line}: ${text.trim()}`)
  }
})

/**
 * The lines of documents, code, web pages and configuration files, numbered from 1. Data files are left out: their
 * words are not ours.
 */
function* linesOf(patterns: readonly string[]): Generator<[path: string, line: number, text: string]> {
  for (const path of globSync(patterns, { cwd: root, exclude: ['**/data/**'] })) {
    if (!/\.(?:md|ts|tsx|js|html|css|sh|conf|service|timer|env|yml)$/.test(path)) continue
    const lines = readFileSync(join(root, path), 'utf8').split('\n')
    for (const [index, text] of lines.entries()) yield [path, index + 1, text]
  }
}

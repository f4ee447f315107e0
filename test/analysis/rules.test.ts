// Runs the examples of the rules for numbers (src/analysis/rules.ts): the spellings of a line find each other, and a
// term does not find what it must not.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { rules } from '../../src/analysis/rules.ts'
import { finds } from './reference-matcher.ts'

describe('the rule', () => {
  for (const { pattern, same = [], found = [], different = [] } of rules) {
    test(pattern, () => {
      for (const spellings of same)
        for (const term of spellings) for (const text of spellings) assert.ok(finds(term, text), `${term} in ${text}`)
      for (const [term, ...texts] of found) for (const text of texts) assert.ok(finds(term, text), `${term} in ${text}`)
      for (const [term, ...texts] of different)
        for (const text of texts) assert.ok(!finds(term, text), `${term} in ${text}`)
    })
  }
})

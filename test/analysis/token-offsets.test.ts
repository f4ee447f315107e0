// Tests of the offsets of the tokens of a text, which the highlighting in the terminal uses.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tokenOffsets } from '../../src/analysis/token-offsets.ts'

test('offsets enclose each token without the punctuation around it', () => {
  const text = 'Plan (P.G.O.U.) de l’Alcúdia, UE-1;2'
  const tokens = tokenOffsets(text).map(({ start, end }) => text.slice(start, end))
  // The last dot of `P.G.O.U.` counts as punctuation after the token.
  assert.deepEqual(tokens, ['Plan', 'P.G.O.U', 'de', 'l’Alcúdia', 'UE-1', '2'])
})

test('the text of a token includes the punctuation that changes its meaning', () => {
  assert.deepEqual(
    tokenOffsets('C/ Mayor No. 5').map(({ text }) => text),
    ['C/', 'Mayor', 'No.', '5'],
  )
})

test('a text without letters or digits has no tokens', () => {
  assert.deepEqual(tokenOffsets(' -- ()'), [])
})

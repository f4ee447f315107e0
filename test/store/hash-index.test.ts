// Hashes in memory: every text is found by its number, those whose hashes are equal included.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hashText } from '../../src/hash.ts'
import { HashIndex, HashIndexWriter } from '../../src/store/sqlite/hash-index.ts'

/** So many that some of them share their hash of 32 bits. */
const codes = Array.from({ length: 300_000 }, (_, number) => `${number % 53}019-${number}`)

function indexOf(some: readonly string[]): HashIndex {
  const writer = new HashIndexWriter()
  for (const code of some) writer.add(hashText(code))
  return new HashIndex(writer.finish())
}

test('every code is found where it is, and one that nobody bears is not', () => {
  const index = indexOf(codes)
  const find = (code: string): number | undefined => index.find(code, (position) => codes[position] === code)
  assert.equal(index.count, codes.length)
  for (const [position, code] of codes.entries()) {
    if (find(code) !== position) assert.fail(`${code} is found at ${find(code)}`)
  }
  assert.equal(find('05019-3000000'), undefined)
  let equalHashes = 0
  for (let nth = 1; nth < index.count; nth++) {
    assert.ok(index.hashAt(nth - 1) <= index.hashAt(nth))
    if (index.hashAt(nth - 1) === index.hashAt(nth)) equalHashes++
  }
  assert.ok(equalHashes > 0, 'there should be codes that only what bears them tells apart')
})

test('an index of nothing finds nothing', () => {
  assert.equal(
    indexOf([]).find('AB-1', () => true),
    undefined,
  )
})

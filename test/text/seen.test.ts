import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Scanner } from '../../src/text/scan.ts'
import { Seen } from '../../src/text/seen.ts'
import { tokenAt } from '../../src/text/token.ts'

test('what comes twice is remembered, what comes once or is very long is not', () => {
  const seen = new Seen<string>(16)
  seen.offer(7, 'plan', 'PLAN')
  assert.equal(seen.find(7, 'plan'), undefined)
  seen.offer(7, 'plan', 'PLAN')
  assert.equal(seen.find(7, 'plan'), 'PLAN')
  assert.equal(seen.find(7, 'plano'), undefined)
  for (let time = 0; time < 2; time++) seen.offer(9, 'x'.repeat(65), 'long')
  assert.equal(seen.find(9, 'x'.repeat(65)), undefined)
})

test('two texts that share a place are both remembered, in whatever turn they come', () => {
  const seen = new Seen<string>(16)
  const [one, other] = [0x0001_0000, 0x0000_0001]
  for (let time = 0; time < 2; time++) {
    seen.offer(one, 'zonas', 'ZONAS')
    seen.offer(other, 'provisional', 'PROVISIONAL')
  }
  assert.deepEqual([seen.find(one, 'zonas'), seen.find(other, 'provisional')], ['ZONAS', 'PROVISIONAL'])
})

test('a token that comes again is the same one, the slash of a street included', () => {
  for (const text of ['ordenanza', 'C/ Mayor', 'C, Mayor', 'UE-1']) {
    const [, second, third] = Array.from({ length: 3 }, () => {
      const scanner = new Scanner(text)
      scanner.advance()
      return tokenAt(scanner)
    })
    assert.equal(second, third, text)
  }
})

test('numbers that follow each other do not drive each other out', () => {
  const numbers = Array.from({ length: 100 }, (_, number) => String(number))
  const meet = () =>
    numbers.map((number) => {
      const scanner = new Scanner(number)
      scanner.advance()
      return tokenAt(scanner)
    })
  const [, second, third] = [meet(), meet(), meet()]
  for (const [index, number] of numbers.entries()) assert.equal(second[index], third[index], number)
})

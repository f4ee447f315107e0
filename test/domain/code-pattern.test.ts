// Tests of the pattern of `--code-pattern`: which patterns are accepted, and what they match.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseCodePattern } from '../../src/domain/code-pattern.ts'
import { numberPartOf, toCodeFormat } from '../../src/domain/inscription-code.ts'

test('a pattern must match the whole code, in upper or lower case, with or without anchors', () => {
  for (const text of ['EXP/\\d{4}/\\d+', '^EXP/\\d{4}/\\d+$']) {
    const parsed = parseCodePattern(text)
    assert.ok('pattern' in parsed, text)
    const { isCode } = toCodeFormat(parsed.pattern)
    for (const code of ['EXP/2025/1', 'exp/2025/00019']) assert.equal(isCode(code), true, code)
    for (const code of ['xEXP/2025/1', 'EXP/2025/1x', 'EXP/2025/', '', ' EXP/2025/1']) assert.equal(isCode(code), false)
  }
})

test('no pattern accepts control characters, emojis, long codes, or codes without a letter or digit', () => {
  const { isCode } = toCodeFormat('.+')
  // A code has at most 200 characters.
  for (const code of ['a\u0001', '..', '/', '😀1', 'a'.repeat(201)]) assert.equal(isCode(code), false, code)
  assert.equal(isCode('135/2025/00019'), true)
})

test('a pattern is refused if it could be slow, is invalid or too long, or matches the empty text', () => {
  // A pattern is `unsafe` if it has a back reference, lookaround, a named group, or a repeated group that can match in
  // several ways, because of a repetition or alternatives in it. It is `slow` if a text could make matching take too
  // many steps. It is `too long` if it has more than 200 characters.
  for (const [text, fault] of [
    ['(a+)+b', 'unsafe'],
    ['(?:a|aa)*b', 'unsafe'],
    ['(?:[a-z]+\\d?){2,}', 'unsafe'],
    ['(a)\\1', 'unsafe'],
    ['(?=a).+', 'unsafe'],
    ['(?<n>a)+', 'unsafe'],
    [`${'.*'.repeat(20)}x`, 'slow'],
    [`${'\\d*'.repeat(8)}x`, 'slow'],
    [`${'[a-z]+'.repeat(10)}x`, 'slow'],
    [`x${'\\d*'.repeat(8)}`, 'slow'],
    ['PL\\d*-?\\d*-?\\d*-?\\d*-?\\d*-?', 'slow'],
    ['(ab)+'.repeat(10), 'slow'],
    [`(?:${'\\d{0,9}'.repeat(6)}|x)-`, 'slow'],
    // Each group matches the letter `a` in three ways, so 15 of them match it in 3 ** 15 ways.
    ['(?:a|a|a)'.repeat(15), 'slow'],
    // All these repetitions can match the letter `a`, which is written as `\u0061` and `\x61` too.
    ['\\u0061*?\\x61*?[^b]*?\\b\\p{L}*?x', 'slow'],
    ['(', 'invalid'],
    // Valid only inside other parentheses.
    ['a)(\\w+\\w+\\w+\\w+\\w+', 'invalid'],
    ['a|b)+(c', 'invalid'],
    ['\\d*', 'matches the empty text'],
    ['a'.repeat(201), 'too long'],
  ] as const) {
    assert.deepEqual(parseCodePattern(text), { fault }, text)
  }
})

test('usual patterns are accepted', () => {
  for (const text of [
    '\\d+/\\d{4}/\\d{5}',
    '[A-Z]{2}-\\d+(?:-\\d+)?',
    '(?:PP|PG|PE)\\.\\d+',
    // A group with a fixed repetition can match in only one way, so it may be repeated.
    '[\\p{L}\\d]+(?:/\\d{2}){2}',
    '[\\p{L}\\p{N}._/-]+-\\d+',
    '\\d{5}-(?:PU|PGOU|PERI|NNSS)-\\d{8}-\\d+',
    '.+/\\d{4}/.+',
    '(\\d+)/(\\d+)(?:-\\d+)?(?:/[A-Z]+)?|EXP \\d+',
    // A repetition of letters ends at the first digit, and one of digits at the first letter: there is only one way.
    '[A-Z]+\\d+'.repeat(20),
    // Like the `slow` pattern that begins with `PL`, but with four repetitions, each of at most eight digits.
    'PL\\d{0,8}-?\\d{0,8}-?\\d{0,8}-?\\d{0,8}-?',
    // Anchors inside the pattern.
    'A\\d+$|^B\\d+',
  ]) {
    assert.deepEqual(parseCodePattern(text), { pattern: text })
  }
})

test('the number of a record is that of its code, or what the pattern names; another part would be a guess', () => {
  assert.equal(numberPartOf('135/2025/00019'), '')
  const cases = [
    ['\\d+/\\d{4}', '356/2009', '356/2009'],
    ['PLA/\\d{4}/(?<number>\\d+)', 'PLA/2024/0135', '0135'],
    ['(?<number>\\d+)|X-\\d+', 'x-7', 'x-7'],
  ]
  for (const [pattern = '', code = '', number] of cases) {
    assert.deepEqual(parseCodePattern(pattern), { pattern })
    assert.equal(toCodeFormat(pattern).numberOf(code), number, code)
  }
  assert.equal(numberPartOf('03082-1101'), '1101')
})

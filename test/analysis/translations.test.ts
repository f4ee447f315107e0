// Tests the table of words in four languages (src/analysis/translations.ts).
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { stemWord } from '../../src/analysis/stemmer.ts'
import { translations } from '../../src/analysis/translations.ts'
import { finds } from './reference-matcher.ts'

describe('the translations', () => {
  test('find each other, in every language', () => {
    for (const { spanish, catalan, galician, basque } of translations) {
      const [first = ''] = spanish
      for (const word of [...catalan, ...galician, ...basque]) {
        assert.ok(finds(word, first), `${word} finds ${first}`)
        for (const other of [...spanish, ...catalan, ...galician, ...basque])
          assert.ok(finds(other, word), `${other} finds ${word}`)
      }
    }
  })

  test('have each word once, and none that is the Spanish word of another line', () => {
    const lines = new Map<string, string>()
    for (const { spanish } of translations) for (const word of spanish) lines.set(stemWord(word), spanish.join('/'))
    for (const { spanish, catalan, galician, basque } of translations) {
      const line = spanish.join('/')
      for (const word of new Set([...catalan, ...galician, ...basque].map((form) => stemWord(form)))) {
        const known = lines.get(word) ?? line
        assert.ok(known === line || spanish.includes(known), `${word} is in the lines of ${known} and ${line}`)
        lines.set(word, line)
      }
    }
  })

  test('are other words than those of names and of Spanish that look alike', () => {
    for (const [term, text] of [
      ['puerta', 'Porto'],
      ['andamio', 'Estados Unidos'],
      ['plan', 'La Plana'],
      ['línea', 'telas de lino'],
      ['zanja', 'cielo raso'],
      ['viejo', 'Zahara'],
    ] as const)
      assert.ok(!finds(term, text), `${term} does not find ${text}`)
  })
})

// Tests of neighbours: in which titles the words of a term are side by side, in the order typed.
import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { finds, findsSideBySide } from './reference-matcher.ts'

/** For each term, titles with its words side by side, and titles with its words apart or in another order. */
const examples: readonly (readonly [term: string, sideBySide: readonly string[], apart: readonly string[]])[] = [
  ['serrano 69', ['Serrano, 69', 'C/ Serrano nº 69'], ['Serrano, 67 y 69', 'Goya, 69 c/v Serrano', '69 Serrano']],
  ['serrano nº 69', ['Serrano, 69', 'Serrano núm. 69'], ['Serrano, 67 y nº 69']],
  ['paseo castellana', ['Paseo de la Castellana', 'Pº Castellana'], ['Paseo nuevo de la Castellana']],
  ['plan parcial norte', ['Plan Parcial del Norte', 'PP Norte', 'P.P. "Norte"'], ['Norte: plan parcial']],
  ['PP norte', ['Plan Parcial Norte', 'PP Norte'], ['PP del sector norte']],
  ['reforma interior', ['PERI Matadero', 'Reforma Interior'], ['Interior: reforma']],
  ['UE 4 sur', ['UE-4 Sur', 'Unidad de Ejecución nº 4 "Sur"'], ['Sur, UE-4']],
  ['modificación nº 5', ['Modificación nº 5', 'Mod. nº V'], ['Modificación Puntual nº 5']],
  ['calle infantas 5', ['Infantas, 5', 'C/ de las Infantas, 5'], ['Infantas, 3 y 5']],
  ['goya esquina lagasca', ['Goya c/v Lagasca', 'Goya esq. a Lagasca'], ['Goya, 5 c/v Lagasca', 'Lagasca c/v Goya']],
  ['"plan parcial" norte', ['Plan Parcial Norte'], ['Plan Parcial, sector norte']],
]

describe('words side by side in a title', () => {
  for (const [term, sideBySide, apart] of examples) {
    test(`are distinguished from words apart: ${term}`, () => {
      for (const title of sideBySide) assert.ok(findsSideBySide(term, title), title)
      for (const title of apart) assert.ok(finds(term, title) && !findsSideBySide(term, title), title)
    })
  }

  test('are not looked for with a single word, a word and a prefix, stop words alone or an empty term', () => {
    for (const term of ['serrano', 'plan parc*', 'de la', '"de la"', '']) {
      assert.deepEqual(analyseTerm(term).neighbours, [], term)
    }
  })

  test('are recognised in a term with "number" or an abbreviation of it, and a number of several parts', () => {
    for (const number of ['3/2004', '3.1', '12-A', '12345/04']) {
      for (const abbreviation of ['nº', 'No.', 'N.', 'n']) {
        const title = `Modificación ${abbreviation} ${number} del PGOU`
        assert.ok(findsSideBySide(title, title), title)
      }
      assert.ok(!findsSideBySide(`modificación nº ${number}`, `Modificación del Sector nº ${number}`))
    }
  })
})

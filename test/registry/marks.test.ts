// Tests of the marks of matching words in titles.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { findMarks } from '../../src/registry/marks.ts'

/** The parts of the title that are marked. */
function marked(title: string, term: string): string[] {
  return findMarks(title, analyseTerm(term)).marks.map(([start, end]) => title.slice(start, end))
}

suite('marks', () => {
  test('marks a word in another inflection, case or accent', () => {
    assert.deepEqual(marked('Suelos URBANIZABLES y rústicos', 'urbanizable rustico'), ['URBANIZABLES', 'rústicos'])
  })

  test('marks adjacent words as one fragment', () => {
    assert.deepEqual(marked('Homologación del Plan Parcial R-2', 'plan parcial'), ['Plan Parcial'])
  })

  test('marks a dotted abbreviation up to its last letter', () => {
    assert.deepEqual(marked('Modificación del P.G.O.U. de Ávila', 'pgou'), ['P.G.O.U'])
  })

  test('marks the words that an abbreviation in the term stands for, and the reverse', () => {
    const title = 'Plan Especial de Reforma Interior UE 9'
    assert.deepEqual(marked(title, 'peri'), ['Plan Especial de Reforma Interior'])
    assert.deepEqual(marked('PERI UE-37', 'plan especial de reforma interior'), ['PERI'])
  })

  test('marks a code in any spelling', () => {
    for (const title of ['PERI UE-1', 'PERI U.E.-1', 'PERI UE1']) assert.equal(marked(title, 'UE-1').length, 1, title)
  })

  test('marks a word that starts with a prefix', () => {
    assert.deepEqual(marked('Estudio de detalle urbano', 'urb*'), ['urbano'])
  })

  test('marks a phrase only where all its words occur together', () => {
    assert.deepEqual(marked('Plan de detalle, plan parcial', '"plan parcial"'), ['plan parcial'])
  })

  test('marks only the matching token of text without spaces', () => {
    assert.deepEqual(marked('=SUMA(zumacales)[2004]', 'zumacal'), ['zumacales'])
    assert.deepEqual(marked('Sector UE-1(ampliación)', 'ue1'), ['UE-1'])
  })

  test('marks an abbreviation that is known only by its punctuation, such as C/ for calle', () => {
    assert.deepEqual(marked('Reforma en C/ Mayor', 'calle mayor'), ['C/ Mayor'])
  })

  test('marks a thing with its number, in any spelling', () => {
    assert.deepEqual(marked('Fase II del sector 3', 'segunda fase'), ['Fase II'])
  })

  test('marks nothing for a term without words, or in an empty title', () => {
    assert.deepEqual(marked('Plan', '"'), [])
    assert.deepEqual(marked('', 'plan'), [])
  })
})

// Tests of the highlighting of matching words in titles.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { highlightWords } from '../../web/highlight.ts'

/** The parts of the title that are highlighted. All parts together must be the title. */
function highlighted(title: string, term: string): string[] {
  const fragments = highlightWords(title, term)
  assert.equal(fragments.map(({ text }) => text).join(''), title)
  return fragments.filter(({ isMatch }) => isMatch).map(({ text }) => text)
}

suite('highlighting', () => {
  test('highlights a word in another inflection, case or accent', () => {
    assert.deepEqual(highlighted('Suelos URBANIZABLES y rústicos', 'urbanizable rustico'), ['URBANIZABLES', 'rústicos'])
  })

  test('highlights adjacent words as one fragment', () => {
    assert.deepEqual(highlighted('Homologación del Plan Parcial R-2', 'plan parcial'), ['Plan Parcial'])
  })

  test('highlights a dotted abbreviation up to its last letter', () => {
    assert.deepEqual(highlighted('Modificación del P.G.O.U. de Ávila', 'pgou'), ['P.G.O.U'])
  })

  test('highlights the words that an abbreviation in the term stands for, and the reverse', () => {
    const title = 'Plan Especial de Reforma Interior UE 9'
    assert.deepEqual(highlighted(title, 'peri'), ['Plan Especial de Reforma Interior'])
    assert.deepEqual(highlighted('PERI UE-37', 'plan especial de reforma interior'), ['PERI'])
  })

  test('highlights a code in any spelling', () => {
    for (const title of ['PERI UE-1', 'PERI U.E.-1', 'PERI UE1'])
      assert.equal(highlighted(title, 'UE-1').length, 1, title)
  })

  test('highlights a word that starts with a prefix', () => {
    assert.deepEqual(highlighted('Estudio de detalle urbano', 'urb*'), ['urbano'])
  })

  test('highlights a phrase only where all its words occur together', () => {
    assert.deepEqual(highlighted('Plan de detalle, plan parcial', '"plan parcial"'), ['plan parcial'])
  })

  test('highlights only the matching token of text without spaces', () => {
    assert.deepEqual(highlighted('=SUMA(zumacales)[2004]', 'zumacal'), ['zumacales'])
    assert.deepEqual(highlighted('Sector UE-1(ampliación)', 'ue1'), ['UE-1'])
  })

  test('highlights an abbreviation that is known only by its punctuation, such as C/ for calle', () => {
    assert.deepEqual(highlighted('Reforma en C/ Mayor', 'calle mayor'), ['C/ Mayor'])
  })

  test('highlights a thing with its number, in any spelling', () => {
    assert.deepEqual(highlighted('Fase II del sector 3', 'segunda fase'), ['Fase II'])
  })

  test('highlights nothing for a term without words, or in an empty title', () => {
    assert.deepEqual(highlighted('Plan', '"'), [])
    assert.deepEqual(highlighted('', 'plan'), [])
  })
})

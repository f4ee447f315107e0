// Which words of a title are marked: those that made the record come up, in the form they stand in.
import assert from 'node:assert/strict'
import { suite, test } from 'node:test'
import { highlightWords } from '../../web/highlight.ts'

function marked(title: string, term: string): string[] {
  const parts = highlightWords(title, term)
  assert.equal(parts.map(({ text }) => text).join(''), title)
  return parts.filter((part) => part.marked).map(({ text }) => text)
}

suite('marking', () => {
  test('marks a word in another form, case and accent', () => {
    assert.deepEqual(marked('Suelos URBANIZABLES y rústicos', 'urbanizable rustico'), ['URBANIZABLES', 'rústicos'])
  })

  test('marks words side by side as one stretch', () => {
    assert.deepEqual(marked('Homologación del Plan Parcial R-2', 'plan parcial'), ['Plan Parcial'])
  })

  test('marks a dotted abbreviation', () => {
    assert.deepEqual(marked('Modificación del P.G.O.U. de Ávila', 'pgou'), ['P.G.O.U'])
  })

  test('marks what is written in full where the term abbreviates it, and the other way round', () => {
    const title = 'Plan Especial de Reforma Interior UE 9'
    assert.deepEqual(marked(title, 'peri'), ['Plan Especial de Reforma Interior'])
    assert.deepEqual(marked('PERI UE-37', 'plan especial de reforma interior'), ['PERI'])
  })

  test('marks a code however it is split', () => {
    for (const title of ['PERI UE-1', 'PERI U.E.-1', 'PERI UE1']) assert.equal(marked(title, 'UE-1').length, 1, title)
  })

  test('marks the beginning that an asterisk stands for, and a phrase only where it stands whole', () => {
    assert.deepEqual(marked('Estudio de detalle urbano', 'urb*'), ['urbano'])
    assert.deepEqual(marked('Plan de detalle, plan parcial', '"plan parcial"'), ['plan parcial'])
  })

  test('marks nothing for a term without words', () => {
    assert.deepEqual(marked('Plan', '"'), [])
    assert.deepEqual(marked('', 'plan'), [])
  })
})

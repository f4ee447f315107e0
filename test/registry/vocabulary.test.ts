// Tests of the vocabulary of a snapshot, its most frequent words, by which search terms are corrected: which words it
// has, how they are written, and which are similar to a misspelt one. Also tests the cost
// of typing errors, by which similar words are found.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editCost } from '../../src/domain/edit-cost.ts'
import { createRegistry } from '../create-registry.ts'
import { seed } from '../seed.ts'

/** How many similar words are asked for. */
const nearestMax = 5

test('the vocabulary has words of titles and frequent words of contents, with accents', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf([
    { code: 'A-1', title: 'REHABILITACION ENERGETICA', content: 'edificación raro' },
    { code: 'A-2', title: 'Rehabilitación energética nº 5', content: 'edificación' },
    { code: 'A-3', title: 'Rehabilitacion', content: 'edificación' },
  ])
  // Requests at the same time share one vocabulary.
  const [vocabulary, sameVocabulary] = await Promise.all([snapshot.readVocabulary(), snapshot.readVocabulary()])
  assert.equal(sameVocabulary, vocabulary)
  // The weight is how often titles have the word or, if no title has it, the number of contents with it. The spelling
  // with the accent is chosen, although more titles omit the accent.
  assert.deepEqual(vocabulary.find('rehabilitacion'), { spelling: 'rehabilitación', weight: 3 })
  assert.deepEqual(vocabulary.find('edificacion'), { spelling: 'edificación', weight: 3 })
  const absent = {
    raro: 'in fewer than three contents',
    no: 'only part of `nº`',
    rehabilitación: 'not folded',
    '5': 'without letters',
    '': 'empty',
  }
  for (const [word, reason] of Object.entries(absent)) assert.equal(vocabulary.find(word), undefined, reason)
  const spellingsNear = (word: string): string[] =>
    vocabulary.findNearest(word, nearestMax).map(({ spelling }) => spelling)
  assert.deepEqual(spellingsNear('energetca'), ['energética'])
  assert.deepEqual(spellingsNear('edifikasion'), ['edificación'])
  // The word itself is not among the nearest.
  assert.deepEqual(spellingsNear('energetica'), [])
  // The vocabulary is read once: a later call returns the same object.
  assert.equal(await snapshot.readVocabulary(), vocabulary)
})

test('a registry without records has an empty vocabulary', async () => {
  await using registry = await createRegistry()
  const vocabulary = await (await registry.snapshotOf([])).readVocabulary()
  assert.equal(vocabulary.find('plan'), undefined)
  assert.deepEqual(vocabulary.findNearest('plan', nearestMax), [])
})

test('a frequent word comes before a rare one at the same distance', async () => {
  await using registry = await createRegistry()
  const many = Array.from({ length: 50 }, (_, index) => ({ code: `A-${index}`, title: 'Plaza Mayor' }))
  const snapshot = await registry.snapshotOf([
    ...many,
    { code: 'B-1', title: 'Mauor' },
    { code: 'B-2', title: 'Majos' },
  ])
  // `mayor`, `mauor` and `majos` differ from `major` in one letter each.
  const nearest = (await snapshot.readVocabulary()).findNearest('major', nearestMax)
  assert.equal(nearest[0]?.spelling, 'mayor')
  assert.equal(nearest.length, 3, 'the others are mauor and majos')
})

test('an error that is hard to hear or see costs less than a wrong letter', () => {
  const costMax = 3
  const cost = (typed: string, meant: string): number => editCost(typed, meant, costMax)
  assert.equal(cost('vivienda', 'vivienda'), 0)
  // Half an edit: letters that sound alike, a missing `h`, `y` for `ll` or the reverse, a doubled letter.
  assert.equal(cost('bivienda', 'vivienda'), 0.5)
  assert.equal(cost('uerta', 'huerta'), 0.5)
  assert.equal(cost('caye', 'calle'), 0.5)
  assert.equal(cost('mallor', 'mayor'), 0.5)
  assert.equal(cost('proteccción', 'protección'), 0.5)
  assert.equal(cost('serano', 'serrano'), 0.5)
  // Two letters in the wrong order, then a wrong and a missing letter.
  assert.equal(cost('paln', 'plan'), 0.75)
  assert.equal(cost('plsn', 'plan'), 1)
  assert.equal(cost('pla', 'plan'), 1)
  // The words differ by more than the limit of 2.
  assert.equal(editCost('gasolinera', 'reparcelacion', 2), Number.POSITIVE_INFINITY)
})

/** A typing error at the place `index` of a word. */
interface TypingError {
  readonly kind: 'insert' | 'delete' | 'replace' | 'swap'
  readonly index: number
  /** The letter that is inserted or replaces another. */
  readonly letter: string
}

function applyError(word: string, { kind, index, letter }: TypingError): string {
  const before = word.slice(0, index)
  const after = word.slice(index + 1)
  switch (kind) {
    case 'insert':
      return before + letter + word.slice(index)
    case 'delete':
      return before + after
    case 'replace':
      return before + letter + after
    case 'swap':
      return before + after.slice(0, 1) + word.charAt(index) + after.slice(1)
  }
}

test('any single error costs at most 1, and the limit changes no cost below it', () => {
  const letters = 'abhlyiv'
  const anyWord = fc.string({ unit: fc.constantFrom(...letters), minLength: 5, maxLength: 12 })
  const anyError = fc.record({
    kind: fc.constantFrom('insert', 'delete', 'replace', 'swap'),
    index: fc.nat(),
    letter: fc.constantFrom(...letters),
  })
  fc.assert(
    fc.property(anyWord, fc.array(anyError, { maxLength: 2 }), (meant, errors) => {
      let typed = meant
      for (const error of errors) typed = applyError(typed, { ...error, index: error.index % typed.length })
      const cost = editCost(typed, meant, Number.POSITIVE_INFINITY)
      // Two errors at the same place may cost more than 2, such as a letter inserted between two that were swapped.
      if (errors.length < 2) assert.ok(cost <= errors.length)
      const costMax = 2
      const limited = editCost(typed, meant, costMax)
      assert.ok(cost <= costMax ? limited === cost : limited > costMax)
    }),
    { seed },
  )
})

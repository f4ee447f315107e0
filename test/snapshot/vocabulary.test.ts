// The vocabulary of a snapshot on both engines: which words it has, how they are written, and which are similar.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editCost } from '../../src/domain/edit-cost.ts'
import { engines } from '../engines.ts'

for (const engine of engines) {
  test(`${engine.name}: the vocabulary has words of titles and frequent words of contents, with accents`, async () => {
    await using registry = await engine.createRegistry()
    const snapshot = await registry.snapshotOf([
      { code: 'A-1', title: 'REHABILITACION ENERGETICA', content: 'edificación raro' },
      { code: 'A-2', title: 'Rehabilitación energética nº 5', content: 'edificación' },
      { code: 'A-3', title: 'Rehabilitacion', content: 'edificación' },
    ])
    const vocabulary = await snapshot.vocabulary()
    assert.deepEqual(vocabulary.find('rehabilitacion'), { spelling: 'rehabilitación', weight: 3 })
    assert.deepEqual(vocabulary.find('edificacion'), { spelling: 'edificación', weight: 3 })
    // In this order: too rare, part of `nº`, not folded, without letters, empty.
    for (const word of ['raro', 'no', 'rehabilitación', '5', '']) assert.equal(vocabulary.find(word), undefined, word)
    const spellingsNear = (word: string): string[] => vocabulary.findNearest(word, 5).map(({ spelling }) => spelling)
    assert.deepEqual(spellingsNear('energetca'), ['energética'])
    assert.deepEqual(spellingsNear('edifikasion'), ['edificación'])
    assert.deepEqual(spellingsNear('energetica'), [])
    // It is read once: the second call returns the same object.
    assert.equal(await snapshot.vocabulary(), vocabulary)
  })

  test(`${engine.name}: a registry without records has an empty vocabulary`, async () => {
    await using registry = await engine.createRegistry()
    const vocabulary = await (await registry.snapshotOf([])).vocabulary()
    assert.equal(vocabulary.find('plan'), undefined)
    assert.deepEqual(vocabulary.findNearest('plan', 5), [])
  })
}

test('a frequent word comes before a rare one at the same distance', async () => {
  const [engine] = engines
  await using registry = await (engine as (typeof engines)[number]).createRegistry()
  const many = Array.from({ length: 50 }, (_, index) => ({ code: `A-${index}`, title: 'Plaza Mayor' }))
  const snapshot = await registry.snapshotOf([
    ...many,
    { code: 'B-1', title: 'Mauor' },
    { code: 'B-2', title: 'Majos' },
  ])
  const nearest = (await snapshot.vocabulary()).findNearest('major', 5)
  assert.equal(nearest[0]?.spelling, 'mayor')
  // The others are `mauor` and `majos`.
  assert.equal(nearest.length, 3)
})

test('an error that is hard to hear or see costs less than a wrong letter', () => {
  const costMax = 3
  const cost = (typed: string, meant: string): number => editCost(typed, meant, costMax)
  assert.equal(cost('vivienda', 'vivienda'), 0)
  assert.equal(cost('bivienda', 'vivienda'), 0.5)
  assert.equal(cost('uerta', 'huerta'), 0.5)
  assert.equal(cost('caye', 'calle'), 0.5)
  assert.equal(cost('mallor', 'mayor'), 0.5)
  assert.equal(cost('proteccción', 'protección'), 0.5)
  assert.equal(cost('serano', 'serrano'), 0.5)
  assert.equal(cost('paln', 'plan'), 0.75)
  assert.equal(cost('plsn', 'plan'), 1)
  assert.equal(cost('pla', 'plan'), 1)
  assert.equal(editCost('gasolinera', 'reparcelacion', 2), Number.POSITIVE_INFINITY)
})

test('a high limit on how far letters move changes no cost, and a low one finds any single error', () => {
  const anyWord = fc.string({ unit: fc.constantFrom(...'abhlyiv'), minLength: 5, maxLength: 12 })
  const anyError = fc.tuple(
    fc.constantFrom('insert', 'delete', 'replace', 'swap'),
    fc.nat(),
    fc.constantFrom(...'abhlyiv'),
  )
  fc.assert(
    fc.property(anyWord, fc.array(anyError, { maxLength: 2 }), (meant, errors) => {
      let typed = meant
      for (const [kind, number, letter] of errors) {
        const at = number % typed.length
        const [before, after] = [typed.slice(0, at), typed.slice(at + 1)]
        if (kind === 'insert') typed = before + letter + typed.slice(at)
        else if (kind === 'delete') typed = before + after
        else if (kind === 'replace') typed = before + letter + after
        else typed = before + after.slice(0, 1) + typed.charAt(at) + after.slice(1)
      }
      const costMax = 2
      const unlimited = editCost(typed, meant, costMax)
      // With the low limit the cost may be higher: many cheap edits, which move letters further, can cost less than
      // the two errors that were made.
      const lowShiftMax = 2
      assert.ok(editCost(typed, meant, costMax, lowShiftMax) >= unlimited)
      // Two errors at the same place may cost more than two: a letter inside two that were swapped.
      if (errors.length < 2) assert.ok(editCost(typed, meant, costMax, lowShiftMax) <= errors.length)
      const highShiftMax = 12
      assert.equal(editCost(typed, meant, costMax, highShiftMax), unlimited)
    }),
  )
  // Three letters are missing, which shifts the others by three places.
  assert.equal(editCost('abcdef', 'xyzabcdef', 4, 2), Number.POSITIVE_INFINITY)
})

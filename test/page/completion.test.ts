// Tests of the completion of municipality names while the user types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeName } from '../../web/completion.ts'

const municipalities = [
  { name: 'Ejido, El', ine_code: '04902', other_names: [], records: 3, first_year: 2004, last_year: 2010 },
  { name: 'Ávila', ine_code: '05019', other_names: [], records: 2, first_year: 2004, last_year: 2010 },
]

test('a name is completed with its article after it or before it', () => {
  for (const typed of ['ejido', 'El Ej', 'el ejido', 'Ejido, E']) {
    assert.deepEqual(
      completeName(typed, municipalities).map(({ name }) => name),
      ['Ejido, El'],
      typed,
    )
  }
  // The article of this name is El, not La.
  assert.deepEqual(completeName('la ej', municipalities), [])
})

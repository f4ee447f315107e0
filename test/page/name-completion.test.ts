// Tests of the completion of municipality names while the user types.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { completeName } from '../../web/name-completion.ts'

const municipalities = [
  { name: 'Ejido, El', ineCode: '04902', otherNames: [], lookupKeys: [], records: 3, firstYear: 2004, lastYear: 2010 },
  { name: 'Ávila', ineCode: '05019', otherNames: [], lookupKeys: [], records: 2, firstYear: 2004, lastYear: 2010 },
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

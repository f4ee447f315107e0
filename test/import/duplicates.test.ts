// Rows with the same code: `--duplicates refuse|first|last|merge`.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { assertUsageError, makeRegistry } from './registry.ts'

/** Three rows have the code A-1, one of them in lower case. The import does not read the column `Notas`. */
const csvLines = [
  'code;id;title;area;municipality;checkin_date;links;content;Notas',
  'A-1;1;Plan;Norte;Ibi;2004-05-18;https://example.org/1.pdf;volumetría;x',
  'B-1;2;Otro;;Ibi;2004-05-18;;;',
  'a-1;3;Plan bis;Sur;Ibi;2005-05-18;https://example.org/2.pdf;edificabilidad;y',
  'A-1;4;Plan;Norte;Ibi;2006-05-18;https://example.org/3.pdf;;z',
]

test('rows with the same code are refused, one of them stays, or they are merged', async (t) => {
  const registry = await makeRegistry(t)
  const source = await registry.write('r.csv', `${csvLines.join('\n')}\n`)
  const importWith = (rule: string) => registry.runImport(source, '--duplicates', rule)
  assert.equal((await importWith('refuse')).status, 1)
  await assertUsageError(
    [source, '--database', `sqlite:${registry.file}`, '--duplicates', 'none'],
    /^Cannot read --duplicates: expected refuse, first, last, merge, got "none"$/,
  )

  const first = await importWith('first')
  assert.match(first.stdout, /duplicates {6}2 rows left out, because another row has the same code\n/)
  // The titles of the rows with the code A-1 have the word `plan`, that of B-1 does not.
  const idsOf = async (term: string) => (await registry.search(term)).map(({ id }) => id)
  assert.deepEqual(await idsOf('plan'), ['1'])
  assert.equal((await importWith('last')).status, 0)
  assert.deepEqual(await idsOf('plan'), ['4'])

  const merged = await importWith('merge')
  assert.match(merged.stdout, /^published 2 records/)
  assert.match(merged.stdout, /2 rows merged into the record with the same code\n/)
  // The three rows of A-1 have three addresses; a record has only `links` and `agreement_link`.
  assert.match(merged.stdout, /warning .*room for two addresses: 1 more/)
  const [record] = await registry.search('edificabilidad')
  assert.equal(record?.id, '1')
  assert.equal(record?.area, 'Norte; Sur')
  assert.equal(record?.checkin_date, '2004-05-18')
  assert.equal(record?.links, 'https://example.org/1.pdf')
  assert.equal(record?.agreement_link, 'https://example.org/2.pdf')
  assert.deepEqual(await idsOf('volumetría'), ['1'])
})

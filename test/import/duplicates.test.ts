// Rows with the same code: `--duplicates refuse|first|last|merge`.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import type { WireRecord } from '../../src/domain/record.ts'
import { runCommand } from '../command.ts'
import { makeFolder } from './folder.ts'

/** Three rows have the code A-1, one of them in lower case. The import does not read the column `Notas`. */
const csvLines = [
  'code;id;title;area;municipality;checkin_date;links;content;Notas',
  'A-1;1;Plan;Norte;Ibi;2004-05-18;https://example.org/1.pdf;volumetría;x',
  'B-1;2;Otro;;Ibi;2004-05-18;;;',
  'a-1;3;Plan bis;Sur;Ibi;2005-05-18;https://example.org/2.pdf;edificabilidad;y',
  'A-1;4;Plan;Norte;Ibi;2006-05-18;https://example.org/3.pdf;;z',
]

test('rows with the same code are refused, one of them stays, or they are merged', async (t) => {
  const folder = await makeFolder(t)
  const source = await folder.write('r.csv', `${csvLines.join('\n')}\n`)
  /** Imports the rows with `--duplicates rule`. Returns the output, and a search in what was published. */
  const importWith = async (rule: string) => {
    const database = `sqlite:${join(folder.path, `${rule}.db`)}`
    const imported = await runCommand(['import', source, '--database', database, '--duplicates', rule])
    const search = async (...args: string[]): Promise<WireRecord[]> => {
      const { stdout } = await runCommand(['search', '--database', database, '--ndjson', ...args])
      return stdout
        .split('\n')
        .filter((line) => line !== '')
        .map((line) => JSON.parse(line))
    }
    return { ...imported, search }
  }
  assert.equal((await importWith('refuse')).status, 1)
  assert.equal((await importWith('none')).status, 2, 'there is no such rule')

  const first = await importWith('first')
  assert.match(first.stdout, /duplicates {6}2 rows left out, because another row has the same code\n/)
  assert.equal((await first.search('--code', 'A-1'))[0]?.id, '1')
  const last = await importWith('last')
  assert.equal((await last.search('--code', 'A-1'))[0]?.id, '4')

  const merged = await importWith('merge')
  assert.match(merged.stdout, /^published 2 records/)
  assert.match(merged.stdout, /2 rows merged into the record with the same code\n/)
  // The three rows of A-1 have three addresses; a record has only `links` and `agreement_link`.
  assert.match(merged.stdout, /warning .*room for two addresses: 1 more/)
  const [record] = await merged.search('edificabilidad')
  assert.equal(record?.id, '1')
  assert.equal(record?.area, 'Norte; Sur')
  assert.equal(record?.checkin_date, '2004-05-18')
  assert.equal(record?.links, 'https://example.org/1.pdf')
  assert.equal(record?.agreement_link, 'https://example.org/2.pdf')
  assert.equal((await merged.search('volumetría'))[0]?.id, '1')
})

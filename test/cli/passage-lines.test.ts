// The lines of `search --passages`, and the command on a registry with documents. A passage is a piece of a document
// around the words of the search. Its `marks` are the offsets of these words in its text.
import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import { toPassageLines } from '../../src/cli/passage-lines.ts'
import { terminalStyle } from '../../src/cli/style.ts'
import type { ClientRecord } from '../../src/client/client.ts'
import { runCommand } from '../command.ts'
import { documentOf } from '../registry/paged-document.ts'
import { publishRecords } from '../service.ts'
import { makeTemporaryFolder } from './temporary-folder.ts'

test('a line has the page, which links to the document, and the matching words in bold', () => {
  const passage = { document: 1, page: 37, text: '… y \u001bmiradores', marks: [[4, 14]], recognised: false } as const
  const document = { href: null, pages: 512, read: 512, recognised: 0, unread: 0, reason: null, sha256: null }
  // `toPassageLines` reads only these two fields.
  const record = { documents: [document], passages: [{ ...passage, href: 'https://a.example/m.pdf#page=37' }] }
  const [line] = toPassageLines(record as unknown as ClientRecord, terminalStyle)
  // The control character before `miradores`, which belongs to the marked text, becomes a space.
  // `ESC ]8;;ADDRESS ESC \` begins a link, and without an address ends it. `ESC [1m` begins bold, `ESC [22m` ends it.
  assert.equal(
    line,
    '\x1b]8;;https://a.example/m.pdf#page=37\x1b\\page 37 of 512\x1b]8;;\x1b\\: … y \x1b[1m miradores\x1b[22m',
  )
})

test('a record without passages has no lines', () => {
  assert.deepEqual(toPassageLines({} as ClientRecord), [])
})

test('search --passages prints passages in the table, JSON and CSV, and requires words', async (t) => {
  const database = `sqlite:${join(await makeTemporaryFolder(t), 'registry.db')}`
  // The command requests 50 records with passages at a time, so this result takes three requests.
  const records = Array.from({ length: 120 }, (_, index) => ({
    code: `A-${index + 1}`,
    title: 'Plan',
    documents: [documentOf(['Portada', `Los molinos harineros ${index + 1}.`])],
  }))
  await publishRecords(database, records)
  const search = (...args: string[]) => runCommand(['search', ...args, '--database', database])
  const table = (await search('molino', '--passages')).stdout.trimEnd().split('\n')
  assert.equal(table.length, 1 + records.length)
  assert.match(table[0] ?? '', /\tPASSAGES$/)
  assert.match(table[1] ?? '', /\tpage 2 of 2: Los molinos harineros \d+\.$/)
  const json = JSON.parse((await search('molino', '--passages', '--json', '--limit', '60')).stdout)
  assert.equal(json.resultadoBusqueda.length, 60)
  // `molinos` in `Los molinos harineros`.
  assert.deepEqual(json.resultadoBusqueda[0].passages[0].marks, [[4, 11]])
  const single = await search('molino', '--passages', '--csv', '--code', 'A-7')
  assert.match(single.stdout, /,passages\r\n.*,A-7,page 2 of 2: Los molinos harineros 7\.\r\n$/)
  const missing = await search('--passages')
  assert.equal(missing.status, 2)
  assert.match(missing.stderr, /give the words to look for/)
})

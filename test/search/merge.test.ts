import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { BlockWriter } from '../../src/search/block-writer.ts'
import { Inverter } from '../../src/search/inverter.ts'
import { type ListHead, prefixUnionMax } from '../../src/search/lists.ts'
import { mergeRuns, type Run } from '../../src/search/merge.ts'

const folder = mkdtempSync(join(tmpdir(), 'merge-'))
after(() => rmSync(folder, { recursive: true }))

/** The heads of an index over the titles, inverted in runs of so many records. */
function buildIndex(titles: readonly string[], recordsPerRun: number): Map<string, ListHead> {
  const runs: Run[] = []
  for (let first = 0; first < titles.length; first += recordsPerRun) {
    const inverter = new Inverter()
    for (const [i, title] of titles.slice(first, first + recordsPerRun).entries()) inverter.add(first + i, title, '')
    const file = join(folder, `${titles.length}-${recordsPerRun}-${runs.length}`)
    writeFileSync(file, '')
    const size = inverter.writeRun((bytes) => appendFileSync(file, bytes))
    runs.push({ file, start: 0, size })
  }
  const heads = new Map<string, ListHead>()
  const writer = new BlockWriter({ putChunk: () => {}, putHead: (head) => heads.set(head.key, head) })
  mergeRuns(runs, titles.length, writer, () => {})
  return heads
}

test('the index does not depend on how the records were cut into runs', () => {
  const titles = Array.from({ length: 300 }, (_, i) => `plan ${i % 7} sector ${'abcdefghij'.charAt(i % 10)}zona`)
  const whole = buildIndex(titles, 300)
  assert.ok(whole.size > 20)
  assert.deepEqual(buildIndex(titles, 7), whole)
  assert.deepEqual(buildIndex(titles, 1), whole)
})

test('a beginning that very many words share has a list of its own, and a rarer one has not', () => {
  const letters = 'abcdefghijklmnop'
  const titles = Array.from(
    { length: prefixUnionMax + 1 },
    (_, i) => `zab${letters.charAt(i >> 4)}${letters.charAt(i & 15)}q zacxx`,
  )
  const heads = buildIndex(titles, 50)
  assert.equal(heads.get('pzab')?.records, titles.length)
  assert.equal(heads.get('qzab')?.records, titles.length)
  assert.equal(heads.get('pzac'), undefined)
  assert.equal(heads.get('pza'), undefined)
})

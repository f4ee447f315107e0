import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { IndexBuilder } from '../../src/index/index-builder.ts'
import { Inverter } from '../../src/index/inverter.ts'
import { mergeRuns, type Run } from '../../src/index/merge.ts'
import { type ListHead, prefixUnionMax } from '../../src/index/posting-list.ts'
import { BlockWriter, type ListSink } from '../../src/index/posting-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'merge-'))
after(() => rmSync(folder, { recursive: true }))

/** The heads of an index over the titles, inverted in runs of so many records; with a text to the last one. */
function buildIndex(
  titles: readonly string[],
  recordsPerRun: number,
  sink?: ListSink,
  lastText = '',
): Map<string, ListHead> {
  const runs: Run[] = []
  for (let first = 0; first < titles.length; first += recordsPerRun) {
    const inverter = new Inverter()
    for (const [i, title] of titles.slice(first, first + recordsPerRun).entries()) {
      inverter.add(first + i, title, first + i === titles.length - 1 ? lastText : '')
    }
    const file = join(folder, `${titles.length}-${recordsPerRun}-${runs.length}`)
    writeFileSync(file, '')
    const { form, stem } = inverter.writeRun((bytes) => appendFileSync(file, bytes))
    runs.push({ file, start: 0, size: form + stem })
  }
  const heads = new Map<string, ListHead>()
  const writer = new BlockWriter(sink ?? { putChunk: () => {}, putHead: (head) => heads.set(head.key, head) })
  mergeRuns(runs, titles.length, writer, () => {})
  return heads
}

/** Keeps a copy of all that is put. */
function toMapSink(kept: Map<string, unknown>): ListSink {
  return {
    putChunk: (table, number, bytes) => kept.set(`${table} ${number}`, [...bytes]),
    putHead: (head) => kept.set(head.key, { ...head, inline: head.inline && [...head.inline] }),
  }
}

test('the index does not depend on how the records were cut into runs', () => {
  const titles = Array.from({ length: 300 }, (_, i) => `plan ${i % 7} sector ${'abcdefghij'.charAt(i % 10)}zona`)
  const whole = buildIndex(titles, 300)
  assert.ok(whole.size > 20)
  assert.deepEqual(buildIndex(titles, 7), whole)
  assert.deepEqual(buildIndex(titles, 1), whole)
})

test('the index that threads build is the one that is built here', async (t) => {
  const titles = Array.from(
    { length: 4000 },
    (_, i) => `plan ${i % 700} del sector ${i} en la zona de ordenanza ${i % 3}`,
  )
  const here = new Map<string, unknown>()
  const onThreads = new Map<string, unknown>()
  buildIndex(titles, 1000, toMapSink(here))
  const builder = new IndexBuilder(folder)
  t.after(() => builder.close())
  for (const title of titles) await builder.add(title, '')
  await builder.finish(new BlockWriter(toMapSink(onThreads)), () => {})
  assert.ok(here.has('block 9') && here.has('place 9'))
  assert.deepEqual(onThreads, here)
})

test('a beginning that very many words share has a list of its own, and a rarer one has not', () => {
  const letters = 'abcdefghijklmnop'
  const titles = Array.from(
    { length: prefixUnionMax + 1 },
    (_, i) => `zab${letters.charAt(i >> 4)}${letters.charAt(i & 15)}q zacxx`,
  )
  const heads = buildIndex(titles, 50, undefined, 'texto')
  assert.equal(heads.get('pzab')?.records, titles.length)
  assert.equal(heads.get('qzab')?.records, titles.length)
  assert.equal(heads.get('pzac'), undefined)
  assert.equal(heads.get('pza'), undefined)
})

test('where no record has a text there are lists of titles alone; one text, and there are those of whole records', async (t) => {
  // More than one run.
  const titles = Array.from(
    { length: 40_000 },
    (_, i) => `plan ${i % 700} del sector ${i % 977} de ordenanza ${'x'.repeat(90)}`,
  )
  const build = async (lastText: string): Promise<Map<string, unknown>> => {
    const kept = new Map<string, unknown>()
    const builder = new IndexBuilder(folder)
    t.after(() => builder.close())
    for (const [i, title] of titles.entries()) await builder.add(title, i === titles.length - 1 ? lastText : '')
    await builder.finish(new BlockWriter(toMapSink(kept)), () => {})
    return kept
  }
  const kindsOf = (kept: Map<string, unknown>): Set<string> => new Set([...kept.keys()].map((key) => key.charAt(0)))
  const withoutText = await build('')
  // Blocks and places, lists of stems and forms.
  assert.deepEqual(kindsOf(withoutText), new Set(['b', 'p', 'g', 't']))
  const withText = await build('memoria')
  assert.deepEqual(kindsOf(withText), new Set(['b', 'p', 'f', 'g', 't', 'w']))
  const atOnce = new Map<string, unknown>()
  buildIndex(titles, titles.length, toMapSink(atOnce), 'memoria')
  assert.deepEqual(withText, atOnce)
})

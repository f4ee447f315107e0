// Tests of long work: searches that read much and find nothing, such as two frequent words that never meet, and
// passages of long documents. Other requests run meanwhile, and the deadline ends a search.
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setImmediate as nextIteration } from 'node:timers/promises'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { SearchCancelled } from '../../src/domain/deadline.ts'
import type { Query } from '../../src/domain/query.ts'
import { termCharactersMax } from '../../src/domain/query-limits.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import { createRegistry, type TestRegistry } from '../create-registry.ts'
import { documentOf } from './paged-document.ts'
import { readAll } from './reading.ts'

let registry: TestRegistry
let snapshot: Snapshot
before(async () => {
  registry = await createRegistry()
  const records = Array.from({ length: 40_000 }, (_, index) => ({
    code: `A-${index}`,
    content: index % 2 === 0 ? 'suelo rústico y vuelo urbano' : 'suelo urbano y otro vuelo',
  }))
  const pages = Array.from({ length: 100 }, () => ['de la casa del sol '.repeat(400), 'UE 1 '.repeat(400)]).flat()
  snapshot = await registry.snapshotOf([...records, { code: 'B-1', documents: [documentOf(pages)] }])
})
after(() => registry[Symbol.asyncDispose]())

const queries: Readonly<Record<string, Query>> = {
  'words that never meet': { search: analyseTerm('rústico otro') },
  'words that are never side by side': { search: analyseTerm('"vuelo suelo" "urbano suelo"') },
  'a prefix and a word': { search: analyseTerm('rústic* otro') },
}

/** Does the work, and looks up records meanwhile. Returns how many lookups have ended before the work. */
async function countLookupsDuring(work: Promise<unknown>): Promise<number> {
  let isDone = false
  const done = work.finally(() => {
    isDone = true
  })
  let lookups = 0
  while (!isDone) {
    assert.ok(await snapshot.page({ cod_archivo: 'A-7', limit: 1 }))
    lookups++
    await nextIteration()
  }
  await done
  return lookups
}

const quotedWord = '"de"'
const wordy: Readonly<Record<string, string>> = {
  // The API limits the number of words too (`termWordsMax`), but the search must not rely on that.
  'as many words as a term can have': quotedWord.repeat(termCharactersMax / quotedWord.length),
  'a long phrase': `"${'de la casa del sol '.repeat(8)}"`,
  'codes and prefixes': 'UE-1 UE-1* u* "UE 1" casa cas*',
}

for (const [name, term] of Object.entries(wordy)) {
  test(`passages of a long document, ${name}: other requests run meanwhile`, async () => {
    const search = analyseTerm(term)
    for (const code of [undefined, 'B-1']) {
      const query = { search, limit: 20, include: ['passages'] } as const
      const page = snapshot.page(code === undefined ? query : { ...query, cod_archivo: code })
      const lookups = await countLookupsDuring(page)
      assert.match((await page)?.text ?? '', /"marks"/)
      assert.ok(lookups > 1, `${lookups} lookups`)
    }
  })
}

for (const [name, query] of Object.entries(queries)) {
  test(`${name}: other requests run while nothing is found`, async () => {
    const search = readAll(snapshot, query)
    const lookups = await countLookupsDuring(search)
    assert.deepEqual(await search, [])
    assert.ok(lookups > 1, `${lookups} lookups`)
  })

  test(`${name}: the deadline ends the search`, async () => {
    const reads = [
      (deadline: { isExpired: boolean }) => snapshot.page({ ...query, limit: 1 }, deadline),
      (deadline: { isExpired: boolean }) => Array.fromAsync(snapshot.search(query, deadline)),
      (deadline: { isExpired: boolean }) => snapshot.summarise(query, deadline),
    ]
    for (const read of reads) {
      const deadline = { isExpired: false }
      const reading = read(deadline)
      deadline.isExpired = true
      await assert.rejects(reading, SearchCancelled)
    }
  })
}

// Tests of the parameter `include`, which adds properties to each record: they come after the properties that a record
// always has, and are the same in pages and in whole results.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { type IncludeName, includeNames } from '../../src/domain/parameters.ts'
import type { Query } from '../../src/domain/query.ts'
import type { Snapshot } from '../../src/registry/contract.ts'
import { createRegistry } from '../create-registry.ts'
import type { TestRecord } from '../service.ts'

/** Enough for several batches of a whole result (the first has 64 records) and for several pages of 70. */
const records: readonly TestRecord[] = Array.from({ length: 300 }, (_, index) => ({
  code: `av-${index}`,
  title: index % 2 === 0 ? 'Plan Parcial' : 'Estudio "A\\"',
  checkinDate: `20${String(10 + (index % 10))}-01-02`,
  municipality: ['Ávila', 'Coruña, A', 'Atlántida'][index % 3] ?? '',
}))

/** The expected `place` of each municipality. Atlántida does not exist. */
const places: Readonly<Record<string, unknown>> = {
  Ávila: { ine_code: '05019', province: 'Ávila', community: 'Castilla y León' },
  'Coruña, A': { ine_code: '15030', province: 'A Coruña', community: 'Galicia' },
  Atlántida: null,
}

/** The whole result as JSON objects with commas between them. */
async function readWhole(snapshot: Snapshot, query: Query): Promise<string> {
  const parts: string[] = []
  for await (const { bytes } of snapshot.search(query)) parts.push(Buffer.from(bytes).toString())
  return parts.join(',')
}

const parseRecords = (text: string): Record<string, unknown>[] => JSON.parse(`[${text}]`)

test('include adds code and place after the properties of the wire format', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf(records)
  const plain = parseRecords(await readWhole(snapshot, {}))
  const withInclude = parseRecords(await readWhole(snapshot, { include: ['cod_archivo', 'place'] }))
  assert.equal(withInclude.length, records.length)
  for (const [index, { cod_archivo: code, place, ...rest }] of withInclude.entries()) {
    assert.deepEqual(rest, plain[index])
    // The id of a test record is `E-` and its code.
    assert.equal(rest.id, `E-${code}`)
    assert.deepEqual(place, places[String(rest.municipality)])
    assert.deepEqual(Object.keys(withInclude[index] ?? {}).slice(-2), ['cod_archivo', 'place'])
  }
})

test('include is the same in pages and in the whole result', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf(records)
  const queries: Query[] = [{ search: analyseTerm('plan') }, { municipality: 'a coruña', checkin_date: '2012' }, {}]
  for (const filters of queries) {
    for (const include of [['cod_archivo'], ['place'], includeNames] as (readonly IncludeName[])[]) {
      const query = { ...filters, include }
      const pages: string[] = []
      for (let after: Query['after']; ; ) {
        const page = await snapshot.page({ ...query, after, limit: 70 })
        if (page === null) break
        pages.push(page.text)
        if (page.next === null) break
        after = page.next
      }
      assert.equal(pages.join(','), await readWhole(snapshot, query))
    }
  }
})

test('include adds the code to a single record', async () => {
  await using registry = await createRegistry()
  const snapshot = await registry.snapshotOf(records)
  // A query has the code in upper case (`foldCode`). The record has it in lower case, and so has the response.
  const one = await snapshot.page({ cod_archivo: 'AV-7', include: ['cod_archivo', 'place'], limit: 1 })
  assert.deepEqual(parseRecords(one?.text ?? '')[0]?.cod_archivo, 'av-7')
  assert.equal(one?.next, null)
})

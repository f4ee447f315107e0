// Tests of the rowids that are bound in SQL on the full-text indexes: node:sqlite binds a JS number as REAL, and FTS5
// uses only integers (`Rowid` in registry-file.ts).
import assert from 'node:assert/strict'
import { DatabaseSync, StatementSync } from 'node:sqlite'
import { mock, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { checkStore } from '../../src/registry/open.ts'
import { createRegistry } from '../create-registry.ts'
import { documentOf } from './paged-document.ts'
import { readAll, readPages } from './reading.ts'

test('FTS5 does not check a rowid that is bound as a number', () => {
  using database = new DatabaseSync(':memory:')
  database.exec(`CREATE VIRTUAL TABLE search USING fts5(tokens, content='', columnsize=0)`)
  database.exec(`INSERT INTO search (rowid, tokens) VALUES (1, 'plan'), (2, 'plan'), (3, 'plan')`)
  const select = database.prepare(`SELECT rowid FROM search WHERE search MATCH 'plan' AND rowid = ?`)
  assert.equal(select.all(2n).length, 1)
  assert.equal(select.all(2).length, 3)
})

test('every statement on a full-text index binds its rowids as BigInt', async () => {
  const statements = new Set<string>()
  for (const method of ['all', 'get', 'run'] as const) {
    const original = StatementSync.prototype[method] as (...parameters: unknown[]) => unknown
    mock.method(StatementSync.prototype, method, function (this: StatementSync, ...parameters: unknown[]) {
      const { sourceSQL: sql } = this
      if (/\bMATCH\b|INSERT INTO (?:search|prefix|page_words)\b/.test(sql)) {
        statements.add(sql)
        assert.ok(!parameters.some((parameter) => typeof parameter === 'number'), sql)
      }
      return original.apply(this, parameters)
    })
  }
  try {
    await using registry = await createRegistry()
    const records = Array.from({ length: 20 }, (_, index) => ({
      code: `A-${index}`,
      title: `Plan parcial UE-${index}`,
      documents: [documentOf(['El suelo urbano.', 'El suelo urbanizable.'])],
    }))
    const snapshot = await registry.snapshotOf(records)
    for (const search of ['plan parcial', 'suelo urban*', 'UE-1*', '"plan parcial" urbanizable*', '"parcial"']) {
      const term = analyseTerm(search)
      await readPages(snapshot, { search: term, limit: 3, include: ['passages'] })
      await readAll(snapshot, { search: term, municipality: 'Ávila' })
      await snapshot.summarise({ search: term })
      await snapshot.changes.readLatest({ filters: { search: term }, limit: 5 })
    }
    assert.deepEqual((await checkStore(registry.database, { full: true })).faults, [])
  } finally {
    mock.restoreAll()
  }
  for (const table of ['search', 'prefix', 'page_words']) {
    for (const use of [`${table} MATCH`, `INSERT INTO ${table} `]) {
      assert.ok(
        [...statements].some((sql) => sql.includes(use)),
        use,
      )
    }
  }
})

// Tests of a registry that an older version wrote (format 19): the service does not open it, and an import compares its
// records with those of that registry by code and wire format, and continues its change log.
import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { foldCode } from '../../src/domain/inscription-code.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import type { SnapshotDifference } from '../../src/registry/contract.ts'
import { applicationId } from '../../src/registry/schema.ts'
import { createRegistry } from '../create-registry.ts'
import { type TestRecord, toRecord } from '../service.ts'

/** Writes the tables of format 19 that an import reads. The records come in canonical order. */
function writeOldRegistry(path: string, records: readonly TestRecord[]): void {
  using database = new DatabaseSync(path)
  database.exec(`
    PRAGMA application_id = ${applicationId}; PRAGMA user_version = 19;
    CREATE TABLE property (name TEXT NOT NULL PRIMARY KEY, value TEXT NOT NULL) STRICT, WITHOUT ROWID;
    CREATE TABLE record (
      position INTEGER NOT NULL PRIMARY KEY, code TEXT NOT NULL, folded_code TEXT NOT NULL, checkin_date TEXT NOT NULL,
      ine_code TEXT, has_text INTEGER NOT NULL, digest BLOB NOT NULL, wire TEXT NOT NULL, documents TEXT NOT NULL,
      first_segment INTEGER NOT NULL, include_checksum INTEGER NOT NULL, checksum INTEGER NOT NULL
    ) STRICT;
    CREATE TABLE change (
      number INTEGER NOT NULL PRIMARY KEY, kind TEXT NOT NULL, code TEXT NOT NULL, at TEXT NOT NULL,
      checksum INTEGER NOT NULL
    ) STRICT;
    INSERT INTO property VALUES
      ('fictional', '0'), ('lineage', '${lineage}'), ('log_started_at', '${startedAt}'), ('published_at', '${startedAt}');
    INSERT INTO change VALUES (1, 'new', 'A-1', '${startedAt}', 0), (2, 'gone', 'A-9', '${startedAt}', 0)`)
  const insert = database.prepare(`INSERT INTO record VALUES (?, ?, ?, ?, NULL, ?, x'00', ?, '', 0, 0, 0)`)
  for (const [position, record] of records.entries()) {
    const { code, checkinDate, wire } = toStoredRecord(toRecord(record))
    insert.run(position, code, foldCode(code), checkinDate, record.content === undefined ? 0 : 1, wire)
  }
}

const lineage = '0123456789abcdef'
const startedAt = '2026-01-02T03:04:05.000Z'
const old: readonly TestRecord[] = [
  { code: 'A-1', content: 'suelo' },
  { code: 'A-2', content: 'suelo' },
  { code: 'A-3', content: 'suelo' },
]
const next: readonly TestRecord[] = [
  { code: 'A-1', content: 'suelo' },
  { code: 'A-2', title: 'Otro' },
  { code: 'A-4', content: 'suelo' },
]

test('a registry of an older format is not opened: it has to be imported again', async () => {
  await using registry = await createRegistry()
  writeOldRegistry(registry.path, old)
  await assert.rejects(registry.open(), /another version wrote it \(format 19, this one reads \d+\); import it again/)
})

test('an import compares its records with those of an older format, and may refuse the difference', async () => {
  await using registry = await createRegistry()
  writeOldRegistry(registry.path, old)
  let seen: SnapshotDifference | undefined
  const { outcome } = await registry.publish(next, {
    accepts: (difference) => {
      seen = difference
      return false
    },
  })
  assert.equal(outcome, 'refused')
  assert.deepEqual(seen?.examples, { added: ['A-4'], changed: ['A-2'], gone: ['A-3'] })
  assert.deepEqual([seen?.textsGone, seen?.previous.records, seen?.previous.recordsWithText], [1, 3, 3])
  await assert.rejects(registry.open(), /format 19/)
})

test('an import continues the change log of an older format', async () => {
  await using registry = await createRegistry()
  writeOldRegistry(registry.path, old)
  assert.equal((await registry.publish(next)).outcome, 'published')
  const { changes } = (await registry.open()).current()
  assert.deepEqual(changes.facts, { lineage, startedAt, last: 5 })
  const { changes: listed } = await changes.readAfter(0, { filters: undefined, limit: 10 })
  assert.deepEqual(
    listed.map(({ kind, code }) => `${kind} ${code}`),
    ['new A-1', 'gone A-9', 'changed A-2', 'gone A-3', 'new A-4'],
  )
})

test('the same records are built again in the new format, and none is listed as changed', async () => {
  await using registry = await createRegistry()
  writeOldRegistry(registry.path, old)
  assert.equal((await registry.publish(old)).outcome, 'published')
  assert.equal((await registry.open()).current().changes.facts.last, 2)
})

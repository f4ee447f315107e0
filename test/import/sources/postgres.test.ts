// A query on a PostgreSQL database as a source.
// `readSource` returns the `rows` with their line numbers, and `cells`, the same rows by heading.
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import postgres from 'postgres'
import { runCommand } from '../../command.ts'
import { createDatabase } from '../../postgres-database.ts'
import { makeFolder } from '../folder.ts'
import { faultsOf, readSource } from '../read-source.ts'

/** Creates a database and runs the statements in it. Returns its address. */
async function createDatabaseWith(t: TestContext, statements: string): Promise<string> {
  const { url, remove } = await createDatabase()
  t.after(remove)
  const sql = postgres(url, { max: 1, onnotice: () => undefined })
  await sql.unsafe(statements)
  await sql.end()
  return url
}

test('dates and large numbers of a query are exact, and nulls are empty', async (t) => {
  const address = await createDatabaseWith(
    t,
    `CREATE TABLE expediente (codigo text, id bigint, titulo text, municipio text, entrada date, inscrito timestamptz,
       area text);
     INSERT INTO expediente VALUES
       ('03082-1', 9007199254740993, 'Plan "Ñ"', 'Jávea', '2004-05-18', '2004-06-01 23:30+00', NULL)`,
  )
  // The heading `checkin-date` means the column `checkin_date`: hyphens and underscores are equal in headings.
  const query = `SELECT codigo AS code, id, titulo AS title, municipio AS municipality, entrada AS "checkin-date",
    inscrito AS inscription_date, area FROM expediente`
  const { cells, rows } = await readSource(address, { query })
  assert.equal(rows[0]?.line, 1)
  // 2^53 + 1, the first integer that a number of JavaScript cannot hold.
  assert.equal(cells[0]?.id, '9007199254740993')
  assert.equal(cells[0]?.['checkin-date'], '2004-05-18')
  // The time is in the zone of the database: any that differs from UTC by whole hours is accepted here. `normaliseRow`
  // (rows/normalise.ts) turns the time into a day.
  assert.match(cells[0]?.inscription_date ?? '', /^2004-06-0[12] \d\d:30:00[+-]\d\d/)
  assert.equal(cells[0]?.area, '')
})

test('dates are the same whatever DateStyle the database has', async (t) => {
  const address = await createDatabaseWith(
    t,
    `DO $$ BEGIN EXECUTE format('ALTER DATABASE %I SET DateStyle = ''SQL, DMY''', current_database()); END $$`,
  )
  // The setting applies to the dates in the query: `02/01/2004` is 2 January. The dates of the result do not depend on
  // it.
  const query = `SELECT date '02/01/2004' AS a, timestamp '02/01/2004 10:00' AS b, timestamptz '02/01/2004 10:00Z' AS c,
    'A-1' AS code, 1 AS id, 'Plan' AS title, 'Jávea' AS municipality, date '18/05/2004' AS checkin_date`
  const [row] = (await readSource(address, { query })).cells
  // A time without a zone is cut to its day. A time with a zone stays as it is.
  assert.deepEqual([row?.a, row?.b, row?.checkin_date], ['2004-01-02', '2004-01-02', '2004-05-18'])
  assert.match(row?.c ?? '', /^2004-01-02 /)
})

test('a result of several batches is read completely and in order', async (t) => {
  const address = await createDatabaseWith(t, '')
  const query = `SELECT '03082-' || n AS code, n AS id, 'Plan' AS title, 'Jávea' AS municipality,
    date '2004-05-18' AS checkin_date FROM generate_series(1, 25000) AS n`
  const read = await readSource(address, { query })
  assert.equal(read.rows.length, 25_000)
  assert.deepEqual(faultsOf(read), [])
  assert.ok(read.cells.every(({ id }, index) => id === String(index + 1)))
  // A batch has few rows, because they are in memory together and each may have a text of megabytes.
  assert.equal(Math.max(...read.batches), 200)
})

test('a column of bytes is one column, not one for each byte', async (t) => {
  const address = await createDatabaseWith(t, '')
  const query = `SELECT '03082-1' AS code, 1 AS id, 'Plan' AS title, 'Jávea' AS municipality,
    date '2004-05-18' AS checkin_date, '\\x0102'::bytea AS picture`
  const { layout } = await readSource(address, { query })
  assert.deepEqual(layout.headings, ['code', 'id', 'title', 'municipality', 'checkin_date', 'picture'])
})

test('a query with two columns of one name is refused if the name is used', async (t) => {
  const address = await createDatabaseWith(
    t,
    `CREATE TABLE expediente (code text, id int, title text, checkin_date date, municipio_id int, notas text);
     CREATE TABLE municipio (id int, municipality text, notas text);
     INSERT INTO expediente VALUES ('03082-1', 1, 'Plan', '2004-05-18', 7, 'a');
     INSERT INTO municipio VALUES (7, 'Jávea', 'b')`,
  )
  const join = 'FROM expediente e JOIN municipio m ON m.id = e.municipio_id'
  await assert.rejects(readSource(address, { query: `SELECT * ${join}` }), {
    name: 'SourceFault',
    message: /the query returns two columns "id"; rename one with AS, or leave it out$/,
  })
  // `notas` is repeated too, but the import does not use it.
  const { cells } = await readSource(address, { query: `SELECT e.*, m.municipality, m.notas ${join}` })
  assert.equal(cells[0]?.id, '1')
})

test('the message names a missing column or an error in the query', async (t) => {
  const address = await createDatabaseWith(t, '')
  await assert.rejects(readSource(address, { query: "SELECT 1 AS code, 'x' AS titel" }), {
    name: 'SourceFault',
    message: /column title is missing; the nearest heading is "titel"/,
  })
  await assert.rejects(readSource(address, { query: 'SELEC 1' }), {
    name: 'UsageFault',
    message: /the database reports: syntax error at or near "SELEC"; fix --query or the address/,
  })
})

test('the message for a query without rows is about the query', async (t) => {
  const address = await createDatabaseWith(t, '')
  const folder = await makeFolder(t)
  const args = [address, '--query', "SELECT 'A-1' AS code WHERE false", '--database', `sqlite:${folder.path}/r.db`]
  const { status, stderr } = await runCommand(['import', ...args])
  assert.equal(status, 1)
  assert.match(stderr, /^planning-registry: Cannot import postgres:.*: the query returns no rows; fix --query\n$/)
})

test('the message about rejected rows of a query does not repeat its address', async (t) => {
  const address = await createDatabaseWith(t, '')
  const folder = await makeFolder(t)
  const query = `SELECT code, code AS id, title, 'Ibi' AS municipality, '2004-05-18' AS checkin_date
    FROM (VALUES ('A-1', 'Plan'), ('A-2', '')) AS rows (code, title)`
  const args = ['import', address, '--query', query, '--database', `sqlite:${folder.path}/r.db`]
  const { status, stdout } = await runCommand(args, { cwd: folder.path })
  assert.equal(status, 1)
  // For a file, the message goes on with a command that repeats the name of the source.
  assert.match(stdout, /: 1 row rejected, .* or publish the other rows with --max-rejects 1\n/)
})

test('a query cannot change the database', async (t) => {
  const address = await createDatabaseWith(t, 'CREATE TABLE precious (n int)')
  await assert.rejects(readSource(address, { query: 'DROP TABLE precious' }), {
    name: 'UsageFault',
    message: /cannot execute DROP TABLE in a read-only transaction/,
  })
})

// Tests of parsing postgres:// addresses, and of the values of `sslmode` (how a connection is encrypted) on a real
// server.
import assert from 'node:assert/strict'
import { chownSync, copyFileSync, rmSync } from 'node:fs'
import { chmod } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { fileURLToPath } from 'node:url'
import { StoreFault } from '../../../src/registry/contract.ts'
import { checkStore, showDatabase } from '../../../src/registry/open.ts'
import { parseAddress } from '../../../src/registry/stores/postgres-address.ts'
import { makeDataFolder, PostgresServer, serverUser } from '../../postgres-server.ts'
import { publishRecords } from '../../service.ts'

test('an address has one or more hosts, each with its port', () => {
  const { hosts, user, password, database } = parseAddress('postgres://ana:p%40ss@a,b:5433,[::1]:6000/registry')
  assert.deepEqual(hosts, [
    { name: 'a', port: 5432 },
    { name: 'b', port: 5433 },
    { name: '::1', port: 6000 },
  ])
  assert.deepEqual([user, password, database], ['ana', 'p@ss', 'registry'])
})

/** The hosts of an address that has the folder of a Unix socket instead of a host. */
const socketHosts = [{ name: '/run/postgresql', port: 5432 }]

test('a host may be the folder of a Unix socket', () => {
  assert.deepEqual(parseAddress('postgres://%2Frun%2Fpostgresql/registry').hosts, socketHosts)
  assert.deepEqual(parseAddress('postgresql:///registry?host=%2Frun%2Fpostgresql').hosts, socketHosts)
})

test('the parameters host and port replace the host and the port before the path', () => {
  assert.deepEqual(
    parseAddress('postgres://localhost:6000/registry?host=%2Frun%2Fpostgresql&port=5432').hosts,
    socketHosts,
  )
  // With `host` alone, the port before the path stays.
  assert.deepEqual(parseAddress('postgres://localhost:5432/registry?host=%2Frun%2Fpostgresql').hosts, socketHosts)
  assert.deepEqual(parseAddress('postgres://a:6000/registry?host=b').hosts, [{ name: 'b', port: 6000 }])
})

/** A file that exists but is no certificate. */
const thisFile = fileURLToPath(import.meta.url)

test('the fault for an invalid address says what is wrong and never contains the password', () => {
  // The password is `secret`. In three addresses it has a character or a `%` that must be percent-encoded.
  const refused: Readonly<Record<string, RegExp>> = {
    'postgres://ana:secret@a': /name of the database is missing/,
    'postgres://ana:secret@a/registry?sslmod=require': /unknown parameter sslmod;/,
    'postgres://ana:secret@a/registry?sslmode=on': /expected sslmode to be one of disable, allow/,
    'postgres://ana:secret@a/registry?pool_max=0': /expected pool_max to be a number from 1, got "0"/,
    'postgres://ana:secret@a/registry?pgbouncer=yes': /expected pgbouncer to be true or false, got "yes"/,
    'postgres://ana:secret@a:65536/registry': /expected port to be a number from 1 to 65535, got "65536"/,
    'postgres://ana:secret@a:b/registry': /expected HOST or HOST:PORT/,
    'postgres://ana:secret/x@a/registry': /expected HOST or HOST:PORT/,
    'postgres://ana:se%zzcret@a/registry': /percent-encoding is invalid/,
    'postgres://ana:se@cret@a/registry': /an @ in the password must be written as %40/,
    [`postgres://ana:secret@a/registry?sslcert=${thisFile}&sslkey=${thisFile}`]: /cannot use the files of sslrootcert/,
    'postgres://ana:secret@a/registry?sslrootcert=/nowhere.pem': /cannot read \/nowhere.pem, the file of sslrootcert/,
  }
  for (const [address, reason] of Object.entries(refused)) {
    assert.throws(
      () => parseAddress(address),
      (error) => {
        assert.ok(error instanceof StoreFault)
        assert.match(error.message, reason)
        assert.doesNotMatch(error.message, /se(%zz|@)?cret/)
        return true
      },
      address,
    )
  }
})

test('an address is shown without its password, even if it is invalid', () => {
  assert.equal(
    showDatabase('postgres://ana:se/c@ret@a,b/registry?sslmode=require'),
    'postgres://ana@a,b/registry?sslmode=require',
  )
  assert.equal(showDatabase('postgre://ana:secret@a/registry'), 'postgre://ana@a/registry')
  assert.equal(showDatabase('sqlite:data/registry.db'), 'sqlite:data/registry.db')
})

test('sslmode works as in libpq', async () => {
  const folder = makeDataFolder()
  /** Copies a file of the tests and gives the copy to the user of the server. Returns the path of the copy. */
  const copyForServer = (name: string): string => {
    const copy = join(folder, name)
    copyFileSync(certificateFile(name), copy)
    const { uid, gid } = serverUser
    if (uid !== undefined && gid !== undefined) chownSync(copy, uid, gid)
    return copy
  }
  const certificate = copyForServer('first.cert.pem')
  // PostgreSQL accepts a key only if root or its own user owns the file and others cannot read it.
  const key = copyForServer('first.key.pem')
  await chmod(key, 0o600)
  await using plain = await PostgresServer.start()
  await using secure = await PostgresServer.start([
    listenOnTwoAddresses,
    'ssl=on',
    `ssl_cert_file=${certificate}`,
    `ssl_key_file=${key}`,
  ])
  try {
    await publishRecords(secure.url(), [{ code: 'A-1' }], { dataDir: folder })
    await publishRecords(plain.url(), [{ code: 'A-1' }], { dataDir: folder })
    // The certificate of the server is self-signed, so it is its own root.
    const rootOfServer = encodeURIComponent(certificateFile('first.cert.pem'))
    const otherRoot = encodeURIComponent(certificateFile('second.cert.pem'))
    const accepted = [
      `${plain.url()}?sslmode=disable`,
      `${plain.url()}?sslmode=prefer`,
      `${secure.url()}?sslmode=disable`,
      `${secure.url()}?sslmode=prefer`,
      `${secure.url()}?sslmode=require`,
      `${secure.url()}?sslmode=verify-ca&sslrootcert=${rootOfServer}`,
      `${secure.url()}?sslmode=verify-full&sslrootcert=${rootOfServer}`,
      `${secure.url().replace('127.0.0.1', 'localhost')}?sslmode=verify-full&sslrootcert=${rootOfServer}`,
    ]
    for (const address of accepted) await checkStore(address, { dataDir: folder })
    // `plain` has no TLS. As in libpq, `require` with a root certificate verifies the server like `verify-ca`. Without
    // `sslrootcert`, the self-signed certificate of the server is not trusted.
    const refused = [
      `${plain.url()}?sslmode=require`,
      `${secure.url()}?sslmode=require&sslrootcert=${otherRoot}`,
      `${secure.url()}?sslmode=verify-ca`,
      `${secure.url()}?sslmode=verify-ca&sslrootcert=${otherRoot}`,
    ]
    for (const address of refused) await assert.rejects(checkStore(address, { dataDir: folder }), StoreFault, address)
    // The certificate is valid for localhost and 127.0.0.1 only. The expected error says that the address is not among
    // these names (`altnames`).
    const elsewhere = secure.url().replace('127.0.0.1', '127.0.0.2')
    await checkStore(`${elsewhere}?sslmode=verify-ca&sslrootcert=${rootOfServer}`, { dataDir: folder })
    const verified = `${elsewhere}?sslmode=verify-full&sslrootcert=${rootOfServer}`
    await assert.rejects(checkStore(verified, { dataDir: folder }), /altnames/)
  } finally {
    rmSync(folder, { recursive: true })
  }
})

/** A setting of the server. The certificate of the tests names only the first address. */
const listenOnTwoAddresses = 'listen_addresses=127.0.0.1,127.0.0.2'

function certificateFile(name: string): string {
  return fileURLToPath(new URL(`../../api/certificates/${name}`, import.meta.url))
}

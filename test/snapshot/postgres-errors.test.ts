// Tests of how errors of PostgreSQL and PgBouncer are classified. A refusal is an error that a further attempt would
// not change, such as a wrong password.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import postgres from 'postgres'
import { isRefused, reasonOf } from '../../src/snapshot/postgres/errors.ts'

test('a server that PgBouncer cannot reach does not count as refusing the session', () => {
  // PgBouncer reports this error while PostgreSQL recovers. The second argument of `isRefused` and `reasonOf` tells
  // whether the server is behind PgBouncer.
  const unreachable = toError('08P01', 'server_login_retry: connect failed')
  assert.equal(isRefused(unreachable, true), false)
  // A wrong password is a refusal, also behind PgBouncer.
  assert.equal(isRefused(toError('28P01', 'password authentication failed'), true), true)
  // Without PgBouncer, an error with this code is a refusal.
  assert.equal(isRefused(unreachable, false), true)
})

test('the reason proposes pgbouncer=true only if it is not set', () => {
  // PgBouncer refuses session parameters that it does not know. With pgbouncer=true, none are sent.
  const error = toError('08P01', 'unsupported startup parameter: jit')
  assert.match(reasonOf(error, false), /add pgbouncer=true/)
  assert.equal(reasonOf(error, true), 'unsupported startup parameter: jit')
})

function toError(code: string, message: string): Error {
  return Object.assign(new postgres.PostgresError(message), { message, code, severity: 'FATAL' })
}

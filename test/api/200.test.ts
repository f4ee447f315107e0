// What a sound request that matches gets: the specification, sections 2 and 4, and the decisions on answers.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../service.ts'

test('a search answers with resultadoBusqueda, newest first', async () => {
  await using service = await startService([
    { code: 'A-1', checkinDate: '2001-01-01' },
    { code: 'A-2', checkinDate: '2003-01-01' },
  ])
  const response = await fetch(`${service.base}/record`)
  assert.equal(response.status, 200)
  const body = JSON.parse(await response.text())
  assert.deepEqual(
    body.resultadoBusqueda.map((record: { id: string }) => record.id),
    ['E-A-2', 'E-A-1'],
  )
})

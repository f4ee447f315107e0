// The service without a network gives what the service on the network gives, to the last letter.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { createClient } from '../../src/client/client.ts'
import { startService } from '../service.ts'

test('a page and a record read without a network keep every letter, of any alphabet', async () => {
  const title = 'Ordenación del Señorío · «Πλάνο» 都市 🏛'
  await using service = await startService([{ code: 'A-1', title, municipality: 'Ávila' }])
  const [local, distant] = [
    createClient(localAddress, { fetch: toLocalFetch(service.store) }),
    createClient(service.base),
  ]
  for (const client of [local, distant]) {
    const page = await client.page({ search: 'señorío' }, { limit: 1 })
    assert.deepEqual(
      page.records.map((record) => record.title),
      [title],
    )
    assert.equal((await client.get('A-1'))?.title, title)
  }
})

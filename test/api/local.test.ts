// The fetch function that calls the operations in this process returns the same records as the service.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localAddress, toLocalFetch } from '../../src/api/local.ts'
import { createClient } from '../../src/client/client.ts'
import { startService } from '../service.ts'

test('the client reads text of several alphabets unchanged, locally and over HTTP', async () => {
  const title = 'Ordenación del Señorío · «Πλάνο» 都市 🏛'
  await using service = await startService([{ code: 'A-1', title, municipality: 'Ávila' }])
  const [local, remote] = [
    createClient(localAddress, { fetch: toLocalFetch(service.store) }),
    createClient(service.base),
  ]
  for (const client of [local, remote]) {
    const page = await client.page({ search: 'señorío' }, { limit: 1 })
    assert.deepEqual(
      page.records.map((record) => record.title),
      [title],
    )
    assert.equal((await client.get('A-1'))?.title, title)
  }
})

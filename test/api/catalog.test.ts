// {base}/catalog: the DCAT description that open-data portals harvest.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startService } from '../service.ts'
import { json, sendRequest } from './send-request.ts'

test('the catalogue describes the dataset, its extent, its distributions and its last update', async () => {
  await using service = await startService(
    [
      { code: 'A-1', checkinDate: '1987-01-01' },
      { code: 'A-2', checkinDate: '2020-01-01', municipality: 'Cuenca' },
    ],
    {
      dataset: {
        title: 'Registro de planeamiento',
        publisher: 'Consejería',
        licence: 'https://creativecommons.org/licenses/by/4.0/',
        spatial: 'http://publications.europa.eu/resource/authority/country/ESP',
        contact: 'mailto:datos@example.org',
      },
    },
  )
  const response = await sendRequest(service, 'catalog')
  assert.equal(response.status, 200)
  assert.equal(response.headers['content-type'], 'application/ld+json')
  const catalog = json(response)
  assert.equal(catalog['@id'], `${service.base}/catalog`)
  assert.equal(catalog['@type'], 'dcat:Catalog')
  const dataset = catalog['dcat:dataset'] as Record<string, unknown>
  assert.equal(dataset['dct:title'], 'Registro de planeamiento')
  assert.deepEqual(dataset['dct:modified'], {
    '@type': 'xsd:dateTime',
    '@value': service.store.current().metadata.publishedAt.toISOString(),
  })
  assert.deepEqual(dataset['dct:temporal'], {
    '@type': 'dct:PeriodOfTime',
    'dcat:startDate': { '@type': 'xsd:gYear', '@value': '1987' },
    'dcat:endDate': { '@type': 'xsd:gYear', '@value': '2020' },
  })
  assert.deepEqual(dataset['dct:spatial'], { '@id': 'http://publications.europa.eu/resource/authority/country/ESP' })
  assert.match(JSON.stringify(dataset['dcat:contactPoint']), /mailto:datos@example\.org/)
  const distributions = dataset['dcat:distribution'] as Record<string, { '@id': string }>[]
  for (const distribution of distributions) {
    assert.equal(distribution['dct:license']?.['@id'], 'https://creativecommons.org/licenses/by/4.0/')
    const download = await fetch(distribution['dcat:downloadURL']?.['@id'] ?? '')
    assert.equal(download.status, 200)
    await download.arrayBuffer()
  }
})

test('the catalogue of a sample says that it is fictional', async () => {
  await using service = await startService([{ code: 'A-1' }], { fictional: true })
  assert.match((await sendRequest(service, 'catalog')).bytes.toString(), /fictional/)
})

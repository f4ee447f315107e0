// {base}/catalog and {base}/catalog.ttl: the description of the registry, in RDF, that open-data portals harvest. The
// tests check some of what the SHACL shapes of DCAT-AP-ES 1.0, the Spanish profile for such descriptions, require
// (https://github.com/datosgobes/DCAT-AP-ES).
import assert from 'node:assert/strict'
import { after, before, suite, test } from 'node:test'
import { toTurtle } from '../../src/api/turtle.ts'
import { startService, type TestService } from '../service.ts'
import { json, sendRequest } from './send-request.ts'

/** A term of RDF: an address, a blank node, a text with its language, or a value with its type. */
interface RdfTerm {
  readonly termType: string
  readonly value: string
  readonly language?: string
  readonly datatype?: RdfTerm
}

/** A statement of RDF. */
interface Quad {
  readonly subject: RdfTerm
  readonly predicate: RdfTerm
  readonly object: RdfTerm
}

/** The part of the package n3, a parser of Turtle, that the tests use. */
interface N3Module {
  readonly Parser: new () => { readonly parse: (text: string) => Quad[] }
}

// The package has no types, so the import must not be resolved by the compiler.
const { Parser } = (await import(import.meta.resolve('n3'))) as N3Module

const prefixes: Readonly<Record<string, string>> = {
  dcat: 'http://www.w3.org/ns/dcat#',
  dct: 'http://purl.org/dc/terms/',
  foaf: 'http://xmlns.com/foaf/0.1/',
  vcard: 'http://www.w3.org/2006/vcard/ns#',
  xsd: 'http://www.w3.org/2001/XMLSchema#',
}

/** For example `http://purl.org/dc/terms/title` for `dct:title`. */
const toIri = (name: string): string => name.replace(/^(\w+):/, (_, prefix: string) => prefixes[prefix] ?? '')

suite('the catalogue', () => {
  let service: TestService
  let quads: Quad[]
  before(async () => {
    service = await startService(
      [
        { code: 'A-1', checkinDate: '1987-01-01' },
        { code: 'A-2', checkinDate: '2020-01-01', municipality: 'Cuenca' },
      ],
      {
        dataset: {
          // Quotation marks and a backslash, which Turtle escapes, and markup.
          title: 'Registro "de" planeamiento\\ <b>',
          publisher: 'Consejería',
          // A code of DIR3, the national directory of public bodies.
          publisherCode: 'A07002862',
          licence: 'http://publications.europa.eu/resource/authority/licence/CC_BY_4_0',
          spatial: undefined,
          contact: 'mailto:datos@example.org',
        },
      },
    )
    const response = await sendRequest(service, 'catalog.ttl')
    assert.equal(response.headers['content-type'], 'text/turtle; charset=utf-8')
    quads = new Parser().parse(response.bytes.toString())
  })
  after(() => service[Symbol.asyncDispose]())

  /** The values of a property of a subject. */
  function valuesOf(subject: string, property: string): RdfTerm[] {
    const isMatch = (quad: Quad): boolean => quad.subject.value === subject && quad.predicate.value === toIri(property)
    return quads.filter(isMatch).map(({ object }) => object)
  }

  /** The subjects of a class, such as `dcat:Dataset`. The property `rdf:type` states the class. */
  function subjectsOf(type: string): string[] {
    const isMatch = (quad: Quad): boolean => quad.object.value === toIri(type) && quad.predicate.value.endsWith('#type')
    return quads.filter(isMatch).map(({ subject }) => subject.value)
  }

  test('has the mandatory properties of each class', () => {
    const mandatory: Record<string, string[]> = {
      'dcat:Catalog': [
        'dct:title',
        'dct:description',
        'dct:publisher',
        'foaf:homepage',
        'dcat:themeTaxonomy',
        'dct:issued',
        'dct:modified',
        'dct:language',
        'dct:license',
        'dcat:dataset',
        'dcat:service',
      ],
      'dcat:Dataset': ['dct:title', 'dct:description', 'dct:publisher', 'dcat:theme', 'dcat:distribution'],
      'dcat:DataService': ['dct:title', 'dct:publisher', 'dcat:theme', 'dcat:endpointURL'],
      'dcat:Distribution': ['dcat:accessURL'],
    }
    for (const [type, properties] of Object.entries(mandatory)) {
      const subjects = subjectsOf(type)
      assert.ok(subjects.length > 0, type)
      for (const subject of subjects) {
        for (const property of properties) assert.ok(valuesOf(subject, property).length > 0, `${type} ${property}`)
      }
    }
  })

  test('has every text in Spanish, and at most one in each language', () => {
    for (const property of ['dct:title', 'dct:description', 'foaf:name', 'vcard:fn']) {
      for (const subject of new Set(quads.map((quad) => quad.subject.value))) {
        const languages = valuesOf(subject, property).map(({ language }) => language)
        if (languages.length === 0) continue
        assert.ok(languages.includes('es'), `${subject} ${property}`)
        assert.equal(new Set(languages).size, languages.length)
      }
    }
    // The title has passed through the escapes of Turtle unchanged.
    assert.ok(
      valuesOf(`${service.base}/catalog`, 'dct:title').some(
        ({ value }) => value === 'Registro "de" planeamiento\\ <b>',
      ),
    )
  })

  test('has the themes, the publisher, the dates and the years that datos.gob.es expects', () => {
    const sector = 'http://datos.gob.es/kos/sector-publico/sector'
    assert.equal(valuesOf(`${service.base}/catalog`, 'dcat:themeTaxonomy')[0]?.value, sector)
    for (const name of ['dataset', 'service']) {
      const subject = `${service.base}/catalog#${name}`
      assert.equal(valuesOf(subject, 'dcat:theme')[0]?.value, `${sector}/urbanismo-infraestructuras`)
      const [publisher, ...others] = valuesOf(subject, 'dct:publisher')
      assert.equal(publisher?.value, 'http://datos.gob.es/recurso/sector-publico/org/Organismo/A07002862')
      assert.equal(others.length, 0)
    }
    for (const property of ['dct:issued', 'dct:modified']) {
      const [date, ...others] = valuesOf(`${service.base}/catalog`, property)
      assert.equal(date?.datatype?.value, toIri('xsd:dateTime'))
      assert.match(date?.value ?? '', /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/)
      assert.equal(others.length, 0)
    }
    const [period] = valuesOf(`${service.base}/catalog#dataset`, 'dct:temporal')
    assert.equal(valuesOf(period?.value ?? '', 'dcat:startDate')[0]?.value, '1987')
    assert.equal(valuesOf(period?.value ?? '', 'dcat:endDate')[0]?.value, '2020')
  })

  test('has distributions that can be downloaded, CSV among them', async () => {
    const addresses = subjectsOf('dcat:Distribution').flatMap((subject) => valuesOf(subject, 'dcat:downloadURL'))
    assert.deepEqual(
      addresses.map(({ value }) => value.replace(service.base, '')),
      ['/record', '/record.csv', '/municipality'],
    )
    for (const { value } of addresses) {
      const download = await fetch(value)
      assert.equal(download.status, 200)
      await download.arrayBuffer()
    }
  })

  test('says the same as JSON-LD and as Turtle', async () => {
    const response = await sendRequest(service, 'catalog')
    assert.equal(response.headers['content-type'], 'application/ld+json')
    const catalog = json(response) as Parameters<typeof toTurtle>[0]
    assert.equal(toTurtle(catalog), (await sendRequest(service, 'catalog.ttl')).bytes.toString())
    assert.equal(catalog['@id'], `${service.base}/catalog`)
  })

  test('of a sample says that it is fictional', async () => {
    await using sample = await startService([{ code: 'A-1' }], { fictional: true })
    assert.match((await sendRequest(sample, 'catalog')).bytes.toString(), /todos ficticios.*fictional/)
  })
})

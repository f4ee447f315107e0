// Fixture: a service in this process on a free port, with a registry of given records in a temporary folder. Tests
// without a service use `publishRecords` and `toRecord`. To publish is to write a snapshot, a complete and immutable
// copy of the registry with its index.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { pino } from 'pino'
import { buildService, type Service } from '../src/api/application.ts'
import type { ServiceSettings } from '../src/api/settings.ts'
import type { RecordDocument } from '../src/domain/document.ts'
import { numberPartOf } from '../src/domain/inscription-code.ts'
import { toOwnField } from '../src/domain/own-fields.ts'
import type { RegistryRecord } from '../src/domain/record.ts'
import { compareCanonically, toStoredRecord } from '../src/domain/record.ts'
import type { Connections } from '../src/http/connections.ts'
import { listen } from '../src/http/listen.ts'
import type { ResponseCache } from '../src/http/response-cache.ts'
import type { CertificateFiles } from '../src/http/settings.ts'
import type { Publication, PublishOptions as RegistryPublishOptions, RegistryStore } from '../src/registry/contract.ts'
import { openStore, openTarget } from '../src/registry/open.ts'
import { publishRegistry, type RegistryEntry } from '../src/registry/publish.ts'

/** A record for a test. `toRecord` fills in missing fields. */
export interface TestRecord extends Partial<RegistryRecord> {
  readonly code: string
  /** Text that is searched in addition to the title. */
  readonly content?: string
  readonly documents?: readonly RecordDocument[]
}

/** Options of `startService`. Settings of the service replace the defaults of the fixture. */
export interface ServiceOptions extends Partial<ServiceSettings>, Pick<PublishOptions, 'fictional'> {
  readonly certificate?: CertificateFiles
  /** Replaces the store that the service uses, to inject faults. */
  readonly wrapStore?: (store: RegistryStore) => RegistryStore
}

export interface TestService extends AsyncDisposable {
  /** Such as `http://127.0.0.1:PORT/registry`. */
  readonly base: string
  readonly port: number
  /** The registry, as a value of `--database`. */
  readonly database: string
  /** The registry, opened for reading. */
  readonly store: RegistryStore
  /** Whole small responses by address, until the next snapshot. */
  readonly cache: ResponseCache
  readonly connections: Connections
  /** The application, its counters included. */
  readonly service: Service
  /** Reads the files of `certificate` again. */
  readonly reloadCertificate: () => void
  /** Accepts no new connections, waits for requests in progress, and closes what is still open after `deadlineMs`. */
  readonly drain: (deadlineMs: number) => Promise<void>
}

/** Publishes the records and serves them. `await using` stops the service and removes its registry. */
export async function startService(records: readonly TestRecord[], options: ServiceOptions = {}): Promise<TestService> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-'))
  const database = `sqlite:${join(folder, 'registry.db')}`
  await publishRecords(database, records, { fictional: options.fictional ?? false })
  const store = await openStore(database)
  const settings = {
    basePath: '/registry',
    publicUrl: undefined,
    isSecure: options.certificate !== undefined,
    dataset: {
      title: 'Urban-planning records',
      publisher: 'Planning registry',
      licence: undefined,
      spatial: undefined,
      contact: undefined,
    },
    ...options,
  }
  const log = pino({ level: 'silent' })
  const service = await buildService({ store: options.wrapStore?.(store) ?? store, settings, log })
  const listenSettings = { ...settings, host: '127.0.0.1', port: 0, certificate: options.certificate }
  const listener = await listen(service, listenSettings, log)
  return {
    base: listener.address,
    port: listener.port,
    database,
    store,
    cache: service.cache,
    connections: listener.connections,
    service,
    reloadCertificate: listener.reloadCertificate,
    drain: listener.drain,
    [Symbol.asyncDispose]: async () => {
      await listener.drain(0)
      await service.close()
      await store.close()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

export type PublishOptions = Partial<RegistryPublishOptions> & {
  /** Where the local copy of a registry on PostgreSQL lies. */
  readonly dataDir?: string
}

/** Publishes a snapshot of the records, which may come in any order. */
export async function publishRecords(
  database: string,
  records: readonly TestRecord[],
  options: PublishOptions = {},
): Promise<Publication> {
  const entries = records.map((record) => ({
    record: toRecord(record),
    content: { text: record.content ?? '', documents: record.documents ?? [] },
  }))
  entries.sort((a, b) => compareCanonically(a.record, b.record))
  const stored = entries.map(({ record, content }) => ({ record: toStoredRecord(record), content }))
  const labels = new Set(records.flatMap(({ fields }) => Object.keys(fields ?? {})))
  return publishEntries(database, () => stored, { fields: [...labels].map(toOwnField), ...options })
}

/** Publishes entries, which `readEntries` yields in canonical order each time it is called. */
export async function publishEntries(
  database: string,
  readEntries: () => Iterable<RegistryEntry> | AsyncIterable<RegistryEntry>,
  { dataDir, ...options }: PublishOptions = {},
): Promise<Publication> {
  const target = await openTarget(database, { dataDir })
  try {
    return await publishRegistry(target, readEntries, { fictional: false, ...options })
  } finally {
    await target.release()
  }
}

/** The id of a record for which the test gives none. */
export function defaultIdOf(code: string): string {
  return `E-${code}`
}

/** A record with all its fields: fills in those that the test does not give. */
export function toRecord({ content: _content, documents: _documents, ...given }: TestRecord): RegistryRecord {
  return {
    id: defaultIdOf(given.code),
    registrationNumber: numberPartOf(given.code),
    title: 'Plan General',
    area: '',
    checkinDate: '2004-05-17',
    inscriptionDate: null,
    municipality: 'Ávila',
    links: `https://documents.example/${numberPartOf(given.code)}.pdf`,
    agreementLink: null,
    ...given,
  }
}

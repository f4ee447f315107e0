// Builds a registry file with a given number of records. The export, which is the streamed response with all records,
// has 12 MB for 40,000 records, more than the buffers between service and client hold.
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { toRecordContent } from '../../src/domain/document.ts'
import { toStoredRecord } from '../../src/domain/record.ts'
import type { RegistryEntry } from '../../src/registry/publish.ts'
import { type ServeOptions, type ServeProcess, startServe } from '../server/serve.ts'
import { publishEntries, toRecord } from '../service.ts'

/** `await using` removes the file. */
export interface LargeRegistry extends AsyncDisposable {
  readonly file: string
  readonly recordCount: number
  /** Starts the service on the file, and resolves when it listens. */
  readonly serve: (options?: Omit<ServeOptions, 'file' | 'database'>) => Promise<ServeProcess>
}

const recordsPerDay = 50
const millisecondsPerDay = 86_400_000

/** The codes are `R-00000000`, `R-00000001` and so on. */
export async function buildLargeRegistry(recordCount: number): Promise<LargeRegistry> {
  const folder = await mkdtemp(join(tmpdir(), 'planning-registry-large-'))
  const file = join(folder, 'registry.db')
  await publishEntries(`sqlite:${file}`, () => generateEntries(recordCount), { fictional: true })
  return {
    file,
    recordCount,
    // The file is the registry, so there are no records to publish.
    serve: (options) => startServe([], { ...options, file }),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

/** In canonical order: the newest first. */
function* generateEntries(recordCount: number): Generator<RegistryEntry> {
  for (let n = 0; n < recordCount; n++) {
    const day = new Date(Date.UTC(2024, 0, 1) - Math.floor(n / recordsPerDay) * millisecondsPerDay)
    const record = toRecord({
      code: `R-${String(n).padStart(8, '0')}`,
      title: `Modificación puntual número ${n} del Plan General de Ordenación Urbana en el sector ${n % 97}`,
      area: `Sector ${n % 97}`,
      checkinDate: day.toISOString().slice(0, 10),
      municipality: ['Ávila', 'Burgos', 'León', 'Soria'][n % 4] ?? '',
    })
    const content = toRecordContent(n % 2 === 0 ? 'suelo urbanizable' : 'suelo urbano consolidado')
    yield { record: toStoredRecord(record), content }
  }
}

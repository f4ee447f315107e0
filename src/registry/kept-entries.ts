// Reads records of the registry in service as an import writes them: a record whose row is rejected stays as it was.
import { existsSync } from 'node:fs'
import type { RecordContent, RecordDocument } from '../domain/document.ts'
import type { WireRecord } from '../domain/record.ts'
import { StoreFault, StoreUnavailable } from './contract.ts'
import type { Page } from './pages.ts'
import type { RegistryEntry } from './publish.ts'
import { RegistryFile } from './registry-file.ts'

/**
 * Yields the records with these folded codes that the registry at `path` has. Yields none if there is no registry, if
 * it is fictional, or if it cannot be read, for example because another version wrote it. If the registry stores no
 * texts (`--no-passages`), the records come without them.
 */
export function* readEntries(path: string, foldedCodes: Iterable<string>): Generator<RegistryEntry, void, undefined> {
  if (!existsSync(path)) return
  let file: RegistryFile | undefined
  try {
    file = new RegistryFile(path)
    if (file.metadata.fictional) return
    for (const code of foldedCodes) {
      const entry = readEntry(file, code)
      if (entry !== undefined) yield entry
    }
  } catch (error) {
    if (!(error instanceof StoreFault || error instanceof StoreUnavailable)) throw error
  } finally {
    file?.closeWhenUnused()
  }
}

function readEntry(file: RegistryFile, foldedCode: string): RegistryEntry | undefined {
  const position = file.findRecord(foldedCode)?.position
  const [row] = position === undefined ? [] : file.readRows([position])
  if (row === undefined) return undefined
  const { code, checkinDate, wire, fields, firstPage, pageEnd } = row
  const { title, area, municipality } = JSON.parse(wire) as WireRecord
  const record = { code, checkinDate, title, area, municipality, wire, fields }
  return { record, content: toContent(file, row.position, file.readPages(firstPage, pageEnd)) }
}

/** The parts of a long page stay texts of their own, so that they are cut in the same places again. */
function toContent(file: RegistryFile, position: number, pages: readonly Page[]): RecordContent {
  const documents = file.readDocuments(position).map((document, index): RecordDocument => {
    const published = document.sha256 === null ? undefined : file.findPublished(document.sha256)
    const texts = pages.filter((page) => page.document === index + 1)
    return { ...document, ...(published === undefined ? {} : { published }), texts }
  })
  const texts = pages.filter(({ document }) => document === null).map(({ text }) => text)
  return { text: texts.join('\n'), documents }
}

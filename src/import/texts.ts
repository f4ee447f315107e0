// The text to search of each record: what its row says and what its documents say. Reading the documents is left to
// documents/.
import { fromStored } from '../record/record.ts'
import type { StagedRow } from '../store/staged-row.ts'
import type { Staging } from '../store/staging.ts'
import type { Progress } from '../terminal/progress.ts'
import type { DocumentOptions, DocumentReference, DocumentTexts } from './documents/documents.ts'
import { recordCharactersMax } from './sources/source.ts'

/** Undefined where no record names a document. */
export async function prepareTexts(
  staging: Staging,
  options: Omit<DocumentOptions, 'onProgress'>,
  progress: Progress,
): Promise<DocumentTexts | undefined> {
  if (!staging.namesDocuments && !(options.fetch && staging.hasAddresses)) return undefined
  // What fetches and reads documents is much to load for imports that have none.
  const { prepareDocuments } = await import('./documents/documents.ts')
  let total = 0
  for (const row of staging.inCanonicalOrder()) total += toReferences(row, options).length
  return await prepareDocuments(eachReference(staging, options), {
    ...options,
    onProgress: ({ references }) => progress.report('reading documents', references, total),
  })
}

/** What is read of a row. */
type TextRow = Pick<StagedRow, 'code' | 'wire' | 'content' | 'documents'>

/** Undefined where the row names no document: then it is the row's own. */
export async function readContent(
  row: TextRow,
  texts: DocumentTexts,
  options: Pick<DocumentOptions, 'fetch'>,
): Promise<string | undefined> {
  const references = toReferences(row, options)
  if (references.length === 0) return undefined
  const parts = [row.content]
  for (const reference of references) parts.push(await texts.read(reference))
  const content = parts.filter((part) => part !== '').join('\n')
  return content.length > recordCharactersMax ? content.slice(0, recordCharactersMax) : content
}

function* eachReference(
  staging: Staging,
  options: Pick<DocumentOptions, 'fetch'>,
): Generator<DocumentReference, void, undefined> {
  for (const row of staging.inCanonicalOrder()) yield* toReferences(row, options)
}

/** Addresses count only where they are to be fetched: a registry that only links its documents lacks none. */
function toReferences(row: TextRow, { fetch }: Pick<DocumentOptions, 'fetch'>): DocumentReference[] {
  const references: DocumentReference[] = row.documents.map((name) => ({ kind: 'file', name }))
  if (!fetch) return references
  const { links, agreementLink } = fromStored(row)
  if (links !== '') references.push({ kind: 'address', url: links })
  if (agreementLink !== null && agreementLink !== links) references.push({ kind: 'address', url: agreementLink })
  return references
}

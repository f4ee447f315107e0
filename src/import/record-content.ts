// The text to search of each record: what its row says and what its documents say. Reading the documents is left to
// documents/.

import type { Progress } from '../cli/progress.ts'
import { fromStored } from '../domain/record.ts'
import type { DocumentOptions, DocumentReference, DocumentTexts } from './documents/documents.ts'
import { recordCharactersMax } from './sources/source.ts'
import type { StagedRow, Staging } from './staging.ts'

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

/** The row's own text, and behind it those of its documents. */
export async function readContent(
  row: StagedRow,
  texts: DocumentTexts,
  options: Pick<DocumentOptions, 'fetch'>,
): Promise<string> {
  const references = toReferences(row, options)
  if (references.length === 0) return row.content
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
function toReferences(row: StagedRow, { fetch }: Pick<DocumentOptions, 'fetch'>): DocumentReference[] {
  const references: DocumentReference[] = row.documents.map((name) => ({ kind: 'file', name }))
  if (!fetch) return references
  const { links, agreementLink } = fromStored(row.record)
  if (links !== '') references.push({ kind: 'address', url: links })
  if (agreementLink !== null && agreementLink !== links) references.push({ kind: 'address', url: agreementLink })
  return references
}

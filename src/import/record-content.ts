// The searchable content of each record: the column `content` followed by the text of the record's documents, which
// documents/ extracts. It is used between staging and writing.

import type { Progress } from '../cli/progress.ts'
import { type RecordContent, type RecordDocument, toUnpagedDocument } from '../domain/document.ts'
import { toRegistryRecord } from '../domain/record.ts'
import type { DocumentOptions, DocumentReference, DocumentTexts } from './documents/documents.ts'
import { recordCharactersMax } from './sources/source.ts'
import type { StagedRow, Staging } from './staging.ts'

/** Extracts the text of all documents that the staged rows name. Returns undefined if there are none. */
export async function prepareDocumentTexts(
  staging: Staging,
  options: Omit<DocumentOptions, 'onProgress'>,
  progress: Progress,
): Promise<DocumentTexts | undefined> {
  if (!staging.hasDocumentNames && !(options.fetch && staging.hasLinks)) return undefined
  // Loaded on demand, because most imports have no documents.
  const { prepareDocuments } = await import('./documents/documents.ts')
  let total = 0
  for (const row of staging.inCanonicalOrder()) total += toReferences(row, options).length
  return await prepareDocuments(eachReference(staging, options), {
    ...options,
    onProgress: ({ references }) => progress.report('reading documents', references, total),
  })
}

/** Returns the content of one record. It is cut at the length that sources allow for a record. */
export async function readContent(
  row: StagedRow,
  texts: DocumentTexts,
  options: Pick<DocumentOptions, 'fetch'>,
): Promise<RecordContent> {
  const documents: RecordDocument[] = []
  let charactersLeft = recordCharactersMax - row.content.length
  for (const reference of toReferences(row, options)) {
    const text = (await texts.read(reference)).slice(0, Math.max(charactersLeft, 0))
    charactersLeft -= text.length
    if (text !== '') documents.push(toUnpagedDocument(text))
  }
  return { text: row.content, documents }
}

function* eachReference(
  staging: Staging,
  options: Pick<DocumentOptions, 'fetch'>,
): Generator<DocumentReference, void, undefined> {
  for (const row of staging.inCanonicalOrder()) yield* toReferences(row, options)
}

/** Addresses are references only with `--fetch-documents`; otherwise every linked document would count as missing. */
function toReferences(row: StagedRow, { fetch }: Pick<DocumentOptions, 'fetch'>): DocumentReference[] {
  const references: DocumentReference[] = row.documents.map((name) => ({ kind: 'file', name }))
  if (!fetch) return references
  const { links, agreementLink } = toRegistryRecord(row.record)
  if (links !== '') references.push({ kind: 'address', url: links })
  if (agreementLink !== null && agreementLink !== links) references.push({ kind: 'address', url: agreementLink })
  return references
}

// A record in service whose row is rejected stays as it was: the record is read from the registry in service and staged
// beside the accepted rows. import.ts calls this once it is clear that the import may publish.
import type { RecordContent } from '../domain/document.ts'
import type { FieldValues, OwnField } from '../domain/own-fields.ts'
import type { StoredRecord } from '../domain/record.ts'
import { readEntries } from '../registry/kept-entries.ts'
import type { ImportReport } from './report.ts'
import type { Staging } from './staging.ts'

export interface KeepOptions {
  /** The office's own columns that the new registry has. */
  readonly fields: readonly OwnField[]
  /** Whether the new registry hands documents out. */
  readonly publishesDocuments: boolean
}

/** `path` is that of the registry in service; there may be none. Adds the codes of the records to the report. */
export function keepRejected(path: string, staging: Staging, report: ImportReport, options: KeepOptions): void {
  for (const { record, content } of readEntries(path, staging.rejectedCodes())) {
    staging.addKept({
      record: withDeclaredFields(record, options.fields),
      content: options.publishesDocuments ? content : withoutPublished(content),
    })
    report.keptCodes.push(record.code)
  }
}

function withDeclaredFields(record: StoredRecord, declared: readonly OwnField[]): StoredRecord {
  const values = JSON.parse(record.fields ?? '{}') as FieldValues
  const kept = declared.flatMap(({ label }) => (values[label] === undefined ? [] : [[label, values[label]]]))
  return { ...record, fields: kept.length === 0 ? null : JSON.stringify(Object.fromEntries(kept)) }
}

/** A published document has no address once its file is not published any more. */
function withoutPublished({ text, documents }: RecordContent): RecordContent {
  return {
    text,
    documents: documents.map(({ published, ...document }) =>
      published === undefined ? document : { ...document, href: null },
    ),
  }
}

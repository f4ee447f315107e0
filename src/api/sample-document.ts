// {base}/documento/{cod_archivo}: the documents of the bundled sample, a fictional registry. The hosts in the addresses
// of its documents do not exist, so the web page links to this address, and the service makes a PDF from the stored
// text. For any other registry there is nothing at this address.
import { foldCode } from '../domain/inscription-code.ts'
import { findNotModified } from '../http/conditional.ts'
import { cacheForOneMinute, toContentTag } from '../http/files.ts'
import type { ApiRequest } from '../http/request.ts'
import type { ApiResponse } from '../http/response.ts'
import { representationHeaders, toWholeResponse } from '../http/response.ts'
import { Problem, quote } from '../problems.ts'
import type { RegistryStore, Snapshot } from '../registry/contract.ts'
import { toDocumentPdf } from '../sample/pdf.ts'

const headers = representationHeaders('application/pdf', cacheForOneMinute)

/**
 * The first document of the record as a PDF; with `?acuerdo` in the address, its agreement. Returns a problem if the
 * sample has no such record, or the registry is not the sample.
 */
export async function handleSampleDocument(
  request: ApiRequest,
  store: RegistryStore,
  code: string,
): Promise<ApiResponse | Problem> {
  const snapshot = store.current()
  const record = snapshot.metadata.fictional ? await readRecord(snapshot, code) : undefined
  if (record === undefined) {
    const detail = snapshot.metadata.fictional
      ? `No record has the inscription code ${quote(code)}`
      : 'Only the fictional sample has documents here; the links of a record lead to its documents'
    return new Problem('unknown-address', detail)
  }
  const isAgreement = new URLSearchParams(request.target.query).has('acuerdo')
  const pageTexts = isAgreement ? [toAgreementText(record)] : await readPageTexts(snapshot, code, record)
  const pdf = toDocumentPdf(record.title, pageTexts)
  const tag = toContentTag(pdf)
  return findNotModified(request, tag, headers) ?? toWholeResponse(request, tag, headers, pdf)
}

/** The fields of a record in wire format that a document shows. */
interface SampleRecord {
  readonly title: string
  readonly area: string
  readonly municipality: string
  readonly checkin_date: string
}

async function readRecord(snapshot: Snapshot, code: string): Promise<SampleRecord | undefined> {
  const result = await snapshot.page({ code: foldCode(code), limit: 1 })
  return result === null ? undefined : JSON.parse(result.text)
}

/**
 * The text of each page of the first document. If it has no page with text: one page with a notice, the title, the
 * area, the municipality and all stored text of the record.
 */
async function readPageTexts(snapshot: Snapshot, code: string, record: SampleRecord): Promise<string[]> {
  const stored = await snapshot.readText(foldCode(code))
  const pages = new Map<number, string>()
  for (const { document, page, text } of stored) {
    // Documents are numbered from 1. The text of a long page is stored in several rows.
    if (document === 1 && page !== null) pages.set(page, `${pages.get(page) ?? ''}\n${text}`)
  }
  if (pages.size > 0) {
    // A page without text becomes a blank page, so that it does not change the numbers of the pages after it.
    return Array.from({ length: Math.max(...pages.keys()) }, (_, index) => pages.get(index + 1) ?? '')
  }
  return [
    [fictionalNotice, record.title, record.area, record.municipality, ...stored.map(({ text }) => text)].join('\n'),
  ]
}

const fictionalNotice = 'Registro ficticio de ejemplo: documento sin valor alguno.'

function toAgreementText({ title, municipality, checkin_date: date }: SampleRecord): string {
  return [fictionalNotice, `Acuerdo sobre: ${title}`, municipality, `Entrada: ${date}`].join('\n')
}

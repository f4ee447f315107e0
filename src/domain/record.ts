// A planning record, the canonical order of records and their wire format, the JSON object that clients receive
// (docs/api.md). The import serialises each record once, and JSON responses contain this text; the parameter `include`
// only appends properties.
import type { FieldValues } from './own-fields.ts'

/** A planning record as the import has normalised it: texts are trimmed, dates have the format `YYYY-MM-DD`. */
export interface RegistryRecord {
  /** The inscription code as in the source, usually `<prefix>-<number>`; unique, ignoring case. */
  readonly code: string
  /** The id in the source; the inscription code if the source has no ids. */
  readonly id: string
  /** The number of the registration, as in the source; by default the number in the code. Records may share one. */
  readonly registrationNumber: string
  readonly title: string
  /** The area that the plan affects; may be empty. */
  readonly area: string
  /** The date of entry in the registry. */
  readonly checkinDate: string
  /** The date of inscription; null if there is none. */
  readonly inscriptionDate: string | null
  readonly municipality: string
  /**
   * The address of the document, only one in spite of the name, which the specification sets. It is as in the source:
   * entities and percent-encoding are kept. Empty if there is none.
   */
  readonly links: string
  /** The address of the agreement that approves the plan; null if there is none. */
  readonly agreementLink: string | null
  /** The office's own columns; absent if the record has none. */
  readonly fields?: FieldValues | undefined
}

/** The JSON object that a client receives; its fields have the order of the specification. */
export interface WireRecord {
  id: string
  registration_number: string
  title: string
  area: string
  checkin_date: string
  inscription_date: string | null
  municipality: string
  links: string
  agreement_link?: string
}

/** The fields of a record in wire format, in the order of the specification. */
export const wireFields: readonly (keyof WireRecord)[] = [
  'id',
  'registration_number',
  'title',
  'area',
  'checkin_date',
  'inscription_date',
  'municipality',
  'links',
  'agreement_link',
]

/** The columns of records as CSV: the wire format, then the inscription code. `record.csv` has further ones. */
export const csvColumns: readonly (keyof WireRecord | 'cod_archivo')[] = [...wireFields, 'cod_archivo']

export function toWireRecord(record: RegistryRecord): WireRecord {
  const wire: WireRecord = {
    id: record.id,
    registration_number: record.registrationNumber,
    title: record.title,
    area: record.area,
    checkin_date: record.checkinDate,
    inscription_date: record.inscriptionDate,
    municipality: record.municipality,
    links: record.links,
  }
  if (record.agreementLink !== null) wire.agreement_link = record.agreementLink
  return wire
}

/** A record as the snapshot stores it: the wire format as JSON, and the fields used for sorting and searching. */
export interface StoredRecord extends OrderKey {
  readonly title: string
  readonly area: string
  readonly municipality: string
  /** The JSON text of a `WireRecord`. */
  readonly wire: string
  /** The JSON text of the `FieldValues`; null if there are none. */
  readonly fields: string | null
}

export function toStoredRecord(record: RegistryRecord): StoredRecord {
  const { code, checkinDate, title, area, municipality } = record
  const fields = record.fields === undefined ? null : JSON.stringify(record.fields)
  return { code, checkinDate, title, area, municipality, wire: JSON.stringify(toWireRecord(record)), fields }
}

/** The reverse of `toStoredRecord`. The code is passed besides `wire`, because the wire format does not have it. */
export function toRegistryRecord(stored: Pick<StoredRecord, 'code' | 'wire' | 'fields'>): RegistryRecord {
  const { code } = stored
  const fields = JSON.parse(stored.wire) as WireRecord
  return {
    code,
    id: fields.id,
    registrationNumber: fields.registration_number,
    title: fields.title,
    area: fields.area,
    checkinDate: fields.checkin_date,
    inscriptionDate: fields.inscription_date,
    municipality: fields.municipality,
    links: fields.links,
    agreementLink: fields.agreement_link ?? null,
    ...(stored.fields === null ? {} : { fields: JSON.parse(stored.fields) as FieldValues }),
  }
}

/** The canonical order: newest check-in date first, then by code. */
export function compareCanonically(a: OrderKey, b: OrderKey): number {
  if (a.checkinDate !== b.checkinDate) return a.checkinDate < b.checkinDate ? 1 : -1
  if (a.code === b.code) return 0
  return a.code < b.code ? -1 : 1
}

/** The sort key of the canonical order. */
export type OrderKey = Pick<RegistryRecord, 'checkinDate' | 'code'>

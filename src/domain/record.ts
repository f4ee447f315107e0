// The record of the registry as the whole house speaks of it, and its wire form (specification, section 2), which
// is made once, at import, and sent as it is ever after.

/** One planning record, normalised: every text trimmed, every date `YYYY-MM-DD`. */
export interface RegistryRecord {
  /** The inscription code `<prefix>-<number>` as the registry writes it; unique without regard to case. */
  readonly code: string
  readonly id: string
  readonly registrationNumber: string
  readonly title: string
  readonly area: string
  readonly checkinDate: string
  readonly inscriptionDate: string | null
  readonly municipality: string
  /** Byte for byte as the registry holds it (decisions, `links`): never decoded, never rebuilt. */
  readonly links: string
  readonly agreementLink: string | null
}

/** The object a client receives: underscore spelling, the order of the specification's table. */
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

/** A record as a registry keeps it: its wire form as JSON, and what it is sorted and found by. */
export interface StoredRecord extends OrderKey {
  readonly title: string
  readonly municipality: string
  readonly wire: string
}

export function toStored(record: RegistryRecord): StoredRecord {
  const { code, checkinDate, title, municipality } = record
  return { code, checkinDate, title, municipality, wire: toWire(record) }
}

function toWire(record: RegistryRecord): string {
  return JSON.stringify(toWireRecord(record))
}

export function fromStored({ code, wire }: Pick<StoredRecord, 'code' | 'wire'>): RegistryRecord {
  const fields = JSON.parse(wire) as WireRecord
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
  }
}

/** The canonical order of the registry: newest entry first, then code. */
export function compareCanonically(a: OrderKey, b: OrderKey): number {
  if (a.checkinDate !== b.checkinDate) return a.checkinDate < b.checkinDate ? 1 : -1
  return a.code === b.code ? 0 : a.code < b.code ? -1 : 1
}

export type OrderKey = Pick<RegistryRecord, 'checkinDate' | 'code'>

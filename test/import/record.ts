// A record for tests, with characters that JSON, SQL and UTF-8 encode in special ways.
import type { RegistryRecord } from '../../src/domain/record.ts'

/** The record of an import with this code and date. */
export function recordOf(code: string, checkinDate = '2004-05-18'): RegistryRecord {
  return {
    code,
    id: `id of ${code}`,
    registrationNumber: '1',
    title: 'Plan "Ñ" \\ 😀',
    area: '',
    checkinDate,
    inscriptionDate: null,
    municipality: 'Jávea',
    links: 'https://example.org/%F3.pdf',
    agreementLink: 'https://example.org/a.pdf',
  }
}

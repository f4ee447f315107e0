// A record for tests, with characters that JSON escapes, characters of several bytes in UTF-8, and a link whose
// percent-encoded byte is not UTF-8 (`%F3`).
import type { RegistryRecord } from '../../src/domain/record.ts'

/** A record with this code and date, as an import reads it from a row. */
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

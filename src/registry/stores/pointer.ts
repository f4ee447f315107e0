// The pointer `current.json`, by which a web server or object store says which registry file is current. Written by
// `import --export` (export.ts) and `serve --offer-file` (offer.ts), and read by services that follow (https.ts).
import type { LastImport, Manifest } from './remote.ts'

export const pointerName = 'current.json'

/** A pointer has a few hundred bytes. */
export const pointerBytesMax = 16_384

/** Media type of a SQLite file, as IANA has registered it. */
export const fileMediaType = 'application/vnd.sqlite3'

export interface Pointer {
  readonly manifest: Manifest
  /** Address of the file, absolute or relative to that of the pointer. */
  readonly href: string
}

/** The text of a pointer. */
export function toPointerText({ manifest, href }: Pointer): string {
  const { version, format, bytes, sha256, lastImport } = manifest
  const pointer = { version, format, bytes, sha256, href, last_import: toPublicImport(lastImport) }
  return `${JSON.stringify(pointer, null, 2)}\n`
}

/** A fault may name files of the office. */
function toPublicImport(lastImport: LastImport | null): object | null {
  const { fault: _fault, ...others } = lastImport ?? {}
  return lastImport === null ? null : others
}

/** Undefined if the text is no valid pointer. Unknown properties are ignored. */
export function parsePointer(text: string): Pointer | undefined {
  const { version, format, bytes, sha256, href, last_import: lastImport } = parseObject(text)
  const isValid =
    typeof version === 'string' &&
    isCount(format) &&
    isCount(bytes) &&
    typeof sha256 === 'string' &&
    /^[0-9a-f]{64}$/.test(sha256) &&
    typeof href === 'string'
  if (!isValid) return undefined
  return { manifest: { version, format, bytes, sha256, lastImport: toLastImport(lastImport) }, href }
}

/** Null if the text is no outcome of an import. */
export function parseLastImport(text: string): LastImport | null {
  return toLastImport(parseObject(text))
}

/** The properties of a JSON object; none if the text is another value or no JSON. */
function parseObject(text: string): Readonly<Record<string, unknown>> {
  try {
    const value: unknown = JSON.parse(text)
    return isObject(value) ? (value as Record<string, unknown>) : {}
  } catch {
    return {}
  }
}

/** Null if the value is no outcome of an import: it is only shown, so it is no reason to refuse the file. */
function toLastImport(value: unknown): LastImport | null {
  if (!isObject(value)) return null
  const { at, outcome, records, rejected, kept, reasons, fault } = value as Readonly<Record<string, unknown>>
  const isDate = typeof at === 'string' && !Number.isNaN(Date.parse(at))
  if (!isDate || !isOutcome(outcome) || !isCount(records) || !isCount(rejected)) return null
  return {
    ...{ at, outcome, records, rejected },
    ...(isCount(kept) ? { kept } : {}),
    ...(isObject(reasons) ? { reasons: reasons as LastImport['reasons'] & object } : {}),
    ...(typeof fault === 'string' ? { fault } : {}),
  }
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null
}

function isCount(value: unknown): value is number {
  return Number.isSafeInteger(value) && (value as number) >= 0
}

function isOutcome(value: unknown): value is LastImport['outcome'] {
  return value === 'published' || value === 'unchanged' || value === 'refused'
}

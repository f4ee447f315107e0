// Static files and generated HTML as responses. The files of the built web page, and the style and script of the API
// reference, are read once, at start; openapi.json is generated. All are served from memory.

import { hash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { extname, join, relative, sep } from 'node:path'
import type { Problem } from '../problems.ts'
import type { CompressionName } from './compress.ts'
import type { ApiRequest } from './request.ts'
import { type Representation, respond } from './respond.ts'
import type { ApiResponse } from './response.ts'
import { type ResponseHeaders, representationHeaders } from './response-headers.ts'

export interface StaticFile extends Representation {
  readonly body: Buffer
}

/** The endings of the compressed files that web/build.js writes beside each file, the smallest first. */
const compressedEndings: ReadonlyMap<string, CompressionName> = new Map([
  ['.br', 'br'],
  ['.gz', 'gzip'],
])

/** All files in a folder, by relative path (`assets/page-1a2B3c4D.js`); empty if the folder does not exist. */
export function readFiles(folder: string): Map<string, StaticFile> {
  const files = new Map<string, StaticFile>()
  const paths = listFiles(folder)
  for (const path of paths.filter((each) => !compressedEndings.has(extname(each)))) {
    const name = relative(folder, path).split(sep).join('/')
    const compressed = [...compressedEndings].filter(([ending]) => paths.includes(path + ending))
    const bodies = new Map(compressed.map(([ending, coding]) => [coding, readFileSync(path + ending)]))
    const cacheControl = isHashed(name) ? cacheForever : cacheForOneMinute
    files.set(name, toStaticFile(name, readFileSync(path), cacheControl, bodies))
  }
  return files
}

/** The file as it is served. Its content type follows from the ending of its name. */
export function toStaticFile(
  name: string,
  body: Buffer,
  cacheControl: string,
  compressed: ReadonlyMap<CompressionName, Uint8Array> = new Map(),
): StaticFile {
  const contentType = contentTypes.get(extname(name)) ?? 'application/octet-stream'
  return { body, tag: toContentTag(body), headers: representationHeaders(contentType, cacheControl), compressed }
}

/** Each character of base64url has 6 bits. With 132 bits, two contents practically never have the same tag. */
const tagCharacters = 22

/** A hash of the content, for an ETag or a file name. */
export function toContentTag(body: string | Buffer): string {
  return hash('sha256', body, 'base64url').slice(0, tagCharacters)
}

/** With a `dataVersion` (`ApiResponse.dataVersion`) the response may be stored in the response cache. */
export function serveFile(request: ApiRequest, file: StaticFile, dataVersion?: object): Promise<ApiResponse | Problem> {
  return respond(request, file, async () => ({ body: file.body, dataVersion }))
}

/** Whether the name ends like one with a hash of the content, `page-1a2B3c4D.js`: a hyphen and 8 or more characters. */
function isHashed(name: string): boolean {
  return /-[\w-]{8,}\.\w+$/.test(name)
}

/** A value of `Cache-Control`: a year, for files whose name changes with their content. */
export const cacheForever = 'public, max-age=31536000, immutable'
/** A value of `Cache-Control` for files whose name stays the same. */
export const cacheForOneMinute = 'public, max-age=60, must-revalidate'

/**
 * The headers of an HTML response. The security policy allows resources of this service and images in `data:` URLs, no
 * inline scripts, and of inline styles only the given ones: browsers compare the hash of a `<style>` element (CSP Level
 * 3, section 2.3.1).
 */
export function toHtmlHeaders(inlineStyles: readonly string[]): ResponseHeaders {
  const styleHashes = inlineStyles.map((style) => ` 'sha256-${hash('sha256', style, 'base64')}'`)
  const policy = [
    "default-src 'none'",
    "script-src 'self'",
    `style-src 'self'${styleHashes.join('')}`,
    "img-src 'self' data:",
    "font-src 'self'",
    "connect-src 'self'",
    "manifest-src 'self'",
    "base-uri 'self'",
    "form-action 'self'",
    "frame-ancestors 'none'",
  ]
  return {
    'Content-Type': 'text/html; charset=utf-8',
    'Cache-Control': 'public, max-age=0, must-revalidate',
    Vary: 'Accept-Encoding',
    'Content-Security-Policy': policy.join('; '),
    // For browsers that do not support frame-ancestors.
    'X-Frame-Options': 'DENY',
    'Referrer-Policy': 'no-referrer',
    'X-Content-Type-Options': 'nosniff',
    'Cross-Origin-Opener-Policy': 'same-origin',
  }
}

export const htmlHeaders: ResponseHeaders = toHtmlHeaders([])

/** The content types by the ending of a file name. */
const contentTypes: ReadonlyMap<string, string> = new Map([
  ['.html', 'text/html; charset=utf-8'],
  ['.js', 'text/javascript; charset=utf-8'],
  ['.css', 'text/css; charset=utf-8'],
  ['.json', 'application/json'],
  ['.webmanifest', 'application/manifest+json'],
  ['.svg', 'image/svg+xml'],
  ['.png', 'image/png'],
  ['.ico', 'image/x-icon'],
  ['.woff2', 'font/woff2'],
  ['.txt', 'text/plain; charset=utf-8'],
])

/** The paths of all files in a folder and its subfolders; empty if the folder does not exist. */
function listFiles(folder: string): string[] {
  try {
    const entries = readdirSync(folder, { recursive: true, withFileTypes: true })
    return entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name))
  } catch (error) {
    if (error instanceof Error && 'code' in error && error.code === 'ENOENT') return []
    throw error
  }
}

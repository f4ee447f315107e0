// Guards `formatVersion` (schema.ts). The id of a registry, and with it every ETag, covers the records and the format,
// but not the code that makes tokens and answers of the records. So a change of that code needs a new format.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { test } from 'node:test'
import { formatVersion } from '../../src/registry/schema.ts'

const fingerprint = '90d30750d990df05ca3b2dd7b879e821'

const source = new URL('../../src/', import.meta.url)

/**
 * The code and lists that decide what a registry of given records answers. Folders stand for their files. The tokens of
 * filters on a whole field are compared in test/api/filters.test.ts.
 */
const sources: readonly string[] = [
  'analysis/',
  'domain/data/',
  'domain/exact-value.ts',
  'domain/inscription-code.ts',
  'domain/municipality-list.ts',
  'domain/municipality-name.ts',
  'domain/municipality.ts',
  'domain/province.ts',
  'domain/record.ts',
  'registry/digest.ts',
  'registry/municipality-index.ts',
  'registry/pages.ts',
  'registry/schema.ts',
  'registry/tokens.ts',
]

/** A hash of the sources without their comments. */
function toFingerprint(): string {
  const hash = createHash('sha256')
  for (const path of sources) {
    const names = path.endsWith('/')
      ? readdirSync(new URL(path, source))
          .sort()
          .map((name) => path + name)
      : [path]
    for (const name of names.filter((each) => /\.(?:ts|txt)$/.test(each))) {
      const lines = readFileSync(new URL(name, source), 'utf8').split('\n')
      hash.update(lines.filter((line) => !/^\s*(?:\/\/|\/?\*)/.test(line)).join('\n'))
    }
  }
  return hash.digest('hex').slice(0, 32)
}

test('the format has a new version when what the same records answer may have changed', () => {
  const found = toFingerprint()
  assert.ok(
    found === fingerprint,
    `The code behind the tokens and answers has changed. If the same records may now have other tokens or answers, raise \
baseVersion in src/registry/schema.ts (formatVersion is ${formatVersion} now). Then set the fingerprint in this file to '${found}'.`,
  )
})

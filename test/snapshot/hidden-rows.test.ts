// Test of damage to the B-trees of a snapshot file, which can hide rows that are still valid. A read must fail then,
// and never say that a term or a code does not exist.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { Random } from '../../src/sample/random.ts'
import { StoreFault, StoreUnavailable } from '../../src/snapshot/contract.ts'
import { FileStorage } from '../../src/snapshot/file/file-storage.ts'
import { folder, publishSample } from './sqlite-folder.ts'

/** At least so many copies of the file are damaged, each in one bit. More are damaged until a read has failed. */
const damagedCopiesMin = 40

/** The first byte of a page of an index B-tree, as SQLite stores it. Terms and codes are in such B-trees. */
const pageTypes = { interior: 0x02, leaf: 0x0a }
const pageBytes = 4096

/** What to look for: terms (keys of the index), prefixes of terms, and codes. Some are in the registry, others not. */
interface Sought {
  readonly terms: readonly string[]
  readonly prefixes: readonly string[]
  readonly codes: readonly string[]
}

test('a flipped bit in a page of terms or codes never hides one of them', async () => {
  const path = await publishSample('hidden.db', { seed: 'hidden rows', records: 600 })
  const valid = readFileSync(path)
  const sought = selectSought(path)
  const expected = readAnswers(path, sought)
  const interiorOffsets = findPageOffsets(valid, pageTypes.interior)
  const leafOffsets = findPageOffsets(valid, pageTypes.leaf)
  const [seed, stream] = [1, 1]
  const random = new Random(seed, stream)
  const damagedPath = join(folder, 'hidden-damaged.db')
  let refusedReads = 0
  for (let copy = 0; copy < damagedCopiesMin || refusedReads === 0; copy++) {
    const damaged = Buffer.from(valid)
    // There are few interior pages, but damage to them hides the most.
    const pageOffsets = copy % 2 === 0 ? interiorOffsets : leafOffsets
    const pageOffset = pageOffsets[random.below(pageOffsets.length)]
    assert.ok(pageOffset !== undefined)
    const offset = pageOffset + random.below(pageBytes)
    damaged[offset] = (damaged[offset] ?? 0) ^ (1 << random.below(8))
    writeFileSync(damagedPath, damaged)
    const answers = readAnswers(damagedPath, sought)
    for (const [index, answer] of answers.entries()) {
      if (answer === null) refusedReads++
      else assert.equal(answer, expected[index], `bit flipped at ${offset}`)
    }
  }
})

/**
 * Every 300th term and every 30th code of the registry. After each comes the same with an `X` at its end, which the
 * registry does not have. The prefixes are the first five characters of the terms.
 */
function selectSought(path: string): Sought {
  const database = new DatabaseSync(path, { readOnly: true })
  const select = (column: string, table: string, every: number): string[] =>
    database
      .prepare(`SELECT ${column} AS value FROM ${table} ORDER BY ${column}`)
      .all()
      .filter((_, index) => index % every === 0)
      .map(({ value }) => String(value))
  const terms = select('term', 'term_entry', 300)
  const codes = select('folded_code', 'record', 30)
  database.close()
  const withAbsent = (values: readonly string[]): string[] => values.flatMap((value) => [value, `${value}X`])
  return { terms: withAbsent(terms), prefixes: terms.map((term) => term.slice(0, 5)), codes: withAbsent(codes) }
}

/** What the reads of terms, of prefixes and of codes have found, as text; null for a read that damage made fail. */
function readAnswers(path: string, { terms, prefixes, codes }: Sought): (string | null)[] {
  /** Each read has a storage of its own, because a storage that has found damage reads no more. */
  const read = (find: (storage: FileStorage) => readonly (string | number)[]): string | null => {
    try {
      const storage = new FileStorage(path)
      try {
        return find(storage).join(' ')
      } finally {
        storage.closeWhenUnused()
      }
    } catch (error) {
      if (error instanceof StoreFault || error instanceof StoreUnavailable) return null
      throw error
    }
  }
  return [
    read((storage) => storage.readEntries(terms).map(({ key }) => key)),
    read((storage) => prefixes.flatMap((prefix) => storage.readEntriesOfPrefix(prefix).map(({ key }) => key))),
    read((storage) => codes.map((code) => storage.findRecord(code)?.position ?? 'absent')),
  ]
}

/** The offsets of the pages of the type, which is their first byte. */
function findPageOffsets(bytes: Buffer, type: number): number[] {
  const offsets = Array.from({ length: bytes.length / pageBytes }, (_, index) => index * pageBytes)
  return offsets.filter((offset) => bytes[offset] === type)
}

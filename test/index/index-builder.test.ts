// Tests of building an inverted index: from runs of any size, on worker threads, and with stored prefix unions. A run
// is the index of some consecutive records, which is merged with the others. A prefix union is one posting list for all
// words that share a prefix.
import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import { analyseTerm } from '../../src/analysis/analyser.ts'
import { IndexBuilder } from '../../src/index/index-builder.ts'
import { Inverter, type RecordTexts } from '../../src/index/inverter.ts'
import { mergeRuns, type Run } from '../../src/index/merge.ts'
import { findOccurrences } from '../../src/index/occurrences.ts'
import { longPrefixWordsMax, type TermEntry, unitedWordsMax } from '../../src/index/posting-list.ts'
import { TimeSlice } from '../../src/index/time-slice.ts'
import { MemoryPostings } from './memory-postings.ts'

const folder = mkdtempSync(join(tmpdir(), 'index-builder-'))
after(() => rmSync(folder, { recursive: true }))

interface IndexedText {
  readonly title: string
  readonly content?: string
}

/** The texts of a record as the inverter takes them. */
function toTexts({ title, content = '' }: IndexedText): RecordTexts {
  return { title, area: '', segments: content === '' ? [] : [content] }
}

interface RunSize {
  readonly recordsPerRun: number
}

let runFileCount = 0

/** Builds the index in this thread, from runs of `recordsPerRun` records. */
function buildOnThisThread(texts: readonly IndexedText[], { recordsPerRun }: RunSize): MemoryPostings {
  const runs: Run[] = []
  const inverter = new Inverter()
  for (let first = 0; first < texts.length; first += recordsPerRun) {
    for (const [index, text] of texts.slice(first, first + recordsPerRun).entries()) {
      inverter.add(first + index, toTexts(text))
    }
    const path = join(folder, `run-${++runFileCount}`)
    writeFileSync(path, '')
    const { partBytes } = inverter.writeRun((bytes) => appendFileSync(path, bytes))
    // A run has two parts in its file: the posting lists of forms, then of stems. In an import each part is merged on a
    // thread of its own; here one merge reads both.
    runs.push({ path, start: 0, size: partBytes.forms + partBytes.stems })
  }
  const store = new MemoryPostings()
  const onProgress = () => {}
  mergeRuns(runs, texts.length, store.writer, onProgress)
  return store
}

/** Builds the index on worker threads, as an import does. */
async function buildOnWorkers(texts: readonly IndexedText[]): Promise<MemoryPostings> {
  const builder = new IndexBuilder(folder)
  try {
    for (const text of texts) await builder.add(toTexts(text))
    const store = new MemoryPostings()
    const onProgress = () => {}
    await builder.finish(store.writer, onProgress)
    return store
  } finally {
    await builder.close()
  }
}

/** Compares the bytes with `Buffer.compare`, because `deepEqual` takes a minute for the largest of these indexes. */
function assertSameIndex(actual: MemoryPostings, expected: MemoryPostings): void {
  for (const kind of ['block', 'positions'] as const) {
    assert.equal(actual.chunks[kind].length, expected.chunks[kind].length)
    for (const [index, bytes] of actual.chunks[kind].entries()) {
      assert.ok(Buffer.compare(bytes, expected.chunks[kind][index] ?? new Uint8Array()) === 0, `${kind} ${index}`)
    }
  }
  assert.equal(actual.entries.size, expected.entries.size)
  for (const [key, entry] of actual.entries) {
    assert.equal(toText(entry), toText(expected.entries.get(key)), key)
  }
}

/** All values of an entry as text. */
function toText(entry: TermEntry | undefined): string {
  return JSON.stringify(entry, (_name, value) => (ArrayBuffer.isView(value) ? [...(value as Uint8Array)] : value))
}

/** The numbers from 0 to `length` - 1. */
const range = (length: number): number[] => Array.from({ length }, (_, i) => i)

test('a search finds the same records whatever the size of the runs', async () => {
  // Each title has one of ten words (`azona` to `jzona`) and one of the numbers from 0 to 6: record 2 is `plan 2 sector
  // czona`.
  const texts = range(300).map((i) => ({ title: `plan ${i % 7} sector ${'abcdefghij'.charAt(i % 10)}zona` }))
  for (const recordsPerRun of [300, 7, 1]) {
    const store = buildOnThisThread(texts, { recordsPerRun })
    assert.deepEqual(
      await store.search('"plan 3"'),
      range(300).filter((i) => i % 7 === 3),
    )
    assert.deepEqual(
      await store.search('sector czon*'),
      range(300).filter((i) => i % 10 === 2),
    )
    assert.deepEqual(await store.search('plan'), range(300))
    assert.deepEqual(await store.search('"3 plan"'), [])
  }
})

test('worker threads build the same index as this thread', async () => {
  // About 200 KB of titles: several batches of 64 KiB. A single batch would be inverted without a worker thread.
  const texts = range(4000).map((i) => ({
    title: `plan ${i % 700} del sector ${i} en la zona de ordenanza ${i % 3}`,
  }))
  assertSameIndex(await buildOnWorkers(texts), buildOnThisThread(texts, { recordsPerRun: 1000 }))
})

test('worker threads build the same index if only the last of several runs has content', async () => {
  // A run ends at 4 MiB of text. 5,000 titles of more than 900 bytes are more, so the last record, the only one with
  // content, is in another run than the first titles. The first run has posting lists of titles only, because none of
  // its records has content. The whole index also has posting lists of whole records, because one record has content.
  // For these lists the merge reads the titles of the first run a second time.
  const texts: IndexedText[] = range(5_000).map((i) => ({
    title: `plan ${i % 700} del sector ${i % 977} de ordenanza ${'x'.repeat(900)}`,
  }))
  texts.push({ title: 'estudio', content: 'memoria' })
  const store = await buildOnWorkers(texts)
  assertSameIndex(store, buildOnThisThread(texts, { recordsPerRun: texts.length }))
  assert.deepEqual(await store.search('memoria estudio'), [5_000])
})

test('a prefix of very many words finds all their records and unites few posting lists', async () => {
  // 96 words start with `zab`, more than the 32 that a search unites, and 16 of them with `zaba`; one word starts with
  // `zac`, and 16 start with `zad`. Every title has one word with each of the prefixes `zab`, `zac` and `zad`.
  const letters = 'abcdefghijklmnop'
  const titles = range(unitedWordsMax * 3).map(
    (i) => `zab${letters.charAt(Math.floor(i / 16))}${letters.charAt(i % 16)}q zacxx zad${letters.charAt(i % 16)}`,
  )
  // With content, the index has unions of whole records as well as of titles.
  const store = buildOnThisThread(
    titles.map((title) => ({ title, content: 'texto' })),
    { recordsPerRun: 50 },
  )
  const all = range(titles.length)
  for (const term of ['zab*', 'zac*', 'zad*']) assert.deepEqual(await store.search(term), all, term)
  /** The most posting lists that a search has united for one prefix. */
  let unitedListsMax = 0
  const readEntriesOfPrefix = store.readEntriesOfPrefix.bind(store)
  store.readEntriesOfPrefix = (prefix) => {
    const entries = readEntriesOfPrefix(prefix)
    unitedListsMax = Math.max(unitedListsMax, entries.length)
    return entries
  }
  for (const term of ['zab*', 'zac*', 'zad*', 'zaba*']) await store.search(term)
  assert.ok(unitedListsMax > 0 && unitedListsMax <= unitedWordsMax, `${unitedListsMax} posting lists`)
})

test('a bounded number of words is read for the occurrences of a prefix, however many words have it', async () => {
  // Words with the prefix are read in pages of `longPrefixWordsMax`, up to 16 pages (`prefixPagesMax` in
  // occurrences.ts). There are two pages of words more than that.
  const pagesMax = 16
  const pages = pagesMax + 2
  const letters = 'abcdefghijklmnop'
  // Each word is `zab` and a number of four hexadecimal digits, each written as a letter: `zabaaab` for 1.
  const words = range(longPrefixWordsMax * pages).map(
    (i) =>
      `zab${i
        .toString(16)
        .padStart(4, '0')
        .replaceAll(/./g, (digit) => letters.charAt(Number.parseInt(digit, 16)))}`,
  )
  const store = buildOnThisThread([{ title: 'plan', content: words.join(' ') }], { recordsPerRun: 1 })
  /** The words of all pages that were read. The last word of a page is also the first of the next, and counts twice. */
  let wordsRead = 0
  const readEntriesOfPrefix = store.readEntriesOfPrefix.bind(store)
  store.readEntriesOfPrefix = (prefix, from) => {
    const entries = readEntriesOfPrefix(prefix, from)
    wordsRead += entries.length
    return entries
  }
  const { clauses } = analyseTerm('zab*')
  const records = [0]
  const batches = await Array.fromAsync(findOccurrences(clauses, records, store, new TimeSlice(undefined)))
  const [occurrences] = batches.flat()
  const prefixMatches = occurrences?.clauseMatches[0]
  // The matches of a prefix are possible ones: the index knows that a word has the stem of a word with the prefix, and
  // only the text tells whether it has the prefix too.
  assert.ok((prefixMatches?.possible.firsts.length ?? 0) > 0)
  assert.equal(wordsRead, longPrefixWordsMax * pagesMax)
})

test('words whose letters have two UTF-16 units each can share a prefix', async () => {
  // All words start with the letter U+20000, whose units are D840 DC00. The second letter of half of the words starts
  // with the unit D840, too; in the other half it starts with D841, like U+20400. So more words than a search unites
  // share the three units D840 DC00 D840. There must be no prefix union for them: its key would end in half of a
  // letter.
  const words = [0x20000, 0x20400].flatMap((first) =>
    range(unitedWordsMax + 1).map((i) => String.fromCodePoint(0x20000, first + i)),
  )
  const store = buildOnThisThread([{ title: words.join(' ') }, { title: 'plan' }], { recordsPerRun: 2 })
  assert.deepEqual(await store.search('\u{20000}\u{20000}*'), [0])
  for (const key of store.entries.keys()) assert.ok(key.isWellFormed(), JSON.stringify(key))
})

test('long words that are equal in the part that is indexed are one term', async () => {
  // The analyser truncates a word to 64 UTF-16 units (`formCharactersMax` in subtokens.ts). The last letter of these
  // words is the units 64 and 65. It is cut through, and U+FFFD replaces its first half in both words.
  const words = ['\u{20000}', '\u{21000}'].map((letter) => 'a'.repeat(63) + letter)
  const store = buildOnThisThread([{ title: 'plan' }, { title: words.join(' ') }], { recordsPerRun: 1 })
  for (const word of words) assert.deepEqual(await store.search(word), [1])
})

// Tests that the records of the fictional sample registry look like those of real registries (src/sample/records.ts).
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { isInscriptionCode, numberPartOf } from '../../src/domain/inscription-code.ts'
import { compareCanonically } from '../../src/domain/record.ts'
import { type SampleOptions, type SampleRecord, sampleRecords } from '../../src/sample/records.ts'

const options: SampleOptions = { records: 3000, documents: 40, seed: 'test' }
const sample = await Array.fromAsync(sampleRecords(options))
const records = sample.map(({ record }) => record)

test('the sample is in canonical order: newest first, then by code', () => {
  assert.deepEqual(
    records.map(({ code }) => code),
    records.toSorted(compareCanonically).map(({ code }) => code),
  )
})

test('in the order of entry, the sample has the same records, sorted by id', async () => {
  // Ids are given in the order of entry.
  const entries = await Array.fromAsync(sampleRecords({ ...options, order: 'entry' }))
  const byId = (a: SampleRecord, b: SampleRecord): number => Number(a.record.id) - Number(b.record.id)
  assert.deepEqual(entries, sample.toSorted(byId))
})

test('another seed gives other records', async () => {
  const others = await Array.fromAsync(sampleRecords({ ...options, seed: 'other' }))
  assert.notDeepEqual(
    others.map(({ record }) => record.title),
    records.map(({ title }) => title),
  )
})

test('every code has the form of an inscription code, is unique, and ends in the registration number', () => {
  // Codes that differ only in case are the same code.
  assert.equal(new Set(records.map(({ code }) => code.toUpperCase())).size, records.length)
  for (const { code, registrationNumber } of records) {
    assert.ok(isInscriptionCode(code), code)
    assert.equal(registrationNumber, numberPartOf(code))
  }
})

test('every text is trimmed and free of tabs and line breaks', () => {
  for (const record of records) {
    for (const text of Object.values(record)) {
      if (text === null) continue
      assert.equal(text, text.trim())
      assert.doesNotMatch(text, /[\t\r\n]/)
    }
  }
})

test('titles contain quotes, accents and slashes, and are not longer than real ones', () => {
  /** The share of the titles that match. */
  const shareOf = (pattern: RegExp): number =>
    records.filter(({ title }) => pattern.test(title)).length / records.length
  assert.ok(shareOf(/"/) > 0.02)
  assert.ok(shareOf(/[áéíóúñ]/) > 0.2)
  assert.ok(shareOf(/\//) > 0.2)
  // The longest real titles have 251 characters.
  assert.ok(records.every(({ title }) => title.length > 1 && title.length <= 251))
})

test('check-in dates are from 1979 to 2026, and an inscription date is after the check-in date', () => {
  const years = new Set(records.map(({ checkinDate }) => Number(checkinDate.slice(0, 4))))
  assert.deepEqual([Math.min(...years), Math.max(...years)], [1979, 2026])
  assert.equal(years.size, 2026 - 1979 + 1, 'every year has records')
  for (const { checkinDate, inscriptionDate } of records) {
    assert.match(checkinDate, /^\d{4}-\d{2}-\d{2}$/)
    assert.ok(inscriptionDate === null || inscriptionDate > checkinDate)
  }
})

test('10 to 30 percent of the records have no inscription date, and 10 to 30 percent have an agreement', () => {
  const percentOf = (count: number): number => (count / records.length) * 100
  const withoutDate = percentOf(records.filter(({ inscriptionDate }) => inscriptionDate === null).length)
  const withAgreement = percentOf(records.filter(({ agreementLink }) => agreementLink !== null).length)
  assert.ok(withoutDate > 10 && withoutDate < 30, `${withoutDate} %`)
  assert.ok(withAgreement > 10 && withAgreement < 30, `${withAgreement} %`)
})

test('some municipalities have bilingual names', () => {
  assert.ok(records.some(({ municipality }) => municipality.includes('/')))
})

test('links use host names that are reserved for examples', () => {
  for (const { links, agreementLink } of records) {
    for (const link of [links, agreementLink]) {
      if (link !== null) assert.match(new URL(link).hostname, /(\.example|\.example\.org)$/)
    }
  }
})

test('the sample has the requested number of documents, with unique names', () => {
  const names = sample.flatMap(({ documents }) => documents.map(({ name }) => name))
  assert.equal(new Set(names).size, options.documents)
  assert.equal(names.length, options.documents)
})

test('each document has words that are in no title and no `content` column, and zahorra is one of these words', () => {
  const words = (text: string): string[] => text.toLowerCase().match(/\p{L}+/gu) ?? []
  const otherWords = new Set(sample.flatMap(({ record, content }) => words(`${record.title} ${content}`)))
  const ownWordsOfDocuments = sample.flatMap(({ documents }) =>
    documents.map(({ pages }) => words(pages.flat().join(' ')).filter((word) => !otherWords.has(word))),
  )
  assert.equal(ownWordsOfDocuments.length, options.documents)
  assert.ok(ownWordsOfDocuments.every((ownWords) => ownWords.length > 0))
  // The examples of the documentation search for `zahorra`.
  assert.ok(ownWordsOfDocuments.flat().includes('zahorra'))
})

test('the content has very common, common, rare and unique words', () => {
  /** By word: how many records contain it. */
  const recordCounts = new Map<string, number>()
  for (const { content } of sample) {
    const words = new Set(content.toLowerCase().match(/\p{L}+/gu))
    for (const word of words) recordCounts.set(word, (recordCounts.get(word) ?? 0) + 1)
  }
  /** The number of words that at least `recordsMin` and at most `recordsMax` of the 3,000 records contain. */
  const countWordsIn = (recordsMin: number, recordsMax: number): number =>
    [...recordCounts.values()].filter((count) => count >= recordsMin && count <= recordsMax).length
  assert.ok(countWordsIn(2900, 3000) >= 3)
  assert.ok(countWordsIn(300, 1500) >= 50)
  assert.ok(countWordsIn(2, 100) >= 300)
  assert.ok(countWordsIn(1, 1) >= 500)
})

test('the content has the requested number of words', async () => {
  for await (const { content } of sampleRecords({ ...options, records: 50, contentWords: [400, 400] })) {
    const words = content.split(' ').length
    // The content ends with a whole sentence, so it may be somewhat longer.
    assert.ok(words >= 400 && words < 460, String(words))
  }
  for await (const { content } of sampleRecords({ ...options, records: 50, contentWords: [0, 0] })) {
    assert.equal(content, '')
  }
})

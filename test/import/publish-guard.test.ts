// An import publishes nothing if more of the records in service (those of the registry that it would replace) would be
// missing than `--max-gone` allows, or if more of them would lose their text than `--max-texts-gone` allows.
// `requiredHeadings` is the line `code,id,title,municipality,checkin_date`.
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { parseInvocation, UsageFault } from '../../src/cli/config.ts'
import { describeLoss, describeOldSource, type LossLimits } from '../../src/import/publish-guard.ts'
import { readShare } from '../../src/import/share.ts'
import { createRegistry, type TestRegistry } from '../create-registry.ts'
import { documentOf } from '../registry/paged-document.ts'
import { publishRecords, type TestRecord } from '../service.ts'
import { makeRegistry } from './registry.ts'

/** The records, all with a text. */
const records: readonly TestRecord[] = Array.from({ length: 60 }, (_, index) => ({
  code: `A-${index + 1}`,
  checkinDate: '2004-05-18',
  links: '',
  content: 'texto',
}))

/** The defaults of `--max-gone` and `--max-texts-gone`. */
const defaultLimits: LossLimits = { maxGone: { percent: 10 }, maxTextsGone: { percent: 10 } }

/**
 * Publishes the records as an import does. Returns why they were refused, if they were, the warning and the codes of
 * the missing records.
 */
async function publishWithGuard(
  registry: TestRegistry,
  next: readonly TestRecord[],
  limits = defaultLimits,
  { dryRun = false } = {},
) {
  let loss: string | undefined
  let warning: string | undefined
  const { outcome, difference } = await registry.publish(next, {
    accepts: (difference) => {
      loss = describeLoss(difference, limits)
      warning = describeOldSource(difference)
      return loss === undefined
    },
    dryRun,
  })
  assert.equal(outcome, loss !== undefined ? 'refused' : dryRun ? 'checked' : 'published')
  return { loss, warning, gone: difference?.examples.gone }
}

test('a truncated source is refused, unless the limit allows the loss', async () => {
  await using registry = await createRegistry()
  const countRecords = async () => (await registry.open()).current().metadata.records
  await registry.publish(records)
  for (const dryRun of [true, false]) {
    const { loss, gone } = await publishWithGuard(registry, records.slice(0, 4), defaultLimits, { dryRun })
    assert.match(loss ?? '', /^56 of the 60 records in service would be missing, but --max-gone is 10%; check/)
    // Examples: twenty of the missing codes. All records have one date, so the codes are in alphabetical order, in
    // which A-10 comes before A-5.
    assert.deepEqual([gone?.length, gone?.slice(0, 3)], [20, ['A-10', 'A-11', 'A-12']])
    assert.equal(await countRecords(), 60)
  }
  // A tenth of the 60 records may be missing.
  assert.equal((await publishWithGuard(registry, records.slice(0, 54))).loss, undefined)
  assert.equal(await countRecords(), 54)
  // Of the 54 records in service now, 50 would be missing.
  const withMax = (max: number) =>
    publishWithGuard(registry, records.slice(0, 4), { ...defaultLimits, maxGone: { count: max } })
  assert.match((await withMax(49)).loss ?? '', /--max-gone is 49;/)
  assert.equal((await withMax(50)).loss, undefined)
  assert.equal(await countRecords(), 4)
})

test('a source without texts, or without the texts of documents, is refused', async () => {
  await using registry = await createRegistry()
  const withDocument = { ...records[0], code: 'A-1', documents: [documentOf(['La volumetría del sector'])] }
  await registry.publish([withDocument, ...records.slice(1)])
  // As after a forgotten --documents: every record keeps the text of its column `content`.
  const { loss: documentLoss } = await publishWithGuard(registry, records)
  assert.match(
    documentLoss ?? '',
    /^1 of the 1 record with text of documents would lose it, .* \(was --documents or --fetch-documents forgotten\?\)/,
  )
  // Without a column `content`, the record that loses the text of its document loses its whole text too. The message
  // has one reason for both: its only `;` is before the advice.
  const withoutContent = ['A-1', 'A-2'].map((code) => ({ ...records[0], code, content: '' }))
  await registry.publish([{ ...withDocument, content: '' }, ...withoutContent.slice(1)])
  const { loss: sameLoss } = await publishWithGuard(registry, withoutContent)
  assert.match(sameLoss ?? '', /^1 of the 1 record with text of documents would lose it, [^;]*; check the source/)
  await registry.publish([withDocument, ...records.slice(1)])
  const withoutTexts = records.map((record) => ({ ...record, content: '' }))
  const { loss } = await publishWithGuard(registry, withoutTexts)
  assert.match(loss ?? '', /^60 of the 60 records with text would lose it, but --max-texts-gone is 10%;/)
  const limits = { ...defaultLimits, maxTextsGone: { percent: 100 } }
  assert.equal((await publishWithGuard(registry, withoutTexts, limits)).loss, undefined)
})

test('the file of another registry is refused, and an old file gets a warning', async () => {
  await using registry = await createRegistry()
  const today = [...records, { code: 'A-61', checkinDate: '2004-06-01', content: 'texto' }]
  await registry.publish(today)
  const otherRegistry = records.map((record) => ({ ...record, code: record.code.replace('A-', 'B-') }))
  assert.match(
    (await publishWithGuard(registry, otherRegistry)).loss ?? '',
    /^all records in service would be missing \(61\).* \(is this the file of another registry\?\)/,
  )
  assert.match(
    (await publishWithGuard(registry, records)).warning ?? '',
    /1 record in service missing .* is of 2004-05-18, while one in service is of 2004-06-01: is this an old file\?/,
  )
  assert.equal((await publishWithGuard(registry, today)).warning, undefined)
})

// The sample is such a registry: a service may start with it before its own records are imported.
test('a registry of fictional records may always be replaced', async () => {
  await using registry = await createRegistry()
  await registry.publish([{ code: 'B-1' }, { code: 'B-2' }], { fictional: true })
  assert.equal((await publishWithGuard(registry, records.slice(0, 1))).loss, undefined)
})

test('an import above --max-gone or --max-texts-gone is refused, and its output and report say why', async (t) => {
  const registry = await makeRegistry(t)
  const database = `sqlite:${registry.file}`
  const newest = { code: 'A-60', checkinDate: '2004-06-01', links: '', content: 'texto' }
  await publishRecords(database, [...records.slice(0, 59), newest])
  /**
   * Imports the first `count` records, with this text in the column `content`. The id, the title and the municipality
   * are those that `publishRecords` gives a record by default, so that no record changes.
   */
  const runImport = async (count: number, content: string, ...flags: string[]) => {
    const rows = records.slice(0, count).map(({ code }) => `${code},E-${code},Plan General,Ávila,2004-05-18,${content}`)
    await registry.write('records.csv', `code,id,title,municipality,checkin_date,content\n${rows.join('\n')}\n`)
    return await registry.runImport('records.csv', ...flags)
  }
  const countRecords = async () => (await registry.search()).length

  for (const flags of [[], ['--dry-run']]) {
    const { status, stdout } = await runImport(4, 'texto', ...flags, '--report', 'report.json')
    assert.equal(status, 1)
    assert.match(stdout, /^nothing published to .*: 56 of the 60 records in service would be missing, but --max-gone/)
    // Twenty of the missing codes in canonical order: the newest record first, then by code.
    assert.match(stdout, /gone +56 {3}A-60, A-10, A-11, (?:A-\d+, ){16}A-\d+ and 36 more\n/)
    const { published, fault, changes } = JSON.parse(await readFile(join(registry.path, 'report.json'), 'utf8'))
    assert.equal(published, false)
    assert.match(fault, /--max-gone is 10%/)
    assert.equal(changes.gone, 56)
    assert.equal(changes.examples.gone.length, 20)
    assert.equal(await countRecords(), 60)
  }

  // A tenth of the 60 records may be missing without a flag. The report of a published import lists three of them.
  const { status, stdout } = await runImport(54, 'texto')
  assert.equal(status, 0, stdout)
  assert.match(stdout, /changes {9}0 new, 0 changed, 6 gone\n {4}gone +6 {3}A-60, A-55, A-56 and 3 more\n/)
  assert.match(stdout, /warning +6 records in service missing .*: is this an old file\?/)
  // The four records that stay would lose their text.
  const textsRefused = await runImport(4, '', '--max-gone', '50', '--max-texts-gone', '3')
  assert.equal(textsRefused.status, 1)
  assert.match(textsRefused.stdout, /: 4 of the 54 records with text would lose it, but --max-texts-gone is 3;/)
  assert.equal((await runImport(4, '', '--max-gone', '50', '--max-texts-gone', '100%')).status, 0)
  assert.equal(await countRecords(), 4)
})

/** The value of `--max-gone`. */
const readMaxGone = (text: string) => readShare(parseInvocation('import', [`--max-gone=${text}`]), 'max-gone')

test('a limit is a share or a number of records', () => {
  assert.deepEqual(readMaxGone('10%'), { percent: 10 })
  assert.deepEqual(readMaxGone('2,5 %'), { percent: 2.5 })
  assert.deepEqual(readMaxGone('0'), { count: 0 })
  for (const text of ['', '101%', '-1', 'all', '5.5']) assert.throws(() => readMaxGone(text), UsageFault)
})

test('exactly the share of a limit may be lost', () => {
  /** Whether an import is refused in which this many of the records in service are missing. */
  const isRefused = (gone: number, records: number, share: string): boolean => {
    const previous = { records, recordsWithText: 0, recordsWithDocumentText: 0, fictional: false, newest: null }
    const others = { added: 0, changed: 0, textsGone: 0, documentTextsGone: 0, newest: null }
    const difference = { ...others, gone, previous, examples: { added: [], changed: [], gone: [] } }
    const max = readMaxGone(share)
    return describeLoss(difference, { maxGone: max, maxTextsGone: max }) !== undefined
  }
  for (let percent = 0; percent <= 100; percent++) {
    assert.equal(isRefused(percent, 100, `${percent}%`), false, `${percent}%`)
    assert.equal(isRefused(percent + 1, 100, `${percent}%`), true, `${percent}%`)
  }
  // 435 of 10,000 are exactly 4.35 %. But in floating point, 4.35 * 100 is less than 435.
  assert.equal(isRefused(435, 10_000, '4.35%'), false)
  assert.equal(isRefused(436, 10_000, '4.35%'), true)
})

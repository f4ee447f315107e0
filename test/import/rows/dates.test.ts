// The dates in the cells of a row: which are accepted, and the message for those that are not. `recordOf` and `faultOf`
// (normalised.ts) add the other required cells, and return the record or the message. `normalise` adds nothing, and
// returns the row, or the message as a string. The row is always line 214.
import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { newRepairCounts } from '../../../src/import/rows/normalise.ts'
import { seed } from '../../seed.ts'
import { faultOf, normalise, recordOf, required } from './normalised.ts'

test('the message for a date has line, column, expected form and value', () => {
  const expected = 'line 214, checkin_date: expected YYYY-MM-DD or DD/MM/YYYY, got "ayer"'
  assert.equal(faultOf({ checkin_date: 'ayer' }), expected)
})

test('a day that does not exist is rejected as such', () => {
  for (const [written, reason] of [
    ['31/02/1999', 'there is no 31 February'],
    ['2001-02-29', 'there is no 29 February in 2001'],
    ['2001-13-01', 'there is no month 13'],
    ['31.04.2001 10:30', 'there is no 31 April'],
    ['2001-02-30T10:00:00Z', 'there is no 30 February'],
  ] as const) {
    assert.equal(faultOf({ checkin_date: written }), `line 214, checkin_date: ${reason}, got "${written}"`)
  }
})

test('dates are accepted as YYYY-MM-DD or DD/MM/YYYY and stored as YYYY-MM-DD', () => {
  for (const [written, day] of [
    ['2004-05-18', '2004-05-18'],
    ['18/05/2004', '2004-05-18'],
    [' 1/5/2004 ', '2004-05-01'],
    ['29/02/2000', '2000-02-29'],
    ['2004.05.18', '2004-05-18'],
    ['2004ko maiatzaren 18a', '2004-05-18'],
    ['2004eko ekainaren 1ean', '2004-06-01'],
    ['2004ko abendua', '2004-12-01'],
  ] as const) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, day)
    assert.equal(recordOf({ inscription_date: written }).inscriptionDate, day)
  }
})

// Spain is two hours ahead of UTC in summer, and one hour in winter.
test('a time with a zone, or a Unix time, is read as the day that it is in Spain', () => {
  for (const [written, day] of [
    ['2025-06-30T22:30:00Z', '2025-07-01'],
    ['2025-06-30T23:30:00+02:00', '2025-06-30'],
    ['2025-12-31 23:30:00+00', '2026-01-01'],
    ['2025-12-31T22:30:00.000Z', '2025-12-31'],
    // Until 1900, midnight in Madrid was at 00:14:44 UTC.
    ['1899-06-01T00:00:00-00:14:44', '1899-06-01'],
    ['1899-05-31 23:59:59.5 -00:14:44', '1899-05-31'],
    ['1899-06-01T00:00:00+00:09:21', '1899-05-31'],
    // 23:00 UTC on 31 December 2024, in milliseconds and in seconds.
    ['1735686000000', '2025-01-01'],
    ['1735686000', '2025-01-01'],
    // Before 1970.
    ['-425433600000', '1956-07-09'],
    ['-425433600', '1956-07-09'],
  ] as const) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, day, written)
  }
})

test('a Unix time of ten digits is in milliseconds if, as seconds, it is more than a year ahead', () => {
  // As seconds, these are in the years 2169 and 2255.
  assert.equal(recordOf({ checkin_date: '6303600000' }).checkinDate, '1970-03-15')
  assert.equal(recordOf({ checkin_date: '9000000000' }).checkinDate, '1970-04-15')
  // A number that is 30 days ahead as seconds is in seconds.
  const inThirtyDays = new Date(Date.now() + 30 * 24 * 60 * 60 * 1000)
  inThirtyDays.setUTCHours(12, 0, 0, 0)
  const seconds = String(inThirtyDays.getTime() / 1000)
  assert.equal(recordOf({ checkin_date: seconds }).checkinDate, inThirtyDays.toISOString().slice(0, 10))
})

test('a negative Unix time is in milliseconds if, as seconds, it is before 1900', () => {
  // As seconds, this is in the year 1654.
  assert.equal(recordOf({ checkin_date: '-9954000000' }).checkinDate, '1969-09-07')
  // As seconds, this is the last second of 1899.
  assert.equal(recordOf({ checkin_date: '-2208988801' }).checkinDate, '1969-12-06')
  // In seconds, noon of 1 January 1900.
  assert.equal(recordOf({ checkin_date: '-2208945600' }).checkinDate, '1900-01-01')
})

test('dates are accepted with other separators or none', () => {
  for (const [written, day] of [
    ['20250101', '2025-01-01'],
    // With hours and minutes, and also with seconds.
    ['202501010930', '2025-01-01'],
    ['20250101093059', '2025-01-01'],
    // Spreadsheets add `.0` to a number.
    ['202501010930.0', '2025-01-01'],
    ['2025/01/02', '2025-01-02'],
    ['2-1-2025', '2025-01-02'],
    ['02.01.2025', '2025-01-02'],
  ] as const) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, day, written)
  }
})

test('a time without a zone is ignored, and null dates of databases count as empty', () => {
  for (const written of ['2004-05-18 00:00:00', '2004-05-18T10:30', '18/05/2004 0:00', '2004-05-18 00:00:00.000']) {
    assert.equal(recordOf({ checkin_date: written }).checkinDate, '2004-05-18', written)
  }
  for (const nullDate of ['0000-00-00', '00/00/0000', '0000-00-00 00:00:00', 'NULL', '\\N']) {
    assert.equal(recordOf({ inscription_date: nullDate }).inscriptionDate, null, nullDate)
    assert.match(faultOf({ checkin_date: nullDate }), /checkin_date: expected a date \(every record needs one\), got "/)
  }
})

test('a year of two digits, a month with its year and a date in words are read, and what was added is counted', () => {
  for (const [written, day, added] of [
    ['24-3-07', '2007-03-24', 'centuriesAdded'],
    ['24/03/49', '2049-03-24', 'centuriesAdded'],
    ['1.2.50 10:30', '1950-02-01', 'centuriesAdded'],
    ['3/2019', '2019-03-01', 'daysAdded'],
    ['03-2019', '2019-03-01', 'daysAdded'],
    ['marzo de 2019', '2019-03-01', 'daysAdded'],
    ['Sept. 2019', '2019-09-01', 'daysAdded'],
    ['MARÇ DE 2019', '2019-03-01', 'daysAdded'],
    ['xuño de 2019', '2019-06-01', 'daysAdded'],
    ['24 de diciembre de 2019', '2019-12-24', undefined],
    ["1 d'agost de 2019", '2019-08-01', undefined],
  ] as const) {
    const counts = newRepairCounts()
    const outcome = normalise({ ...required, checkin_date: written }, counts)
    assert.equal(typeof outcome === 'string' ? outcome : outcome.record.checkinDate, day)
    assert.deepEqual(counts, { ...newRepairCounts(), ...(added === undefined ? {} : { [added]: 1 }) }, written)
  }
  assert.match(faultOf({ checkin_date: '31-4-07' }), /checkin_date: there is no 31 April, got "31-4-07"$/)
  assert.match(faultOf({ checkin_date: '13/2019' }), /checkin_date: there is no month 13, got "13\/2019"$/)
})

test('any other form of a date is rejected', () => {
  const wrong = [
    '2004',
    '18/05/004',
    '18-05/04',
    'marzo',
    'marzo de 19',
    '2019-3',
    '2004-05/18',
    // In this form, the day needs two digits: with one, the file may have been cut off.
    '2004-05-1',
    '0204-05-18',
    // Full-width digits.
    '２００４-05-18',
    '2004-05-18T00:00:00+99:00',
    '2004-05-18T00:00:00+02:00:60',
    '2004-05-18T00:00:00Z:30',
    '2004-05-18 noche',
    '-',
    // These stand for a missing date in databases, although as Unix times they would be days.
    '-1',
    '-9999',
    '-99999999',
  ]
  for (const date of wrong) {
    assert.match(faultOf({ checkin_date: date }), /^line 214, checkin_date: expected YYYY-MM-DD or DD\/MM\/YYYY, got "/)
    assert.match(faultOf({ inscription_date: date }), /^line 214, inscription_date: expected /)
  }
})

test('exactly the days of the calendar are accepted, as YYYY-MM-DD and as DD/MM/YYYY', () => {
  fc.assert(
    fc.property(
      fc.integer({ min: 1700, max: 2100 }),
      fc.integer({ min: 0, max: 13 }),
      fc.integer({ min: 0, max: 32 }),
      (year, month, day) => {
        const [yyyy, mm, dd] = [String(year), String(month).padStart(2, '0'), String(day).padStart(2, '0')]
        const date = new Date(Date.UTC(year, month - 1, day))
        const exists = date.getUTCFullYear() === year && date.getUTCMonth() === month - 1 && date.getUTCDate() === day
        for (const text of [`${yyyy}-${mm}-${dd}`, `${dd}/${mm}/${yyyy}`]) {
          const outcome = normalise({ ...required, checkin_date: text })
          assert.equal(
            typeof outcome === 'string' ? undefined : outcome.record.checkinDate,
            exists ? `${yyyy}-${mm}-${dd}` : undefined,
          )
        }
      },
    ),
    { seed },
  )
})

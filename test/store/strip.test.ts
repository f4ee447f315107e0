// Strips: what is written comes back by number, however it is asked for.
import assert from 'node:assert/strict'
import {
  appendFileSync,
  closeSync,
  mkdtempSync,
  openSync,
  readFileSync,
  rmSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { Strip, sizeOnDisk } from '../../src/store/sqlite/strip.ts'
import { StripWriter } from '../../src/store/sqlite/strip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'strip-'))
after(() => rmSync(folder, { recursive: true }))
const path = join(folder, 'strip')

/** The strip of these strings, behind a few bytes of something else as in a snapshot file. */
function withStrip<T>(strings: readonly string[], use: (strip: Strip) => T): T {
  const writer = new StripWriter(path)
  for (const [number, string] of strings.entries()) {
    const bytes = Buffer.from(string)
    if (number % 2 === 0) writer.add(bytes)
    else writer.addPart(Buffer.concat([Buffer.from('<'), bytes, Buffer.from('>')]), 1, 1 + bytes.length)
  }
  const size = writer.finish()
  writer.close()
  const behind = join(folder, 'file')
  writeFileSync(behind, 'pages')
  appendFileSync(behind, readWhole())
  const file = openSync(behind, 'r')
  try {
    assert.equal(readWhole().length, sizeOnDisk(size))
    return use(new Strip(file, 'pages'.length, size))
  } finally {
    closeSync(file)
  }
}

function readWhole(): Buffer {
  return readFileSync(path)
}

const someStrings = fc.array(fc.string({ unit: 'binary', maxLength: 300 }), { minLength: 1, maxLength: 60 })

test('every string, every stretch and every choice of them comes back as it was written', () => {
  const asked = fc.tuple(someStrings, fc.array(fc.nat(), { minLength: 1, maxLength: 40 }))
  fc.assert(
    fc.property(asked, ([strings, picks]) => {
      const numbers = picks.map((pick) => pick % strings.length)
      withStrip(strings, (strip) => {
        assert.equal(strip.count, strings.length)
        assert.deepEqual(
          Array.from(strip.strings(), String),
          strings.map((each) => Buffer.from(each).toString()),
        )
        for (const [number, string] of strings.entries()) {
          assert.equal(Buffer.from(strip.text(number, 'latin1'), 'latin1').toString(), Buffer.from(string).toString())
        }
        assert.deepEqual(
          strip.several(0, strings.length + 5).strings.map(String),
          strings.map((each) => String(Buffer.from(each))),
        )
        const ascending = [...new Set(numbers)].sort((a, b) => a - b)
        for (const wanted of [numbers, ascending]) {
          const joined = Buffer.concat(wanted.map((number) => Buffer.from(strings[number] ?? '')))
          assert.deepEqual(strip.gather(wanted), joined)
          assert.deepEqual(strip.gatherMany(wanted), joined)
        }
      })
    }),
    { numRuns: 60 },
  )
})

test('what stays in memory is what was written, whether all of it does or its beginning alone', () => {
  const long = fc.array(fc.string({ unit: 'binary-ascii', maxLength: 40_000 }), { minLength: 1, maxLength: 12 })
  fc.assert(
    fc.property(long, fc.double({ min: 0, max: 1.5, noNaN: true }), (strings, share) => {
      withStrip(strings, (strip) => {
        const size = strings.join('').length
        const kept = strip.keep(size * share)
        assert.equal(kept, Math.min(size, Math.floor(size * share)))
        for (const _ of ['read', 'kept']) {
          for (const [number, string] of strings.entries()) {
            assert.equal(strip.text(number, 'utf8'), string)
            assert.equal(strip.lend(number, number + 1).toString(), string)
          }
        }
        const backwards = strings.map((_, index) => strings.length - 1 - index)
        assert.equal(strip.gather(backwards).toString(), strings.toReversed().join(''))
        assert.equal(strip.lend(0, strings.length).toString(), strings.join(''))
      })
    }),
    { numRuns: 30 },
  )
})

test('what stays in memory is read once, until it is forgotten', () => {
  withStrip(['plan', 'general'], (strip) => {
    strip.keep(1000)
    assert.equal(strip.text(0, 'latin1'), 'plan')
    truncateSync(join(folder, 'file'), 6)
    assert.equal(strip.text(1, 'latin1'), 'general')
    strip.forget()
    assert.throws(() => strip.text(1, 'latin1'), /cut short/)
  })
})

test('a page of many that lie apart takes in no more than it may, and the rest one by one', () => {
  const strings = Array.from({ length: 40 }, (_, number) => String.fromCharCode(97 + (number % 26)).repeat(65_536))
  withStrip(strings, (strip) => {
    strip.keep(Number.POSITIVE_INFINITY)
    const all = strings.map((_, number) => number)
    assert.equal(strip.gather(all).toString(), strings.join(''))
    truncateSync(join(folder, 'file'), 6)
    const kept = all.filter((number) => {
      try {
        return strip.text(number, 'latin1') === strings[number]
      } catch {
        return false
      }
    })
    assert.deepEqual(kept, all.slice(0, 32))
  })
})

test('memory that is lent is used where it suffices', () => {
  withStrip(['plan', 'general', 'x'.repeat(50)], (strip) => {
    const lent = new ArrayBuffer(20)
    const two = strip.several(0, 2, lent)
    assert.equal(two.room, lent)
    assert.deepEqual(two.strings.map(String), ['plan', 'general'])
    const one = strip.several(1, 1, lent)
    assert.deepEqual(one.strings.map(String), ['general'])
    const large = strip.several(2, 1, lent)
    assert.notEqual(large.room, lent)
    assert.equal(String(large.strings[0]), 'x'.repeat(50))
    assert.equal(String(one.strings[0]), 'general')
  })
})

test('strings larger than the buffer of the writer, and a gap wide enough to be left unread', () => {
  const strings = ['a', 'ñ'.repeat(700_000), 'b', 'x'.repeat(3_000_000), '', 'c']
  withStrip(strings, (strip) => {
    assert.equal(String(strip.gatherMany([0, 2, 5])), 'abc')
    assert.equal(strip.text(3, 'latin1').length, 3_000_000)
    assert.deepEqual(strip.gatherMany([1]), Buffer.from(strings[1] ?? ''))
    assert.equal(strip.text(4, 'latin1'), '')
  })
})

test('a file that is cut short while it is read is a fault and no endless loop; so is a number too high', () => {
  withStrip(['plan', 'general'], (strip) => {
    assert.equal(strip.text(0, 'latin1'), 'plan')
    assert.throws(() => strip.text(2, 'latin1'), /no string/)
    truncateSync(join(folder, 'file'), 6)
    assert.throws(() => strip.text(1, 'latin1'), /cut short/)
  })
})

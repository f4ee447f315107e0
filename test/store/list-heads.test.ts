// The heads of lists in a snapshot file: each comes back by its key, and words by what they begin with.
import assert from 'node:assert/strict'
import { closeSync, mkdtempSync, openSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, test } from 'node:test'
import fc from 'fast-check'
import { type ListHead, unionMax } from '../../src/search/lists.ts'
import { ListHeads, ListHeadWriter } from '../../src/store/sqlite/list-heads.ts'
import { Strip } from '../../src/store/sqlite/strip.ts'
import { StripWriter } from '../../src/store/sqlite/strip-writer.ts'

const folder = mkdtempSync(join(tmpdir(), 'list-heads-'))
after(() => rmSync(folder, { recursive: true }))

let reads = 0

class CountingStrip extends Strip {
  override lend(first: number, end: number): Buffer {
    reads++
    return super.lend(first, end)
  }
}

function withHeads(written: readonly ListHead[], use: (heads: ListHeads) => void): void {
  const names = ['head', 'key', 'milestone'] as const
  const writers = Object.fromEntries(names.map((name) => [name, new StripWriter(join(folder, name))]))
  const { head, key, milestone } = writers
  assert.ok(head && key && milestone)
  const writer = new ListHeadWriter({ head, key, milestone })
  for (const each of written) writer.add(each)
  writer.finish()
  const files: number[] = []
  const open = (name: string, strip: StripWriter): Strip => {
    const size = strip.finish()
    strip.close()
    const file = openSync(join(folder, name), 'r')
    files.push(file)
    return new CountingStrip(file, 0, size)
  }
  try {
    use(new ListHeads({ head: open('head', head), key: open('key', key), milestone: open('milestone', milestone) }))
  } finally {
    for (const file of files) closeSync(file)
  }
}

/** In the order of an import: words as written with the unions of them in between, then the others. */
function toHeads(words: readonly string[]): ListHead[] {
  const sorted = [...words].sort()
  const keys = [
    ...sorted.flatMap((word, nth) => (nth % 5 === 0 ? [`f${word}`, `p${word}`] : [`f${word}`])),
    ...sorted.filter((_, nth) => nth % 3 === 0).map((word) => `g${word}`),
    ...sorted.map((word) => `w${word}`),
    'm0',
  ]
  return keys.map((key, nth) => ({
    key,
    records: nth + 1,
    lasts: nth % 2 === 0 ? Uint32Array.of(nth) : Uint32Array.of(nth, 2 ** 31 + nth),
    firstBlock: nth * 7,
    firstPlace: key.startsWith('w') ? nth : null,
    inline: nth % 2 === 0 ? new Uint8Array(nth % 300).fill(nth) : null,
  }))
}

const someWords = fc.uniqueArray(fc.stringMatching(/^[a-eñ東]{1,6}$/), { minLength: 1, maxLength: 200 })

test('every head is found by its key as it was written, and every word by its beginning', () => {
  fc.assert(
    fc.property(someWords, fc.stringMatching(/^[a-eñ東]{1,3}$/), (words, beginning) => {
      const written = toHeads(words)
      withHeads(written, (heads) => {
        for (const head of written) assert.deepEqual(heads.find(head.key), head)
        assert.equal(heads.find('fzz'), undefined)
        assert.deepEqual([...heads], written)
        for (const key of [`f${beginning}`, `g${beginning}`, `f${words[0]}`]) {
          assert.deepEqual(
            heads.findBeginning(key),
            written.filter((head) => head.key.startsWith(key)),
          )
        }
      })
    }),
  )
})

test('words are found by their beginning in a few reads, whatever follows them', () => {
  const words = Array.from({ length: 2000 }, (_, nth) => `${'abz'[nth % 3]}${nth}`)
  withHeads(toHeads(words), (heads) => {
    for (const key of ['fa', 'fz199', 'gz199', 'fzz', 'gzz', 'gb1998', 'f0', 'g0']) {
      reads = 0
      const found = heads.findBeginning(key)
      assert.ok(reads <= found.length / 8 + 3, `${reads} reads for ${found.length} words that begin with ${key}`)
    }
  })
})

test('of words beyond number that begin alike only so many are read', () => {
  const words = Array.from({ length: unionMax + 100 }, (_, nth) => `a${String(nth).padStart(5, '0')}`)
  withHeads(toHeads(words), (heads) => assert.equal(heads.findBeginning('fa').length, unionMax))
})

// A page as it is looked through for words without analysing it: its text in folded letters, and where its words are.
// A page is scanned once; the scans of the pages that were looked through last are kept.
import { LRUCache } from 'lru-cache'
import type { Page } from './pages.ts'
import type { RegistryFile } from './registry-file.ts'
import type { WordOffsets } from './text-ranges.ts'

export interface ScannedPage {
  readonly page: Page
  /**
   * The text with each letter from A to ÿ folded, at the same offset: `á` and `Á` are `a`. Letters that folding does
   * not know stay, and all that is no letter or digit is a space.
   */
  readonly folded: string
  /**
   * The words of the text for cutting it: of each run of characters without white space, the part from its first letter
   * or digit to its last. The analyser takes ten times as long to find them, and counts the parts of a code.
   */
  readonly words: WordOffsets
  /** Whether the analyser may find words that are not written like this. */
  readonly mayHideWords: boolean
}

/** In characters of the texts; a character of a scanned page takes about three bytes. */
const keptCharacters = 6_000_000

const scannedPages = new WeakMap<RegistryFile, LRUCache<number, ScannedPage>>()

/** Scans a page by its number. Undefined if it is missing, which happens only in a damaged file. */
export function readScannedPage(file: RegistryFile, number: number): ScannedPage | undefined {
  let kept = scannedPages.get(file)
  if (kept === undefined) {
    kept = new LRUCache({ maxSize: keptCharacters, sizeCalculation: ({ folded }) => folded.length + 1 })
    scannedPages.set(file, kept)
  }
  const known = kept.get(number)
  if (known !== undefined) return known
  const [page] = file.readPages(number, number + 1)
  if (page === undefined) return undefined
  const scanned = scanPage(page)
  kept.set(number, scanned)
  return scanned
}

/** Buffers for `scanPage`, which grow with the longest text. */
let [bytes, starts, ends] = [Buffer.alloc(0), new Uint32Array(0), new Uint32Array(0)]

function scanPage(page: Page): ScannedPage {
  const { text } = page
  const { length } = text
  if (bytes.length < length) {
    bytes = Buffer.alloc(length)
    starts = new Uint32Array(length)
    ends = new Uint32Array(length)
  }
  let count = 0
  let start = -1
  let end = 0
  for (let offset = 0; offset < length; offset++) {
    const unit = text.charCodeAt(offset)
    if (unit > 0xff) {
      bytes[offset] = 0x20
      if (start < 0) start = offset
      end = offset + 1
      continue
    }
    bytes[offset] = foldedUnits[unit] as number
    if (wordUnits[unit] === 1) {
      if (start < 0) start = offset
      end = offset + 1
    } else if (start >= 0 && (unit <= 0x20 || unit === 0xa0)) {
      starts[count] = start
      ends[count++] = end
      start = -1
    }
  }
  if (start >= 0) {
    starts[count] = start
    ends[count++] = end
  }
  const folded = bytes.toString('latin1', 0, length)
  const words = { starts: starts.slice(0, count), ends: ends.slice(0, count) }
  return { page, folded, words, mayHideWords: hiddenWords.test(text) }
}

/** By code unit up to `ÿ`: 1 for what can begin and end a word. All later characters can. */
const wordUnits = Uint8Array.from({ length: 0x100 }, (_, unit) =>
  unit >= 0xc0 || /[\p{L}\p{N}]/u.test(String.fromCharCode(unit)) ? 1 : 0,
)

/** The letters that folding (analysis/fold.ts) makes one of. A text with other accents is analysed. */
const accents: Readonly<Record<string, string>> = {
  a: 'àáâãäå',
  c: 'ç',
  e: 'èéêë',
  i: 'ìíîï',
  n: 'ñ',
  o: 'òóôõö',
  u: 'ùúûü',
}

const foldedUnits = Uint8Array.from({ length: 0x100 }, (_, unit) => {
  const letter = String.fromCharCode(unit).toLowerCase()
  if (!/[a-z\dªºà-öø-ÿ]/.test(letter)) return 0x20
  const base = Object.entries(accents).find(([, accented]) => accented.includes(letter))?.[0]
  return (base ?? letter).charCodeAt(0)
})

const letter = 'A-Za-zªµºÀ-ÖØ-öø-ÿ'
/**
 * Words that are broken at the end of a line, initials with dots, letters with spaces between them, and letters that
 * `accents` lacks. Each alternative begins with rare characters, which makes the search fast.
 */
const hiddenWords = new RegExp(
  [
    '[-\\u2010\\u00ad\\ufb00-\\ufb06]\\s',
    `\\.(?=[${letter}])(?<=[${letter}]\\.)`,
    `\\s[${letter}]\\s(?=[${letter}](?!\\S))(?<=(?<!\\S)[${letter}]\\s[${letter}]\\s)`,
    '[\\u0100-\\u036f\\u1e00-\\u1eff\\ufb00-\\ufb06]',
  ].join('|'),
)

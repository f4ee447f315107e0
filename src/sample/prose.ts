// Generates the content of records and the pages of documents of the fictional sample registry, from the vocabulary in
// vocabulary.json. Word frequencies follow Zipf's law, as in real text: some words are in nearly every text, and many are in a
// single one.
import { lineCharactersMax, pageLinesMax, toLines } from './pdf.ts'
import { toPlaceName } from './places.ts'
import { Random } from './random.ts'
import { vocabulary } from './vocabulary.ts'

interface Sentence {
  readonly text: string
  /** Number of words. */
  readonly words: number
}

/**
 * Places are numbered, and `toPlaceName` gives each number a name. Texts share the numbers below `firstRecordPlace`.
 * From there on each number is for one record, and from `firstDocumentPlace` on for one document, so that the sample
 * has words that occur in a single text. In a sample of more than 262,144 records (`firstDocumentPlace -
 * firstRecordPlace`), the further records share the numbers of documents.
 */
const sharedPlaceBits = 17
const firstRecordPlace = 2 ** sharedPlaceBits
const firstDocumentPlace = 3 * 2 ** sharedPlaceBits

const poolSentences = 16_384

/**
 * Sentences with their slots filled, from which texts are drawn, because filling slots for each record would be slow.
 * The pool is the same for every seed.
 */
const sentencePool: readonly Sentence[] = makePool()

/** Draws whole sentences until there are at least `wordsMin` words. `recordNumber` selects the record's own place. */
export function drawContent(random: Random, wordsMin: number, recordNumber: number): string {
  let text = ''
  let words = 0
  // 30 % of the contents name the place of the record, in a sentence of five words.
  if (random.chance(30)) {
    text = `Afecta al paraje de ${toPlaceName(firstRecordPlace + recordNumber)}.`
    words = 5
  }
  while (words < wordsMin) {
    // The minimum of two draws makes early sentences more frequent than late ones.
    const sentence = sentencePool[Math.min(random.below(poolSentences), random.below(poolSentences))]
    if (sentence === undefined) break
    text += text === '' ? sentence.text : ` ${sentence.text}`
    words += sentence.words
    // 20 % of the sentences are followed by a sentence of eight words that names a shared place.
    if (random.chance(20)) {
      text += ` Consta la finca de ${toPlaceName(random.zipf(sharedPlaceBits))} con referencia ${random.below(40_000)}.`
      words += 8
    }
  }
  return text
}

/**
 * Returns one to three pages, each as its lines. Every page says that the registry is fictional. `documentNumber`
 * selects the document's own place.
 */
export function drawDocument(random: Random, title: string, municipality: string, documentNumber: number): string[][] {
  const pageCount = random.between(1, 3)
  const placeName = toPlaceName(firstDocumentPlace + documentNumber)
  return Array.from({ length: pageCount }, (_, index) => {
    const lines = [
      'Registro ficticio de muestra: documento sin valor alguno.',
      '',
      ...toLines(title),
      municipality,
      `Página ${index + 1} de ${pageCount}`,
      '',
      ...toLines(`Pliego de condiciones redactado para el lugar llamado ${placeName}.`),
    ]
    // The last sentence may take several lines and must still fit on the page.
    const sentenceLinesMax = 12
    while (lines.length < pageLinesMax - sentenceLinesMax) {
      const sentence = random.chance(50)
        ? random.pick(vocabulary.documentSentences)
        : (sentencePool[random.below(poolSentences)]?.text ?? '')
      lines.push('', ...toLines(sentence))
    }
    // A line may be too long: `toLines` does not break a long word, and the municipality is not wrapped.
    return lines.map((line) => line.slice(0, lineCharactersMax))
  })
}

/** Draws sentences of vocabulary.json and fills their slots: `{use}` becomes `residencial`. */
function makePool(): Sentence[] {
  // Any fixed number would do.
  const poolSeed = 1979
  const random = new Random(poolSeed, 0)
  return Array.from({ length: poolSentences }, () => {
    const filled = random.pick(vocabulary.sentences).replace(/\{(\w+)\}/g, (_, slot: string) => fillSlot(slot, random))
    // Spanish contracts `a` and `de` with the article `el`, which the words of a slot may begin with.
    const text = filled.replaceAll(' a el ', ' al ').replaceAll(' de el ', ' del ')
    return { text, words: text.split(' ').length }
  })
}

/** Returns an invented place, a number, or words from `slots`. `surface` is in square metres, `money` in euros. */
function fillSlot(slot: string, random: Random): string {
  switch (slot) {
    case 'place':
      return toPlaceName(random.zipf(sharedPlaceBits))
    case 'surface':
      return toThousands(random.between(1, 60) * random.between(5, 900))
    case 'money':
      return toThousands(random.between(40, 900) * 1000 + random.below(1000))
    case 'index':
      return `0,${random.between(10, 99)}`
    case 'metres':
      return String(random.between(3, 25))
    case 'count':
      return String(random.between(2, 480))
    default: {
      const choices = vocabulary.slots[slot]
      if (choices === undefined) throw new RangeError(`No words for the slot ${slot}`)
      return random.pickZipf(choices)
    }
  }
}

/** Returns the number with dots between the thousands, as in `12.500`. */
function toThousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, '.')
}

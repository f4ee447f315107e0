// The texts of the sample beside its titles: the content of a record and the pages of a document. Word frequencies
// fall off as in real prose: some words in nearly every text, a long tail of words that occur once.
import { lineCharactersMax, pageLinesMax, toLines } from './pdf.ts'
import { inventPlace } from './places.ts'
import { Chance } from './random.ts'
import { documentSentences, sentences, slots } from './words.ts'

export interface Prose {
  readonly text: string
  readonly words: number
}

/** Names above this belong to one record each, those below are shared as Zipf's law has it. */
const sharedPlaceBits = 17
const poolSize = 16_384

/** The same for every seed: what is drawn from it differs, and to fill slots anew for each record would be slow. */
const pool: readonly Prose[] = makePool()

/** Planning prose of at least the given number of words, ended at the next full stop. */
export function drawContent(chance: Chance, wordsAtLeast: number, recordNumber: number): string {
  let text = ''
  let words = 0
  if (chance.percent(30)) {
    text = `Afecta al paraje de ${inventPlace((1 << sharedPlaceBits) + recordNumber)}.`
    words = 5
  }
  while (words < wordsAtLeast) {
    // The lesser of two draws: early sentences come up more often than late ones.
    const sentence = pool[Math.min(chance.below(poolSize), chance.below(poolSize))]
    if (sentence === undefined) break
    text += text === '' ? sentence.text : ` ${sentence.text}`
    words += sentence.words
    if (chance.percent(20)) {
      text += ` Consta la finca de ${inventPlace(chance.zipf(sharedPlaceBits))} con referencia ${chance.below(40_000)}.`
      words += 8
    }
  }
  return text
}

/** The lines of each page of a document. Every page says that the registry is fictional. */
export function drawDocument(chance: Chance, title: string, municipality: string, documentNumber: number): string[][] {
  const pages = chance.between(1, 3)
  const own = inventPlace(3 * (1 << sharedPlaceBits) + documentNumber)
  return Array.from({ length: pages }, (_, index) => {
    const lines = [
      'Registro ficticio de muestra: documento sin valor alguno.',
      '',
      ...toLines(title),
      municipality,
      `Página ${index + 1} de ${pages}`,
      '',
      ...toLines(`Pliego de condiciones redactado para el lugar llamado ${own}.`),
    ]
    while (lines.length < pageLinesMax - 12) {
      const sentence = chance.percent(50) ? chance.pick(documentSentences) : (pool[chance.below(poolSize)]?.text ?? '')
      lines.push('', ...toLines(sentence))
    }
    return lines.map((line) => line.slice(0, lineCharactersMax))
  })
}

function makePool(): Prose[] {
  const chance = new Chance(1979, 0)
  return Array.from({ length: poolSize }, () => {
    const filled = chance.pick(sentences).replace(/\{(\w+)\}/g, (_, slot: string) => fillSlot(slot, chance))
    const text = filled.replaceAll(' a el ', ' al ').replaceAll(' de el ', ' del ')
    return { text, words: text.split(' ').length }
  })
}

function fillSlot(slot: string, chance: Chance): string {
  switch (slot) {
    case 'place':
      return inventPlace(chance.zipf(sharedPlaceBits))
    case 'surface':
      return toThousands(chance.between(1, 60) * chance.between(5, 900))
    case 'money':
      return toThousands(chance.between(40, 900) * 1000 + chance.below(1000))
    case 'index':
      return `0,${chance.between(10, 99)}`
    case 'metres':
      return String(chance.between(3, 25))
    case 'count':
      return String(chance.between(2, 480))
    default: {
      const choices = slots[slot]
      if (choices === undefined) throw new RangeError(`no words for the slot ${slot}`)
      return chance.pickEarly(choices)
    }
  }
}

function toThousands(number: number): string {
  return String(number).replace(/\B(?=(\d{3})+$)/g, '.')
}

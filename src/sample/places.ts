// Places of the fictional sample registry: real municipalities, few with many records and most with few, and invented
// place names. Municipalities are ranked by how likely a record is to be drawn for them: rank 0 is the most likely.
import { readMunicipalityNames } from '../domain/municipality-list.ts'
import { lowerBound } from '../lower-bound.ts'
import type { Random } from './random.ts'
import { vocabulary } from './vocabulary.ts'

export interface SampleMunicipality {
  readonly ineCode: string
  /** The official spelling: `Bonillo, El`, `Alicante/Alacant`. */
  readonly name: string
}

const municipalities: readonly SampleMunicipality[] = rankMunicipalities()

/** All municipalities by rank: first those of vocabulary.json, then the others in an order that mixes the provinces. */
function rankMunicipalities(): SampleMunicipality[] {
  const listed = readMunicipalityNames().map(({ ineCode, names }) => ({ ineCode, name: names[0] ?? '' }))
  const byCode = new Map(listed.map((municipality) => [municipality.ineCode, municipality]))
  const ranked = new Set(vocabulary.municipalities.flatMap((text) => byCode.get(text.slice(0, 5)) ?? []))
  // The list is sorted by province. Steps of a length coprime to the count visit every municipality once. Any length
  // well above the size of a province, a few hundred municipalities, separates neighbours. A municipality that is
  // already in the set keeps its rank.
  let stride = 3001
  while (greatestCommonDivisor(stride, listed.length) !== 1) stride += 1
  for (let step = 0; step < listed.length; step++) {
    const municipality = listed[(step * stride) % listed.length]
    if (municipality !== undefined) ranked.add(municipality)
  }
  return [...ranked]
}

function greatestCommonDivisor(a: number, b: number): number {
  return b === 0 ? a : greatestCommonDivisor(b, a % b)
}

export const municipalityCount: number = municipalities.length

/**
 * The sums of the weights up to each rank, by which municipalities are drawn. The weight of rank r is proportional to
 * 1 / (r + 15) ** 1.5 (the Zipf-Mandelbrot law).
 */
const cumulativeWeights: number[] = []
let totalWeight = 0
for (let rank = 0; rank < municipalities.length; rank++) {
  // Math.sqrt gives the same result on every machine; Math.pow may not. Math.floor keeps the sums exact; the numerator
  // is large, so that rounding changes the weights little.
  totalWeight += Math.floor(1_000_000_000 / ((rank + 15) * Math.sqrt(rank + 15)))
  cumulativeWeights.push(totalWeight)
}

/** Draws a municipality and returns its rank, the argument of `municipalityAt`. */
export function drawMunicipality(random: Random): number {
  const drawn = random.below(totalWeight)
  // The first rank whose sum is above the number drawn.
  return lowerBound(0, cumulativeWeights.length - 1, (rank) => (cumulativeWeights[rank] ?? 0) <= drawn)
}

export function municipalityAt(rank: number): SampleMunicipality {
  const municipality = municipalities[rank]
  if (municipality === undefined) throw new RangeError(`No municipality has rank ${rank}`)
  return municipality
}

/**
 * In 8 % of the records, puts the article first and leaves out one half of a bilingual name. A name without an article
 * and without a second half stays as it is.
 */
export function drawSpelling(name: string, random: Random): string {
  if (!random.chance(8)) return name
  // A name without a slash has no second half: then it stays whole.
  const half = name.split('/')[random.below(2)] ?? name
  // `Bonillo, El` becomes `El Bonillo`, and `Alcúdia, l'` becomes `l'Alcúdia`.
  const [base, article] = half.split(', ')
  if (article === undefined) return half
  return article.endsWith("'") ? `${article}${base}` : `${article} ${base}`
}

/** Returns an invented name of one word. Different numbers have different names. */
export function toPlaceName(number: number): string {
  const { first, middle, last } = vocabulary.syllables
  // The syllables are the digits of the number: the lowest digit is the first syllable, the next one the last, and the
  // others stand between them.
  let rest = number
  const take = (choices: readonly string[]): string => {
    const choice = choices[rest % choices.length] ?? ''
    rest = Math.floor(rest / choices.length)
    return choice
  }
  const start = take(first)
  const end = take(last)
  let name = start + take(middle)
  while (rest > 0) {
    // Minus one makes the digits count from 1 instead of 0 (bijective numeration). Without it, no name would have the
    // syllable with index 0 as the last one added here, because the highest digit of a number is never 0.
    rest -= 1
    name += take(middle)
  }
  return name + end
}

// Where the records of the sample lie: real municipalities, a few of them with many records and most with few, and
// names of estates and quarters that exist nowhere.
import { readMunicipalityNames } from '../domain/municipality-list.ts'
import type { Chance } from './random.ts'
import { syllables } from './words.ts'

export interface SampleMunicipality {
  readonly ineCode: string
  /** As the INE writes it: `Bonillo, El`, `Alacant/Alicante`. */
  readonly name: string
}

/** These have most records: large towns, and small ones whose names are of every kind. */
const favourites = [
  ...[
    '28079',
    '08019',
    '46250',
    '41091',
    '50297',
    '29067',
    '30030',
    '07040',
    '48020',
    '03014',
    '15030',
    '05019',
    '03082',
  ],
  ...[
    '40076',
    '01036',
    '31201',
    '12040',
    '02019',
    '01059',
    '20069',
    '43148',
    '22125',
    '38038',
    '35016',
    '04013',
    '10037',
  ],
] as const

const municipalities: readonly SampleMunicipality[] = rankMunicipalities()

function rankMunicipalities(): SampleMunicipality[] {
  const listed = readMunicipalityNames().map(({ ineCode, names }) => ({ ineCode, name: names[0] ?? '' }))
  const byCode = new Map(listed.map((municipality) => [municipality.ineCode, municipality]))
  const ranked = new Set(favourites.map((code) => byCode.get(code)).filter((found) => found !== undefined))
  // A stride that shares no factor with the count visits each once, and neighbours in the list land far apart.
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

/** Cumulated weights: the one of rank r has a share in proportion to 1 / (r + 15) ** 1.5. */
const weightUpTo: number[] = []
let total = 0
for (let rank = 0; rank < municipalities.length; rank++) {
  // A square root is exact on every machine, a power is not.
  total += Math.floor(1_000_000_000 / ((rank + 15) * Math.sqrt(rank + 15)))
  weightUpTo.push(total)
}

/** Draws the rank of a municipality; see `municipalityAt`. */
export function drawMunicipality(chance: Chance): number {
  const weight = chance.below(total)
  let low = 0
  let high = weightUpTo.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((weightUpTo[middle] ?? 0) > weight) high = middle
    else low = middle + 1
  }
  return low
}

export function municipalityAt(rank: number): SampleMunicipality {
  const municipality = municipalities[rank]
  if (municipality === undefined) throw new RangeError(`no municipality of rank ${rank}`)
  return municipality
}

/** Most clerks write the official name; some put the article first, or one half of a bilingual name. */
export function writeName(name: string, chance: Chance): string {
  if (!chance.percent(8)) return name
  const half = name.split('/')[chance.below(2)] ?? name
  const [stem, article] = half.split(', ')
  if (article === undefined) return half
  return article.endsWith("'") ? `${article}${stem}` : `${article} ${stem}`
}

/** Names made of syllables: different numbers give different names, of one word each. */
export function inventPlace(number: number): string {
  const { first, middle, last } = syllables
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
    // Counting from one, so that a further syllable of number 0 differs from none at all.
    rest -= 1
    name += take(middle)
  }
  return name + end
}

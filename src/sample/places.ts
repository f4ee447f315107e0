// Where the records of the sample lie: real municipalities, a few of them with many records and most with few, and
// names of estates and quarters that exist nowhere.
import type { Chance } from './random.ts'
import { syllables } from './words.ts'

export interface SampleMunicipality {
  readonly ineCode: string
  /** As the INE writes it: `Bonillo, El`, `Alacant/Alicante`. */
  readonly name: string
}

const municipalities: readonly SampleMunicipality[] = [
  { ineCode: '03014', name: 'Alacant/Alicante' },
  { ineCode: '15030', name: 'Coruña, A' },
  { ineCode: '02019', name: 'Bonillo, El' },
  { ineCode: '05019', name: 'Ávila' },
  { ineCode: '01036', name: 'Laudio/Llodio' },
  { ineCode: '03082', name: 'Jávea/Xàbia' },
  { ineCode: '40076', name: 'Espinar, El' },
  { ineCode: '50297', name: 'Zaragoza' },
  { ineCode: '22125', name: 'Huesca' },
  { ineCode: '12040', name: 'Castelló de la Plana' },
  { ineCode: '31201', name: 'Pamplona/Iruña' },
  { ineCode: '28005', name: 'Alcalá de Henares' },
]

export const municipalityCount: number = municipalities.length

/** Cumulated weights: the one of rank r has a share in proportion to 1 / (r + 20). */
const weightUpTo: number[] = []
let total = 0
for (let rank = 0; rank < municipalities.length; rank++) {
  total += Math.floor(1_000_000 / (rank + 20))
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

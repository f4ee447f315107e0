// Draws the title and the area of a record of the fictional sample registry, in the varied spellings of real registries
// (abbreviations, quotes, slashes, capitals). The area is the part of the municipality that the plan covers.
// vocabulary.json says what is drawn. The order of the draws must not change, or every sample would differ.
import { toPlaceName } from './places.ts'
import type { Random } from './random.ts'
import { type Draw, type Steps, vocabulary } from './vocabulary.ts'

type Values = Readonly<Record<string, string>>

export interface Plan {
  readonly title: string
  readonly area: string
}

/** `year` is the year of entry, which some titles contain. */
export function drawPlan(random: Random, year: number): Plan {
  const steps = random.pickZipf(vocabulary.plans)
  const { title = '', area = '' } = drawSteps(steps, random, { year: String(year), shortYear: String(year).slice(2) })
  // Some registries write titles in capitals.
  return { title: random.chance(6) ? title.trim().toUpperCase() : title.trim(), area }
}

function drawSteps(steps: Steps, random: Random, given: Values): Values {
  const values = { ...given }
  for (const [name, draw] of Object.entries(steps)) values[name] = drawText(draw, random, values)
  return values
}

function drawText(draw: Draw, random: Random, values: Values): string {
  if (typeof draw === 'string') return fill(draw, values)
  if ('pick' in draw) return drawText(random.pick(toChoices(draw.pick)), random, values)
  if ('zipf' in draw) return drawText(random.pickZipf(toChoices(draw.zipf)), random, values)
  if ('between' in draw) return String(random.between(...draw.between))
  if ('place' in draw) return toPlaceName(random.zipf(draw.place))
  if ('steps' in draw) return Object.values(drawSteps(draw.steps, random, values)).at(-1) ?? ''
  if ('draw' in draw) return drawText({ steps: vocabulary.area }, random, values)
  const isThen =
    'value' in draw
      ? new RegExp(draw.matches).test(fill(draw.value, values))
      : Number(values.year) < (draw.beforeYear ?? Number.POSITIVE_INFINITY) && random.chance(draw.chance)
  return drawText(isThen ? draw.then : draw.else, random, values)
}

function toChoices(choices: string | readonly [Draw, ...Draw[]]): readonly [Draw, ...Draw[]] {
  return typeof choices === 'string' ? (vocabulary.lists[choices] ?? ['']) : choices
}

/** Puts values in place of `{name}`: `{name:3}` is `ABC` for `Abcde`, `{name:upper}` is `ABCDE`, `{number:two}` is `07`. */
function fill(text: string, values: Values): string {
  // Most choices are plain words.
  if (!text.includes('{')) return text
  return text.replace(/\{(\w+)(?::(\w+))?\}/g, (_, name: string, form?: string) => {
    const value = values[name] ?? ''
    if (form === 'two') return value.padStart(2, '0')
    if (form === undefined) return value
    return (form === 'upper' ? value : value.slice(0, Number(form))).toUpperCase()
  })
}

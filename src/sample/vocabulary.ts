// Vocabulary of the fictional sample registry, which vocabulary.json has: how titles and areas are drawn (plan.ts),
// sentences of planning documents with slots in braces and the choices for the slots, the most common first (prose.ts),
// the municipalities with most records, and the syllables of invented names (places.ts).
import { readFileSync } from 'node:fs'

/**
 * How a text is drawn:
 * - a text itself, with the values drawn before it in braces: `Plan Parcial {prefix}-{number}`; see `fill` in plan.ts;
 * - `pick`: one of several, each with the same probability; `zipf`: the first most often; also the name of a list;
 * - `between`: a whole number; `place`: one of `2 ** place - 1` invented names, of which a few are frequent;
 * - `chance`: `then` with this probability in percent, else `else`, always if the year is not before `beforeYear`;
 * - `value`: `then` if the text matches the pattern;
 * - `steps`: the last of several values; `draw`: an area.
 */
export type Draw =
  | string
  | { readonly pick: string | readonly [Draw, ...Draw[]] }
  | { readonly zipf: string | readonly [Draw, ...Draw[]] }
  | { readonly between: readonly [min: number, max: number] }
  | { readonly place: number }
  | { readonly chance: number; readonly beforeYear?: number; readonly then: Draw; readonly else: Draw }
  | { readonly value: string; readonly matches: string; readonly then: Draw; readonly else: Draw }
  | { readonly steps: Steps }
  | { readonly draw: 'area' }

/** Values by name, in the order in which they are drawn. */
export type Steps = Readonly<Record<string, Draw>>

type Texts = readonly [string, ...string[]]

interface Vocabulary {
  /** INE code and name: cities, and a few towns whose names have an article at the end or are in two languages. */
  readonly municipalities: readonly string[]
  /** One for each kind of plan, the most common first. Each has the values `title` and `area`. */
  readonly plans: readonly [Steps, ...Steps[]]
  readonly area: Steps
  readonly lists: Readonly<Record<string, readonly [Draw, ...Draw[]]>>
  readonly sentences: Texts
  readonly slots: Readonly<Record<string, Texts>>
  /** Some of their words are in no title and no column `content`, so a search for them finds only documents. */
  readonly documentSentences: Texts
  /** An invented name has one of `first`, one or more of `middle`, and one of `last`. */
  readonly syllables: Readonly<Record<'first' | 'middle' | 'last', readonly string[]>>
}

export const vocabulary: Vocabulary = JSON.parse(readFileSync(new URL('vocabulary.json', import.meta.url), 'utf8'))

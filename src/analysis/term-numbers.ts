// The rules of term-clauses.ts for numbers: the entities of rules.ts (`fase 2`, `modificación nº 5`, `pgou 97`), the
// word "number" before another number, and series of numbers (`12-14-16`).
import { type Entity, mayBeRead, type Reading, readEntities } from './entities.ts'
import type { ClauseEnds } from './neighbours.ts'
import { numberWord } from './number-words.ts'
import { ordinalsByDigits } from './numerals.ts'
import { findPhraseEnds, type ParsedClause, toClauseEnds, toGroupClause, toRequiredClause } from './parsed-clause.ts'
import { isNumberWord, type Rule, startsWithDigit, type TermItem, toRuleResult } from './term-item.ts'

/**
 * Makes the rule for the entities of a term. An entity must end with an item: the 3 of `sector 3-A` is part of a code,
 * so there is no entity.
 */
export function toEntityRule(items: readonly TermItem[]): Rule {
  const words = items.flatMap(({ group }) => group.words)
  if (!words.some(mayBeRead)) return () => undefined
  const starts: number[] = []
  let position = 0
  for (const { group } of items) {
    starts.push(position)
    position += group.words.length
  }
  const codesByPosition = new Map(
    items.flatMap(({ group }, index) => {
      const isCode =
        group.joinedCode !== undefined ||
        group.labelNumber !== undefined ||
        (group.words.length === 1 && index === items.length - 1)
      return isCode ? [[starts[index] ?? 0, group] as const] : []
    }),
  )
  const separatedPositions = new Set(starts.filter((_, index) => items[index]?.isSeparated))
  const readings = readEntities({ words, codesByPosition, separatedPositions })
  const readingsByStart = new Map(
    readings
      .filter(({ rule }) => rule.entity !== 'none' && rule.isInTextsOnly !== true)
      .map((each) => [each.first, each]),
  )
  const isItemEnd = new Set([...starts.slice(1), words.length])
  return (_, index) => {
    const reading = readingsByStart.get(starts[index] ?? -1)
    if (reading === undefined) return undefined
    const ends = [reading.last, ...reading.entities.map(({ position }) => position)].filter((end) =>
      isItemEnd.has(end + 1),
    )
    if (ends.length === 0) return undefined
    const end = Math.max(...ends)
    const next = starts.findLastIndex((start) => start <= end) + 1
    return { clauses: toClauses(reading, items.slice(index, next)), next }
  }
}

/** The clauses of the words that are kept, and those of the entities, each after its last word. */
function toClauses({ rule, first, entities, keptPositions }: Reading, items: readonly TermItem[]): ParsedClause[] {
  const clauses: ParsedClause[] = []
  let position = first
  for (const { group } of items) {
    for (const word of group.words) {
      if (keptPositions.includes(position) && rule.entity !== 'plot') {
        clauses.push(toGroupClause({ ...group, words: [word], joinedCode: undefined }))
      }
      for (const entity of entities.filter((each) => each.position === position))
        clauses.push(toEntityClause(entity, rule.entity))
      position++
    }
  }
  return clauses
}

function toEntityClause({ stem, number }: Entity, kind: string): ParsedClause {
  return toRequiredClause({ kind: 'word', stem }, kind === 'number' ? toNumberEnds(number) : toClauseEnds(stem))
}

/** In a title the number of a modification may be an ordinal, whose neighbours are those of `quinto`. */
function toNumberEnds(number: string): ClauseEnds {
  const ordinal = ordinalsByDigits.get(number)?.spelledOut.stem
  const ends = toClauseEnds(number)
  return ordinal === undefined ? ends : { ...ends, otherFirst: ordinal, otherLast: ordinal }
}

/**
 * Reads the word "number" where no entity has it. Before a number it is dropped, so that `serrano nº 69` finds
 * `Serrano, 69` too. At the end of the items it is optional.
 */
export const readNumberWord: Rule = (items, index) => {
  if (!isNumberWord(items, index)) return undefined
  const after = items[index + 1]
  if (after === undefined) {
    const clause = { kind: 'word', stem: numberWord.stem } as const
    return { clauses: [{ clause, isOptional: true, isQuoted: false, ends: 'skipped' }], next: index + 1 }
  }
  return startsWithDigit(after.group) ? { clauses: [], next: index + 1 } : undefined
}

/**
 * Reads a series of three numbers or more: `fuencarral 12-14-16` also finds `Fuencarral 12, 14 y 16`. Two numbers are a
 * range (`toGroupClause` in parsed-clause.ts).
 */
export const readNumberSeries: Rule = (items, index) => {
  const { words } = (items[index] as TermItem).group
  if (words.length < 3 || !words.every(({ form }) => /^\d+$/.test(form))) return undefined
  const stems = words.map(({ stem }) => stem)
  const orPhrase = { kind: 'phrase', stems: [...stems.slice(0, -1), 'y', ...stems.slice(-1)] } as const
  return toRuleResult({ clause: { kind: 'phrase', stems, orPhrase }, ends: findPhraseEnds(words), next: index + 1 })
}

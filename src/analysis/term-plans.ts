// The rules of term-clauses.ts for general plans with their year (`pgou-97`) or their city (`pgou madrid`).
import { toClauseEnds, toRequiredClause } from './parsed-clause.ts'
import { findPlanYear } from './plan-years.ts'
import { type Rule, type TermItem, toRuleResult } from './term-item.ts'
import { isDigits } from './word.ts'

/**
 * Reads a plan with its year as two clauses: `pgou` and `97` (or 1997) for `pgou-97` and `pgou/97`, `pgou` and `1997`
 * for `pgou-1997`. A code is a phrase otherwise, which would not find `PGOU de 1997`.
 */
export const readPlanWithYear: Rule = (items, index) => {
  const [plan, number, third] = (items[index] as TermItem).group.words
  if (plan === undefined || number === undefined || third !== undefined || plan.queryStem !== 'pgou') return undefined
  const year = findPlanYear([plan, number], 1)
  if (year === undefined && !/^\d{4}$/.test(number.form)) return undefined
  const orStems = year === undefined ? {} : { orStems: [year.stem] }
  const clauses = [
    toRequiredClause({ kind: 'word', stem: plan.queryStem }, toClauseEnds(plan.queryStem)),
    toRequiredClause({ kind: 'word', stem: number.stem, ...orStems }, toClauseEnds(number.stem)),
  ]
  return { clauses, next: index + 1 }
}

/** Reads `madrid` after a general plan: `pgou madrid` also finds `PGOUM`, the acronym of the plan of that city. */
export const readPlanOfMadrid: Rule = (items, index) => {
  const word = items[index]?.word
  if (word?.form !== 'madrid') return undefined
  const before = items.slice(0, index).map((item) => item.word?.queryStem)
  const isFullForm = before.includes('plan') && before.includes('general')
  if (!isFullForm && !before.includes('pgou')) return undefined
  const { stem } = word
  return toRuleResult({
    clause: { kind: 'word', stem, orStems: ['pgoum'] },
    ends: toClauseEnds(stem),
    next: index + 1,
  })
}

/** Reads the year of a plan in two digits: `pgou 97` and `plan general 97` also find `PGOU de 1997`. */
export const readPlanYear: Rule = (items, index) => {
  const number = items[index]?.word
  if (number === undefined || number.form.length !== 2 || !isDigits(number)) return undefined
  const words = items.map(({ word }) => word)
  const year = findPlanYear(words, index)
  if (year === undefined) return undefined
  const { stem } = number
  return toRuleResult({
    clause: { kind: 'word', stem, orStems: [year.stem] },
    ends: toClauseEnds(stem),
    next: index + 1,
  })
}

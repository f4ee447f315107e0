// The limits of an import that are a share or a number, such as `10%` or `25`: rejected rows (`--max-rejects`), missing
// records (`--max-gone`) and missing texts (`--max-texts-gone`).
import { type Read, toMalformedError } from '../cli/setting.ts'
import { t } from '../language.ts'

/** A percentage from 0 to 100 with at most three decimals, or a number. */
export type Share = { readonly percent: number } | { readonly count: number }

/** Reads `10%`, `2.5 %` or `25`. */
export const readShare: Read<Share> = (invocation, flag) => {
  const text = invocation.value(flag) ?? ''
  const percent = /^(\d{1,3}(?:[.,]\d{1,3})?) ?%$/.exec(text)?.[1]?.replace(',', '.')
  if (percent !== undefined && Number(percent) <= 100) return { percent: Number(percent) }
  if (/^\d{1,9}$/.test(text)) return { count: Number(text) }
  throw toMalformedError(invocation, flag, t`a share such as 10% or a whole number`)
}

/** Whether `count` of `all` is more than the limit. */
export function exceeds(count: number, all: number, max: Share): boolean {
  if ('count' in max) return count > max.count
  // Compares count / all with percent / 100, both times 100,000 * all. `percent` has at most three decimals, so both
  // sides are whole numbers. Fractions would not be exact: 0.29 * 100 is less than 29.
  return count * 100_000 > Math.round(max.percent * 1000) * all
}

/** Returns `10%` or `25`, as `readShare` takes it. */
export function toFlagValue(max: Share): string {
  return 'percent' in max ? `${max.percent}%` : String(max.count)
}

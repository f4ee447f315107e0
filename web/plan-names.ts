// Finds the plans and sectors that a record names: names in quotes, codes of sectors and units, and the general plan.
// The page of a record searches for these names to list related records (load-record.ts).
import type { PageRegistry } from '../src/api/page-renderer.ts'

/** Each name takes a search, so only the first ones of a long title are used. */
const namesMax = 4

/** The names, the most specific first: `Monderes`, `UZ 11b`, `Plan General`. */
export function findPlanNames(title: string, area: string, mark: PageRegistry['mark']): string[] {
  const text = `${title} ${area}`
  const quoted = [...text.matchAll(quotedName)].map(([, name = '']) => name)
  const codes = [...text.matchAll(sectorCode)].map(([code]) => code)
  const general = generalPlans.filter((name) => hasTogether(title, name, mark))
  const names = [...quoted, ...codes, ...general].map((name) => name.replace(/\s+/gu, ' ').trim())
  // Names that differ only in case are one name. The map keeps the order of the first and the spelling of the last.
  const distinct = new Map(names.filter((name) => name !== '').map((name) => [name.toLowerCase(), name]))
  return [...distinct.values()].slice(0, namesMax)
}

/**
 * The search term that finds the records whose titles have the name: a phrase in quotation marks. The name of a general
 * plan is searched without quotation marks: titles abbreviate it, and a phrase would not find the abbreviations.
 */
export function toPlanTerm(name: string): string {
  return generalPlans.includes(name) ? name : `"${name}"`
}

/** Whether both words of the name stand side by side in the title, or in one abbreviation. */
function hasTogether(title: string, name: string, mark: PageRegistry['mark']): boolean {
  return mark(title, name).marks.some(([start, end]) => mark(title.slice(start, end), name).clauseCount === 2)
}

/** `"Monderes"` or `«Monderes»`; shorter and longer texts in quotes are seldom names. */
const quotedName = /["«“]([^"«»“”]{3,60})["»”]/gu

/**
 * The code of a sector or unit: `UE-23`, `S-9`, `SUNP 3.1`, `UZ 11b`, `S/SUNC/52`, `UE Llatajo-60`. Not the number of
 * an amendment (`M.P. 46`), of an item (`NÚM. 14`) or of a file (`EXP 29/2026`).
 */
const sectorCode = new RegExp(
  [
    // No letter, digit, full stop or slash before the code. Its start is not `NÚM`, and not `MP` as a whole word.
    String.raw`(?<![\p{L}\p{N}./])(?!N[UÚ]M|MP\b)`,
    // `UE`, `S/SUNC`
    String.raw`\p{Lu}{1,6}(?:\/\p{Lu}{1,6})*`,
    // ` Llatajo`
    String.raw`(?:\s\p{Lu}\p{Ll}+)?`,
    // `-23`, ` 3.1`, ` 11b`
    String.raw`[-.\s/]{0,2}\d{1,3}(?:[-.]\d{1,3})*\p{L}?`,
    // No letter, digit or slash after the code.
    String.raw`(?![\p{L}\p{N}/])`,
  ].join(''),
  'gu',
)

/** The kinds of general plans. The analyser knows how titles write them: `PGOU`, `Pla General`, `NN.SS.` */
const generalPlans: readonly string[] = ['Plan General', 'Normas Subsidiarias']

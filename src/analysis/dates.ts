// The names of months, and the numbers of days in words. The term `2 de mayo` also searches for `dos`, so it finds
// `Plaza del Dos de Mayo` (term-addresses.ts). When synonyms.ts looks for phrases that have an acronym, it skips a
// number and a month inside them: `Ley 7/2002, de 17 de diciembre, de Ordenación Urbanística de Andalucía` has `loua`.

/** In lower case. */
export const months: ReadonlySet<string> = new Set(
  'enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre diciembre'.split(' '),
)

/** The days of a month from 1 to 30, in words, folded (fold.ts). Day 31 is three words, `treinta y uno`. */
const dayWords =
  `uno dos tres cuatro cinco seis siete ocho nueve diez once doce trece catorce quince dieciseis diecisiete
  dieciocho diecinueve veinte veintiuno veintidos veintitres veinticuatro veinticinco veintiseis veintisiete veintiocho
  veintinueve treinta`.split(/\s+/)

/** `2` for `dos`, and `dos` for `2`. */
export const dayCounterparts: ReadonlyMap<string, string> = new Map(
  dayWords.flatMap((word, index) => [
    [word, String(index + 1)],
    [String(index + 1), word],
  ]),
)

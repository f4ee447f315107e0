// Normalisation of municipality names: the folded name used for comparison, and all folded names (keys) under which one
// written name is found. The names of each municipality are in municipality-list.ts.

/**
 * Removes case, accents (`ñ` becomes `n`) and punctuation, writes out abbreviations (`Sta.` becomes `santa`), and puts
 * the article first: `Ejido, El` becomes `el ejido`.
 */
export function foldName(name: string): string {
  return joinFolded(foldBilingualName(name))
}

/**
 * All folded forms of a written name: the whole name; for a bilingual name also the other order and each single name;
 * and for a name with a hyphen also each single name with the hyphen left out.
 */
export function nameKeys(name: string): string[] {
  const folded = foldBilingualName(name)
  const keys = [joinFolded(folded), joinFolded([...folded].reverse()), ...folded]
  // `Font-rubí` is also `Fontrubí`.
  if (/\p{L}-\p{L}/u.test(name)) keys.push(...splitBilingualName(name.replaceAll('-', '')).map(foldSingleName))
  return [...new Set(keys)].filter((key) => key !== '')
}

/** Removes a leading article from a folded name: `el ejido` becomes `ejido`. */
export function withoutArticle(key: string): string {
  const [first = '', ...rest] = key.split(' ')
  return articles.has(first) && rest.length > 0 ? rest.join(' ') : key
}

/**
 * The name with its article in front: `Ejido, El` becomes `El Ejido`, `Lorcha/Orxa, l'` becomes `Lorcha/l'Orxa`. Each
 * half of a bilingual name has its own article.
 */
export function toReadableName(name: string): string {
  return splitBilingualName(name).map(toReadableSingleName).join('/')
}

function toReadableSingleName(name: string): string {
  // A name, then one word after a comma or in parentheses: `Ejido, El`, `Ejido (El)`.
  const [, rest, article] = /^(.+?)(?:,\s*|\s+\()([^\s,()]+)\)?$/u.exec(name.trim()) ?? []
  if (rest === undefined || article === undefined || !articles.has(foldSingleName(article))) return name.trim()
  return article.endsWith("'") ? article + rest : `${article} ${rest}`
}

/**
 * Finds the items that have both names of a bilingual spelling that is not itself a key (`Gerona-Girona`). Any hyphen,
 * dash or slash may be the separator, so each is tried. `findByKey` returns the items with the given folded name.
 */
export function findByBothNames<T>(name: string, findByKey: (key: string) => readonly T[]): T[] {
  for (const { index, 0: separator } of name.slice(0, nameCharactersMax).matchAll(/[/–-]/gu)) {
    const first = findByKey(foldName(name.slice(0, index)))
    const second = findByKey(foldName(name.slice(index + separator.length)))
    const both = first.filter((item) => second.includes(item))
    if (both.length > 0) return both
  }
  return []
}

/** Separators after this many characters are ignored, to bound the work for a request. No bilingual name is as long. */
const nameCharactersMax = 128

/** `Alicante/Alacant` has two names. */
export function splitBilingualName(name: string): string[] {
  return name.split('/')
}

/** The distinct folded names, usually one or two: `Valencia/València` has only one. */
function foldBilingualName(name: string): string[] {
  return [...new Set(splitBilingualName(name).map(foldSingleName))].filter(Boolean)
}

/**
 * The folded form of a whole name, from its folded names. The joined text is folded again, because the last name may
 * look like an article, which comes first: `X/A` gives `a x`. So folding a folded name never changes it.
 */
function joinFolded(names: readonly string[]): string {
  const [only = ''] = names
  return names.length < 2 ? only : foldSingleName(names.join(' '))
}

/** Folded articles in Castilian, Catalan and Galician. */
const articles: ReadonlySet<string> = new Set('el la los las l els les lo es sa ses s a o as os'.split(' '))

/** Folds a name in one language. A trailing article moves to the front. */
function foldSingleName(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // `ß` becomes `ss` by way of upper case. The capital `ẞ` has to become `ß` first.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    // The middle dot of the Catalan `l·l` does not split a word.
    .replace(/l[·•‧∙⋅]l/g, 'll')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => abbreviations.get(word) ?? word)
  // `Ejido, El` becomes `el ejido`, unless the name already starts with an article.
  const last = words.at(-1)
  if (last === undefined || !articles.has(last) || articles.has(words[0] ?? '')) return words.join(' ')
  return [last, ...words.slice(0, -1)].join(' ')
}

/** Folded abbreviations, and the word that replaces each before names are compared. */
const abbreviations: ReadonlyMap<string, string> = new Map([
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['st', 'sant'],
  ['ma', 'maria'],
  ['vva', 'villanueva'],
])

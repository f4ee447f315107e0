// How municipality names are compared (decisions, `municipality`): the folded name, and the folded names under which
// one written name is found. Which names a municipality bears is municipality-list.ts.

/** Case, accents, ñ, punctuation and the place of the article do not matter. */
export function foldName(name: string): string {
  return joinHalves(foldHalves(name))
}

/** Every folded form of one written name: the whole in either order, each half of a bilingual name. */
export function nameKeys(name: string): string[] {
  const halves = foldHalves(name)
  const keys = [joinHalves(halves), joinHalves(halves.toReversed()), ...halves]
  // `Font-rubí` is also `Fontrubí`.
  if (/\p{L}-\p{L}/u.test(name)) keys.push(...toHalves(name.replaceAll('-', '')).map(foldHalf))
  return [...new Set(keys)].filter((key) => key !== '')
}

/** A name without its article, which is how a person may look for it; the same where it has none. */
export function withoutArticle(key: string): string {
  const [first = '', ...rest] = key.split(' ')
  return articles.has(first) && rest.length > 0 ? rest.join(' ') : key
}

/** The name as it is read aloud: `Ejido, El` is El Ejido, `Orxa, l'` is l'Orxa. */
export function toReadableName(name: string): string {
  const [, rest, article] = /^(.+?)(?:,\s*|\s+\()([^\s,()]+)\)?$/u.exec(name.trim()) ?? []
  if (rest === undefined || article === undefined || !articles.has(foldHalf(article))) return name.trim()
  return article.endsWith("'") ? article + rest : `${article} ${rest}`
}

/**
 * What bears both names of a bilingual spelling that is in no list (`Gerona-Girona`), whichever of its hyphens or
 * slashes joins the two.
 */
export function bearersOfBoth<T>(name: string, bearersOf: (key: string) => readonly T[]): T[] {
  for (const { index, 0: joint } of name.slice(0, nameCharactersMax).matchAll(/[/–-]/gu)) {
    const others = bearersOf(foldName(name.slice(index + joint.length)))
    const both = others.length === 0 ? [] : bearersOf(foldName(name.slice(0, index)))
    const found = both.filter((each) => others.includes(each))
    if (found.length > 0) return found
  }
  return []
}

/** More than any name of two languages; a request may hold anything. */
const nameCharactersMax = 128

export function toHalves(name: string): string[] {
  return name.split('/')
}

/** Both halves of `Valencia/València` are one name. */
function foldHalves(name: string): string[] {
  return [...new Set(toHalves(name).map(foldHalf))].filter(Boolean)
}

/** Folded once more, so that a half that looks like an article (`X/A`) folds the same a second time. */
function joinHalves(halves: readonly string[]): string {
  return foldHalf(halves.join(' '))
}

const articles: ReadonlySet<string> = new Set('el la los las l els les lo es sa ses s a o as os'.split(' '))

function foldHalf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    // Down first: a capital ẞ goes up only by way of its small letter.
    .toLowerCase()
    .toUpperCase()
    .toLowerCase()
    .replace(/l[·•‧∙⋅]l/g, 'll')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => shortened.get(word) ?? word)
  const last = words.at(-1)
  // A name that already begins with an article has it where it belongs.
  if (last !== undefined && articles.has(last) && !articles.has(words[0] ?? '')) words.unshift(words.pop() ?? '')
  return words.join(' ')
}

const shortened: ReadonlyMap<string, string> = new Map([
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['st', 'sant'],
  ['ma', 'maria'],
  ['vva', 'villanueva'],
])

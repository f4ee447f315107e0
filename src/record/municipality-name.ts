// How municipality names are compared (decisions, `municipality`): the folded name, and the folded names under which
// one written name is found. Which names a municipality bears is municipality-list.ts.

/** Case, accents, ñ, punctuation and the place of the article do not matter. */
export function foldName(name: string): string {
  return toHalves(name).map(foldHalf).filter(Boolean).join(' ')
}

/** Every folded form of one written name: the whole in either order, each half of a bilingual name. */
export function nameKeys(name: string): string[] {
  const halves = toHalves(name).map(foldHalf).filter(Boolean)
  const keys = [halves.join(' '), halves.toReversed().join(' '), ...halves]
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

export function toHalves(name: string): string[] {
  return name.split('/')
}

const articles: ReadonlySet<string> = new Set('el la los las l els les lo es sa ses s a o as os'.split(' '))

function foldHalf(name: string): string {
  const words = name
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toUpperCase()
    .toLowerCase()
    .replace(/l[·•‧∙⋅]l/g, 'll')
    .split(/[^\p{L}\p{N}]+/u)
    .filter(Boolean)
    .map((word) => shortened.get(word) ?? word)
  const last = words.at(-1)
  if (words.length > 1 && last !== undefined && articles.has(last)) words.unshift(words.pop() ?? '')
  return words.join(' ')
}

const shortened: ReadonlyMap<string, string> = new Map([
  ['sta', 'santa'],
  ['sto', 'santo'],
  ['st', 'sant'],
  ['ma', 'maria'],
])

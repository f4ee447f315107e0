// The words that only make a question of a search term: `qué hay previsto en la calle real` asks for `calle real`. They
// are dropped when nothing is found, never before: a title may have any of them.
import { foldWord } from '../analysis/fold.ts'
import { stopWords } from '../analysis/stop-words.ts'
import { quotationMark } from '../analysis/term-parser.ts'

const questionWords: ReadonlySet<string> = new Set(
  `acerca busco buscar como conocer construir construyendo cual cuales cuando cuanto cuantos dime donde esta estan existe
  existen ha habra hacen hacer haciendo han hay ir me mi mis necesito nuestra nuestro pasa pasara permite permiten
  prevista previstas previsto previstos puede pueden puedo quien quiere quieren quiero quisiera saber se van va
  ver`.split(/\s+/),
)

/** Nouns that say nothing after a possessive: `mi barrio de Zigia`. */
const ownPlaces: ReadonlySet<string> = new Set(['barrio', 'casa', 'ciudad', 'municipio', 'pueblo', 'zona'])
const possessives: ReadonlySet<string> = new Set(['mi', 'mis', 'nuestra', 'nuestro'])

/** The term without the words of a question and the stop words beside them; the term itself if nothing else is left. */
export function dropQuestionWords(term: string): string {
  if (quotationMark.test(term)) return term
  const words = term.trim().split(/\s+/u)
  const folded = words.map((word) => foldWord(word.replace(/[^\p{L}\p{M}\p{N}]/gu, '')))
  const isDropped = folded.map(
    (word, index) => questionWords.has(word) || (ownPlaces.has(word) && possessives.has(folded[index - 1] ?? '')),
  )
  if (!isDropped.includes(true)) return term
  const kept: string[] = []
  let followsDropped = true
  for (const [index, word] of words.entries()) {
    const isJoint: boolean = stopWords.has(folded[index] ?? '') && (followsDropped || isDropped[index + 1] === true)
    followsDropped = isDropped[index] === true || isJoint
    if (!followsDropped) kept.push(word)
  }
  return kept.length === 0 ? term : kept.join(' ').replace(/^[¿¡]+|[?!]+$/gu, '')
}

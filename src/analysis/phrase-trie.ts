// Trie of the phrases that have an acronym. From the root, the words `plan` and `parcial` lead to the node of `pp`.
// acronym-expansions.ts builds the trie. synonyms.ts (for texts) and term-labels.ts (for terms) walk it word by word.
import { oneLetterStopWords } from './stop-words.ts'
import type { Word } from './word.ts'

export interface PhraseNode {
  /** The nodes after this one, by the query stem of the next word. Callers skip stop words that lead to no node. */
  readonly children: Map<string, PhraseNode>
  /** Synonyms of the phrase that ends here. */
  readonly synonyms: Word[]
  /** The acronym, when the phrase is its letters with spaces (`P. G. O. U.`). Otherwise empty. */
  readonly joinedForms: Word[]
  /** The acronym of the phrase that ends here. A number may follow: `Unidad de Ejecución 1` is also `UE1`. */
  acronym: string | undefined
}

export function createPhraseNode(): PhraseNode {
  return { children: new Map(), synonyms: [], joinedForms: [], acronym: undefined }
}

/** Finds the node of the phrase below `root`, and creates it if it is new. */
export function addNode(root: PhraseNode, queryStems: readonly string[]): PhraseNode {
  let node = root
  for (const queryStem of queryStems) {
    let child = node.children.get(queryStem)
    if (child === undefined) {
      child = createPhraseNode()
      node.children.set(queryStem, child)
    }
    node = child
  }
  return node
}

/**
 * Finds the node after `node` for the next word of a text or term: after `plan`, the node of `parcial`. Undefined if no
 * phrase continues with this word. The word is looked up by its query stem, then by another spelling:
 *
 * word                        | other spelling | why
 * `parcial`                   | none           | its stem is the query stem
 * the E of `U. E. 4`          | form           | before a number its stems are `E`; the trie has its form, `e`
 * the D of `E. D. Manzana 4`  | stem           | the query stem is that of `don`, but `E. D.` has the letter
 */
export function findNextNode(
  { children }: PhraseNode,
  { form, stem, queryStem }: Word & { readonly queryStem: string },
): PhraseNode | undefined {
  const child = children.get(queryStem)
  if (child !== undefined) return child
  if (oneLetterStopWords.has(form)) return children.get(form)
  return stem === queryStem ? undefined : children.get(stem)
}

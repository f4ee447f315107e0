// A text of a record with the words of the search marked.
import type { JSX } from 'preact'
import { useMemo } from 'preact/hooks'
import { highlightWords } from './highlight.ts'

export interface HighlightedTextProps {
  readonly text: string
  /** The search term. */
  readonly words: string
}

export function HighlightedText({ text, words }: HighlightedTextProps): JSX.Element {
  const fragments = useMemo(() => highlightWords(text, words), [text, words])
  return (
    <>
      {fragments.map((fragment, index) =>
        fragment.isMatch ? <mark key={index}>{fragment.text}</mark> : fragment.text,
      )}
    </>
  )
}

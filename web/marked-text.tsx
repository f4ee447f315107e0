// A text with marked words, shown as text, never as markup.
import type { JSX } from './jsx-runtime.ts'
import { useSite } from './site-context.ts'

/** A text of a record with the words of the search term marked. */
export function MarkedText({ text, words }: { readonly text: string; readonly words: string }): JSX.Element {
  const { mark } = useSite()
  return <Marked text={text} marks={words === '' ? [] : mark(text, words).marks} />
}

export interface MarkedProps {
  readonly text: string
  /** Start and end (excluded) of each marked piece, ascending. */
  readonly marks: readonly (readonly [start: number, end: number])[]
}

export function Marked({ text, marks }: MarkedProps): JSX.Element {
  /** Where the rest of the text begins. */
  let restStart = 0
  const pieces: (string | JSX.Element)[] = []
  for (const [start, end] of marks) {
    pieces.push(text.slice(restStart, start), <mark key={start}>{text.slice(start, end)}</mark>)
    restStart = end
  }
  return (
    <>
      {pieces}
      {text.slice(restStart)}
    </>
  )
}

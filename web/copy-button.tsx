// Button that copies a text to the clipboard. It needs JavaScript (browser/copy.ts).
import type { JSX } from './jsx-runtime.ts'
import { useLocale } from './site-context.ts'

export interface CopyButtonProps {
  readonly text: string
  /** Names the text for screen readers. */
  readonly what: string
  /** What the button says; `Copiar` by default. */
  readonly label?: string
  /** Whether the text is a citation, to which the browser adds the date of access. */
  readonly isCitation?: boolean
}

export function CopyButton({ text, what, label, isCitation = false }: CopyButtonProps): JSX.Element {
  const { strings } = useLocale()
  return (
    <>
      <button type="button" class="copy" data-copy={text} data-citation={isCitation} aria-label={strings.copyOf(what)}>
        {label ?? strings.copy}
      </button>
      <span class="visually-hidden" role="status" />
    </>
  )
}

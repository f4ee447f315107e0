// Button that copies a text to the clipboard. The clipboard API exists only on secure pages, and the browser may refuse
// it; then the older `execCommand` is used.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocale } from './site-context.ts'

export interface CopyButtonProps {
  /** The text, or a function that makes it when the button is pressed. */
  readonly text: string | (() => string)
  /** Names the text for screen readers. */
  readonly what: string
}

/** How long the page says that the text was copied, or that it could not be. */
const confirmationMs = 2500

export function CopyButton({ text, what }: CopyButtonProps): JSX.Element {
  const { strings } = useLocale()
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  const statusTexts = { none: '', copied: strings.copied, failed: strings.notCopied }
  const copyAndConfirm = async (): Promise<void> => {
    const isCopied = await copy(typeof text === 'string' ? text : text())
    setOutcome(isCopied ? 'copied' : 'failed')
  }
  useEffect(() => {
    if (outcome === 'none') return
    const timer = setTimeout(() => setOutcome('none'), confirmationMs)
    return () => clearTimeout(timer)
  }, [outcome])
  return (
    <>
      <button
        type="button"
        class="copy"
        // Without a label, a screen reader reads the text of the button: that it was copied.
        aria-label={outcome === 'copied' ? undefined : strings.copyOf(what)}
        onClick={copyAndConfirm}
      >
        {outcome === 'copied' ? strings.copied : strings.copy}
      </button>
      <span class={outcome === 'failed' ? 'copy-failed' : 'visually-hidden'} role="status">
        {statusTexts[outcome]}
      </span>
    </>
  )
}

/** Returns whether the text was copied. */
async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    // Selecting the text moves the focus, which is then given back.
    const focused = document.activeElement
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const isCopied = document.execCommand('copy')
    area.remove()
    if (focused instanceof HTMLElement) focused.focus()
    return isCopied
  }
}

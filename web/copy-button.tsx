// Copies a text and says so. The clipboard API exists on secure pages only; elsewhere the older command does it.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { useLocale } from './locale-context.ts'

export interface CopyButtonProps {
  readonly text: string
  /** What is copied, for those who do not see it beside the button. */
  readonly what: string
}

const copiedShownMs = 2500

export function CopyButton({ text, what }: CopyButtonProps): JSX.Element {
  const { strings } = useLocale()
  const [outcome, setOutcome] = useState<'none' | 'copied' | 'failed'>('none')
  useEffect(() => {
    if (outcome === 'none') return
    const wait = setTimeout(() => setOutcome('none'), copiedShownMs)
    return () => clearTimeout(wait)
  }, [outcome])
  return (
    <>
      <button
        type="button"
        class="copy"
        aria-label={outcome === 'copied' ? undefined : strings.copyOf(what)}
        onClick={async () => setOutcome((await copy(text)) ? 'copied' : 'failed')}
      >
        {outcome === 'copied' ? strings.copied : strings.copy}
      </button>
      <span class={outcome === 'failed' ? 'copy-failed' : 'visually-hidden'} role="status">
        {outcome === 'copied' ? strings.copied : outcome === 'failed' ? strings.notCopied : ''}
      </span>
    </>
  )
}

async function copy(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text)
    return true
  } catch {
    const area = document.createElement('textarea')
    area.value = text
    document.body.append(area)
    area.select()
    const copied = document.execCommand('copy')
    area.remove()
    return copied
  }
}

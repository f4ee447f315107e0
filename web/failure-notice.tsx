// When no answer could be had: what happened, what the reader can do, and what the page does by itself.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { useSpeech } from './locale-context.ts'
import type { Trouble } from './service.ts'
import type { Strings } from './strings.ts'

export interface TroubleNoticeProps {
  readonly trouble: Trouble
  readonly onRetry: () => void
  /** Below results that are there already, it is not the heading of the whole. */
  readonly isBelowResults?: boolean
}

export function TroubleNotice({ trouble, onRetry, isBelowResults = false }: TroubleNoticeProps): JSX.Element {
  const { say, number } = useSpeech()
  useEffect(() => {
    if (trouble.kind === 'offline') {
      addEventListener('online', onRetry)
      return () => removeEventListener('online', onRetry)
    }
    if (trouble.kind !== 'busy') return
    const wait = setTimeout(onRetry, trouble.seconds * 1000)
    return () => clearTimeout(wait)
  }, [trouble, onRetry])

  const { heading, text } = toWords(trouble, say, number)
  return (
    <div class={`trouble ${trouble.kind}`} role="alert">
      {isBelowResults ? <h3>{heading}</h3> : <h2 id="results-heading">{heading}</h2>}
      <p>{text}</p>
      {trouble.kind === 'failed' && trouble.requestId !== null && (
        <p class="request-id">
          {say.requestId}: <code>{trouble.requestId}</code> <CopyButton text={trouble.requestId} what={say.requestId} />
        </p>
      )}
      {trouble.kind !== 'refused' && (
        <button type="button" class="secondary" onClick={onRetry}>
          {say.retry}
        </button>
      )}
    </div>
  )
}

function toWords(trouble: Trouble, say: Strings, number: (value: number) => string): { heading: string; text: string } {
  switch (trouble.kind) {
    case 'refused': {
      const known = Object.entries(say.refusals).find(([code]) => code === trouble.problem.code)
      return { heading: say.refusedHeading, text: known?.[1] ?? say.refused }
    }
    case 'busy':
      return { heading: say.busyHeading, text: say.busy(number(trouble.seconds)) }
    case 'failed':
      return { heading: say.failedHeading, text: say.failed }
    case 'offline':
      return { heading: say.offlineHeading, text: say.offline }
  }
}

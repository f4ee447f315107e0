// When no answer could be had: what happened, what the reader can do, and what the page does by itself.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { useLocale } from './locale-context.ts'
import type { Failure } from './service.ts'
import type { Strings } from './strings.ts'

export interface FailureNoticeProps {
  readonly failure: Failure
  readonly onRetry: () => void
  /** Below results that are there already, it is not the heading of the whole. */
  readonly isBelowResults?: boolean
}

export function FailureNotice({ failure, onRetry, isBelowResults = false }: FailureNoticeProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  useEffect(() => {
    if (failure.kind === 'offline') {
      addEventListener('online', onRetry)
      return () => removeEventListener('online', onRetry)
    }
    if (failure.kind !== 'busy') return
    const wait = setTimeout(onRetry, failure.seconds * 1000)
    return () => clearTimeout(wait)
  }, [failure, onRetry])

  const { heading, text } = toWords(failure, strings, formatNumber)
  return (
    <div class={`failure ${failure.kind}`} role="alert">
      {isBelowResults ? <h3>{heading}</h3> : <h2 id="results-heading">{heading}</h2>}
      <p>{text}</p>
      {failure.kind === 'failed' && failure.requestId !== null && (
        <p class="request-id">
          {strings.requestId}: <code>{failure.requestId}</code>{' '}
          <CopyButton text={failure.requestId} what={strings.requestId} />
        </p>
      )}
      {failure.kind !== 'refused' && (
        <button type="button" class="secondary" onClick={onRetry}>
          {strings.retry}
        </button>
      )}
    </div>
  )
}

function toWords(
  failure: Failure,
  strings: Strings,
  formatNumber: (value: number) => string,
): { heading: string; text: string } {
  switch (failure.kind) {
    case 'refused': {
      const known = Object.entries(strings.refusals).find(([code]) => code === failure.problem.code)
      return { heading: strings.refusedHeading, text: known?.[1] ?? strings.refused }
    }
    case 'busy':
      return { heading: strings.busyHeading, text: strings.busy(formatNumber(failure.seconds)) }
    case 'failed':
      return { heading: strings.failedHeading, text: strings.failed }
    case 'offline':
      return { heading: strings.offlineHeading, text: strings.offline }
  }
}

// Shown when a request fails: what happened, and a button to try again. It retries by itself when the connection is
// restored or the service is no longer busy.
import type { JSX } from 'preact'
import { useEffect } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { useLocale } from './locale-context.ts'
import type { Failure } from './service.ts'
import type { Strings } from './strings.ts'

export interface FailureNoticeProps {
  readonly failure: Failure
  readonly onRetry: () => void
  /** The notice stands below results, whose heading stays the heading of the section. */
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
    const timer = setTimeout(onRetry, failure.retryAfterSeconds * 1000)
    return () => clearTimeout(timer)
  }, [failure, onRetry])

  const { heading, text } = toText(failure, strings, formatNumber)
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

function toText(
  failure: Failure,
  strings: Strings,
  formatNumber: (value: number) => string,
): { heading: string; text: string } {
  switch (failure.kind) {
    case 'refused': {
      const known = Object.entries(strings.refusals).find(([code]) => code === failure.code)
      return { heading: strings.refusedHeading, text: known?.[1] ?? strings.refused }
    }
    case 'busy':
      return { heading: strings.busyHeading, text: strings.busy(formatNumber(failure.retryAfterSeconds)) }
    case 'failed':
      return { heading: strings.failedHeading, text: strings.failed }
    case 'offline':
      return { heading: strings.offlineHeading, text: strings.offline }
  }
}

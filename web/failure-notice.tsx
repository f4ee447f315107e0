// Shown when a request fails: what happened and, unless the service refused the request, a link to try again. In the
// browser it tries again by itself: when the connection is restored, or after the time that the service asked for,
// which it counts down.
import type { JSX } from 'preact'
import { useEffect, useState } from 'preact/hooks'
import { CopyButton } from './copy-button.tsx'
import { FilterLink } from './filter-link.tsx'
import type { Locale } from './locale.ts'
import { problemTexts } from './problem-texts.ts'
import type { Failure } from './service.ts'
import { useLocale } from './site-context.ts'

export interface FailureNoticeProps {
  readonly failure: Failure
  /** The address that repeats the request without JavaScript. */
  readonly href: string
  readonly onRetry: () => void
  /** Whether the notice stands below results. If not, its heading is also the heading of the results section. */
  readonly isBelowResults?: boolean
}

export function FailureNotice({ failure, href, onRetry, isBelowResults = false }: FailureNoticeProps): JSX.Element {
  const locale = useLocale()
  const { strings, formatNumber } = locale
  const secondsLeft = useCountdown(failure, onRetry)
  useEffect(() => {
    if (failure.kind !== 'offline') return
    addEventListener('online', onRetry)
    return () => removeEventListener('online', onRetry)
  }, [failure, onRetry])

  const { heading, text } = toText(failure, locale)
  return (
    <div class={`failure ${failure.kind}`} role="alert">
      {isBelowResults ? <h3>{heading}</h3> : <h2 id="results-heading">{heading}</h2>}
      <p>{text}</p>
      {/* A screen reader announces only the first number: every second a new one would interrupt it. */}
      {secondsLeft !== null && (
        <p class="countdown" aria-live="off">
          {strings.retryIn(formatNumber(secondsLeft))}
        </p>
      )}
      {failure.kind === 'failed' && failure.requestId !== null && (
        <p class="request-id">
          {strings.requestId}: <code>{failure.requestId}</code>{' '}
          <CopyButton text={failure.requestId} what={strings.requestId} />
        </p>
      )}
      {/* A request that was refused would be refused again. */}
      {failure.kind !== 'refused' && (
        <FilterLink class="button secondary" href={href} onFollow={onRetry}>
          {strings.retry}
        </FilterLink>
      )}
    </div>
  )
}

/**
 * Counts down to 0 and then calls `onRetry`, which must be the same function at each rendering: another one starts the
 * countdown again. Returns the seconds left; null for a failure without a time.
 */
function useCountdown(failure: Failure, onRetry: () => void): number | null {
  // `busy` is an overloaded service (503), `limited` a client that has sent too many requests (429).
  const seconds = failure.kind === 'busy' || failure.kind === 'limited' ? failure.retryAfterSeconds : null
  const [secondsLeft, setSecondsLeft] = useState(seconds)
  useEffect(() => {
    setSecondsLeft(seconds)
    if (seconds === null) return
    const endsAt = Date.now() + seconds * 1000
    const timer = setInterval(() => {
      const left = Math.ceil((endsAt - Date.now()) / 1000)
      setSecondsLeft(Math.max(0, left))
      if (left > 0) return
      clearInterval(timer)
      onRetry()
    }, 1000)
    return () => clearInterval(timer)
  }, [failure, onRetry])
  return secondsLeft
}

function toText(failure: Failure, locale: Locale): { heading: string; text: string } {
  const { strings } = locale
  switch (failure.kind) {
    case 'refused':
      return { heading: strings.refusedHeading, text: toRefusal(failure.code, failure.parameter, locale) }
    case 'busy':
      return { heading: strings.busyHeading, text: strings.busy }
    case 'limited':
      return { heading: strings.limitedHeading, text: strings.limited }
    case 'failed':
      return {
        heading: strings.failedHeading,
        text: failure.requestId === null ? strings.failed : strings.failedWithId,
      }
    case 'offline':
      return { heading: strings.offlineHeading, text: strings.offline }
  }
}

/** Why the service refuses the search, by the code of the problem. A cursor has one text for all codes. */
function toRefusal(code: string | null, parameter: string | null, { language, strings }: Locale): string {
  // No user types a cursor, so a text such as "Text too long" would not help.
  const shownCode = parameter === 'cursor' ? 'malformed-cursor' : code
  return problemTexts[language][shownCode ?? ''] ?? strings.refused
}

// Shown when a request fails: what happened and, unless the service refused the request, a link to try again. The
// script tries again by itself (browser/failures.ts): when the connection is restored, or after the time that the
// service asked for, which it counts down.

import { CopyButton } from './copy-button.tsx'
import type { JSX } from './jsx-runtime.ts'
import type { Locale } from './locale.ts'
import { problemTexts } from './problem-texts.ts'
import type { Failure } from './search-result.ts'
import { useLocale } from './site-context.ts'

export interface FailureNoticeProps {
  readonly failure: Failure
  /** The address that repeats the request. */
  readonly href: string
}

/** When a busy page is tried again. */
export const retryAfterSeconds = 5

export function FailureNotice({ failure, href }: FailureNoticeProps): JSX.Element {
  const locale = useLocale()
  const { strings } = locale
  const { kind } = failure
  const { heading, text } = toText(failure, locale)
  return (
    <div class={`failure ${kind}`} role="alert" data-kind={kind}>
      <h2 id="results-heading">{heading}</h2>
      <p>{text}</p>
      {/* A screen reader announces only the first number: every second a new one would interrupt it. */}
      {(kind === 'busy' || kind === 'limited') && (
        <p class="countdown" aria-live="off" data-text={strings.retryIn('{}')} data-seconds={retryAfterSeconds} />
      )}
      {kind === 'failed' && (
        <p class="request-id">
          {strings.requestId}: <code /> <CopyButton text="" what={strings.requestId} />
        </p>
      )}
      {/* A request that was refused would be refused again. */}
      {kind !== 'refused' && (
        <a class="button secondary retry" href={href}>
          {strings.retry}
        </a>
      )}
    </div>
  )
}

function toText(failure: Failure, locale: Locale): { heading: string; text: string } {
  const { strings } = locale
  switch (failure.kind) {
    case 'refused':
      return { heading: strings.refusedHeading, text: toRefusal(failure.problem, locale) }
    case 'busy':
      return { heading: strings.busyHeading, text: strings.busy }
    case 'limited':
      return { heading: strings.limitedHeading, text: strings.limited }
    case 'failed':
      return { heading: strings.failedHeading, text: strings.failed }
    case 'offline':
      return { heading: strings.offlineHeading, text: strings.offline }
  }
}

/** Why the service refuses the search, by the code of the problem. A cursor has one text for all codes. */
function toRefusal(
  { code, parameter }: Extract<Failure, { kind: 'refused' }>['problem'],
  { language, strings }: Locale,
): string {
  // No user types a cursor, so a text such as "Text too long" would not help.
  const shownCode = parameter === 'cursor' ? 'malformed-cursor' : code
  return problemTexts[language][shownCode] ?? strings.refused
}

// Notices of failures. The server renders those of its own; for a failure of a request, the notice is in a template of
// the page. Both try again by themselves: when the connection is restored, or after a time that is counted down.

/** The notice for a response that is no page, or for no response (null). */
export function toFailureNotice(response: Response | null): HTMLElement {
  const template = document.querySelector<HTMLTemplateElement>(`#failure-${toKind(response)}`)
  const notice = template?.content.firstElementChild?.cloneNode(true) as HTMLElement
  const countdown = notice.querySelector<HTMLElement>('.countdown')
  const seconds = response?.headers.get('retry-after') ?? ''
  // 0 would repeat the request without a pause.
  if (countdown !== null && Number(seconds) > 0) countdown.dataset.seconds = seconds
  const id = response?.headers.get('x-request-id') ?? ''
  const shownId = notice.querySelector('.request-id code')
  if (shownId !== null) {
    shownId.textContent = id
    notice.querySelector<HTMLElement>('[data-copy]')?.setAttribute('data-copy', id)
    // A proxy gives no id.
    if (id === '') notice.querySelector('.request-id')?.remove()
  }
  return notice
}

function toKind(response: Response | null): string {
  if (response === null) return 'offline'
  if (response.status === 429) return 'limited'
  return response.status === 503 ? 'busy' : 'failed'
}

/** Calls `retry` once, as soon as it is worth it, or when the user follows the link of the notice. */
export function activateFailure(notice: HTMLElement, retry: () => void): void {
  const timer = startCountdown(notice, retryOnce)
  function retryOnce(): void {
    clearInterval(timer)
    removeEventListener('online', retryOnce)
    // A later search has replaced the notice.
    if (notice.isConnected) retry()
  }
  if (notice.dataset.kind === 'offline') addEventListener('online', retryOnce)
  notice.querySelector('.retry')?.addEventListener('click', (event) => {
    event.preventDefault()
    event.stopPropagation()
    retryOnce()
  })
}

function startCountdown(notice: HTMLElement, onEnd: () => void): ReturnType<typeof setInterval> | undefined {
  const countdown = notice.querySelector<HTMLElement>('.countdown')
  if (countdown === null) return undefined
  const { text = '', seconds = '' } = countdown.dataset
  const endsAt = Date.now() + Number(seconds) * 1000
  const show = (): void => {
    const left = Math.max(0, Math.ceil((endsAt - Date.now()) / 1000))
    countdown.textContent = text.replace('{}', String(left))
    if (left === 0) onEnd()
  }
  show()
  return setInterval(show, 1000)
}

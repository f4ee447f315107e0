// The buttons that copy a text. The clipboard API exists only on secure pages, and the browser may refuse it; then the
// older `execCommand` is used.
import { closest, textOf } from './page.ts'

/** How long a button says that its text was copied, or could not be. */
const confirmationMs = 2500

export function startCopying(): void {
  document.addEventListener('click', (event) => {
    const button = closest<HTMLButtonElement>(event, 'button[data-copy]')
    if (button !== null) void copyAndConfirm(button)
  })
}

async function copyAndConfirm(button: HTMLButtonElement): Promise<void> {
  const { copy = '', citation } = button.dataset
  const isCopied = await copyText(citation === 'true' ? `${copy} ${toDateOfAccess()}` : copy)
  const status = button.nextElementSibling
  const label = button.textContent
  const ariaLabel = button.getAttribute('aria-label') ?? ''
  if (status === null || label === textOf('copied')) return
  if (isCopied) {
    button.textContent = textOf('copied')
    // Without a label, a screen reader reads the text of the button: that it was copied.
    button.removeAttribute('aria-label')
  }
  status.textContent = textOf(isCopied ? 'copied' : 'notCopied')
  status.className = isCopied ? 'visually-hidden' : 'copy-failed'
  setTimeout(() => {
    button.textContent = label
    button.setAttribute('aria-label', ariaLabel)
    status.textContent = ''
    status.className = 'visually-hidden'
  }, confirmationMs)
}

/** `(consultado el 3 de marzo de 2004)`: the day as it is in Spain. */
function toDateOfAccess(): string {
  const locale = document.documentElement.lang === 'es' ? 'es-ES' : 'en-GB'
  const date = new Intl.DateTimeFormat(locale, { dateStyle: 'long', timeZone: 'Europe/Madrid' }).format()
  return textOf('accessed').replace('{}', date)
}

/** Returns whether the text was copied. */
async function copyText(text: string): Promise<boolean> {
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

// Searches on the start page without loading it again: fetches the part of the page that a search changes (`main`) from
// the server and puts it in place. Typed words are searched after a pause and share one entry of the history; a choice,
// such as a year, is searched at once and gets its own entry, so that Back undoes it. On other pages the form opens the
// start page.
import { makeBarsReachable } from './charts.ts'
import { activateFailure, toFailureNotice } from './failures.ts'
import { closest, isPlainClick, isSearchUrl, textOf, toFormUrl, toPartUrl } from './page.ts'

/** Words are searched when the user has not typed for this time. */
const typingPauseMs = 200
/** After this time the page says that the search takes longer than usual. */
const slowAfterMs = 4000
/** Scrolling loads at most this many further pages. After them only a click loads more: the footer can be reached. */
const automaticPagesMax = 3

/** How an entry of the history was made. The next typing replaces a typed entry, and never a chosen one. */
type Origin = 'typed' | 'chosen'

/** The start page at its own address; otherwise links and forms load pages as usual. */
let isStartPage = false
/** Runs the search after the pause in typing. */
let typingTimer: ReturnType<typeof setTimeout> | undefined
/** Aborts the requests of the search that is shown or loading. */
let currentRequests = new AbortController()
/** The address of the search that is shown or loading, without its fragment. */
let shownUrl = ''
/** How many pages scrolling may still load. */
let automaticPages = automaticPagesMax

export function startSearch(): void {
  isStartPage = find('#main') !== null && isSearchUrl(new URL(location.href))
  shownUrl = withoutHash(location.href)
  document.addEventListener('submit', handleSubmit)
  document.addEventListener('click', handleClick)
  document.addEventListener('input', handleInput)
  document.addEventListener('change', handleChange)
  if (!isStartPage) return
  addEventListener('popstate', () => {
    const url = new URL(location.href)
    // A link to a part of the page changes only the fragment.
    if (withoutHash(url.href) !== shownUrl) void show(url)
  })
  watchNextPage()
  searchEarlyInput()
}

/** Shows the search at the address, as a choice of the user. On another page, opens the start page. */
export function goTo(url: URL, origin: Origin = 'chosen'): void {
  clearTimeout(typingTimer)
  typingTimer = undefined
  url.search = url.searchParams.toString().replaceAll('+', '%20')
  if (!isStartPage) {
    location.assign(url)
    return
  }
  const isSame = withoutHash(url.href) === withoutHash(location.href)
  const isTyped = history.state?.origin === 'typed'
  if (isSame || (isTyped && origin === 'typed')) history.replaceState({ origin }, '', url)
  else history.pushState({ origin }, '', url)
  // Enter searches what is shown already only if that has failed.
  if (!isSame || find('#results .failure') !== null) void show(url, origin)
}

function handleSubmit(event: SubmitEvent): void {
  const form = event.target
  if (!(form instanceof HTMLFormElement) || form.getAttribute('action') !== './') return
  event.preventDefault()
  goTo(toFormUrl(form))
}

function handleClick(event: MouseEvent): void {
  const clear = closest<HTMLElement>(event, '[data-clears]')
  if (clear !== null) clearField(clear.dataset.clears ?? '')
  const link = closest<HTMLAnchorElement | SVGAElement>(event, 'a[href]')
  if (link === null || event.defaultPrevented || !isPlainClick(event)) return
  const url = new URL(link.getAttribute('href') ?? '', document.baseURI)
  const target = url.hash === '' ? null : find(url.hash)
  if (target !== null && (link.matches('.skip') || link.matches('.to-charts'))) {
    event.preventDefault()
    goToElement(target)
  } else if (isStartPage && isSearchUrl(url) && !link.matches('.language, [download]')) {
    event.preventDefault()
    if (link.matches('[rel=next]')) void loadMore(link as HTMLAnchorElement)
    else goTo(withPendingWords(url, link))
  }
}

/** Moves the focus to the element, which is opened if it is folded. */
function goToElement(target: HTMLElement): void {
  const fold = target.querySelector<HTMLDetailsElement>(':scope > details')
  if (fold !== null) fold.open = true
  target.scrollIntoView()
  ;(fold?.querySelector<HTMLElement>('summary') ?? target).focus({ preventScroll: true })
}

function clearField(id: string): void {
  const field = find<HTMLInputElement>(`#${id}`)
  if (field === null) return
  field.value = ''
  // The button disappears, and the focus would be lost with it.
  field.focus()
  if (isStartPage) field.form?.requestSubmit()
}

/** Links beside the results have the words that were searched; the user may have typed on since. */
function withPendingWords(url: URL, link: Element): URL {
  const words = find<HTMLInputElement>('#words')?.value ?? ''
  if (typingTimer === undefined || link.closest('#columns') === null) return url
  if (words.trim() === '') url.searchParams.delete('search')
  else url.searchParams.set('search', words)
  return url
}

function handleInput(event: Event): void {
  const field = closest<HTMLInputElement>(event, '#words')
  const form = field?.form ?? null
  if (!isStartPage || form === null) return
  clearTimeout(typingTimer)
  typingTimer = setTimeout(() => goTo(toFormUrl(form), 'typed'), typingPauseMs)
}

function handleChange(event: Event): void {
  const field = closest<HTMLInputElement | HTMLSelectElement>(event, '#year, .range input')
  // On other pages, emptying a field only changes the form.
  if (field !== null && (isStartPage || field.value !== '')) field.form?.requestSubmit()
}

/** Searches what was typed or chosen before the scripts arrived. */
function searchEarlyInput(): void {
  const words = find<HTMLInputElement>('#words')
  const municipality = find<HTMLInputElement>('#municipality:not(:focus)')
  const year = find<HTMLSelectElement>('#year')
  const defaultYear = Math.max(
    0,
    [...(year?.options ?? [])].findIndex((option) => option.defaultSelected),
  )
  const form = words?.form
  if (!form) return
  if (municipality !== null && municipality.value !== municipality.defaultValue) goTo(toFormUrl(form))
  else if (year !== null && year.selectedIndex !== defaultYear) goTo(toFormUrl(form))
  else if (words.value !== words.defaultValue) goTo(toFormUrl(form), 'typed')
}

/** Loads and shows the search at the address. What the user types meanwhile stays in the form. */
async function show(url: URL, origin?: Origin): Promise<void> {
  currentRequests.abort()
  currentRequests = new AbortController()
  const { signal } = currentRequests
  shownUrl = withoutHash(url.href)
  const values = readFields()
  setBusy(true)
  const slowTimer = setTimeout(() => announce(textOf('slow'), true), slowAfterMs)
  const loaded = await load(url, signal)
  clearTimeout(slowTimer)
  if (signal.aborted) return
  setBusy(false)
  if (loaded instanceof HTMLElement) {
    replaceMain(loaded, values, origin)
  } else {
    const notice = toFailureNotice(loaded)
    find('#results')?.replaceChildren(notice)
    announce('')
    restoreFocus(null)
  }
  const failure = find('#results > .failure')
  if (failure !== null) activateFailure(failure, () => void show(url, origin))
}

/** The `main` of the part at the address; the response if that is no such part; null without a response. */
async function load(url: URL, signal: AbortSignal): Promise<HTMLElement | Response | null> {
  try {
    const response = await fetch(toPartUrl('resultados', url), { signal, headers: { Accept: 'text/html' } })
    const part = new DOMParser().parseFromString(await response.text(), 'text/html')
    return part.querySelector<HTMLElement>('#main') ?? response
  } catch {
    return null
  }
}

function isBusy(): boolean {
  return find('#main')?.getAttribute('aria-busy') === 'true'
}

function setBusy(isSearching: boolean): void {
  find('#main')?.setAttribute('aria-busy', String(isSearching))
  if (isSearching) announce(textOf('searching'))
}

/** Says the text to screen readers; to all users if `isShown`. */
function announce(text: string, isShown = false): void {
  const element = find('#announcement')
  if (element === null) return
  element.className = isShown ? 'notice slow' : 'visually-hidden'
  element.textContent = text
}

/** The contents of the text fields. */
function readFields(): Map<string, string> {
  return new Map(['words', 'municipality'].map((id) => [id, find<HTMLInputElement>(`#${id}`)?.value ?? '']))
}

/** Puts the new content in place. `values` are the contents of the fields when it was requested. */
function replaceMain(next: HTMLElement, values: ReadonlyMap<string, string>, origin: Origin | undefined): void {
  const { title = '', address = '', announcement = '', compact } = next.dataset
  document.title = title
  // The address of a search that the user has made, in its shortest form. Back leads to addresses as they were.
  if (origin !== undefined) history.replaceState(history.state, '', address)
  shownUrl = withoutHash(location.href)
  const languageLink = find<HTMLAnchorElement>('.language')
  if (languageLink !== null) languageLink.href = toOtherLanguageUrl(address, languageLink.hreflang)
  const isCompact = compact === 'true'
  const masthead = find('#masthead')
  if (masthead?.classList.contains('compact') !== isCompact) {
    masthead?.classList.toggle('compact', isCompact)
    const fields = find<HTMLDetailsElement>('#more-fields')
    if (fields !== null && !fields.contains(document.activeElement)) fields.open = !isCompact
  }
  const wasBelow = (find('#results')?.getBoundingClientRect().top ?? 0) < 0
  const focused = document.activeElement
  const folds = [...document.querySelectorAll<HTMLDetailsElement>('#columns details')].map(({ id, open }) => ({
    id,
    open,
  }))
  for (const id of ['kept-filters', 'year-field', 'under-form', 'columns']) {
    const element = next.querySelector(`#${id}`)
    if (element !== null) find(`#${id}`)?.replaceWith(element)
  }
  for (const { id, open } of folds) find(`#${id}`)?.toggleAttribute('open', open)
  for (const [id, value] of values) {
    const field = find<HTMLInputElement>(`#${id}`)
    const nextField = next.querySelector<HTMLInputElement>(`#${id}`)
    // Words that are being typed stay as they are.
    const isTyped = field?.value !== value || (origin === 'typed' && field === focused)
    if (field !== null && nextField !== null && !isTyped) field.value = nextField.value
  }
  makeBarsReachable()
  restoreFocus(focused)
  announce(announcement)
  // The user has scrolled down, and would not see that the list has changed.
  if (wasBelow && origin === 'chosen') find('#results')?.scrollIntoView()
  automaticPages = automaticPagesMax
  watchNextPage()
}

/**
 * Gives the focus to the new element in the place of the one that had it, or else to the results. Otherwise users of
 * the keyboard and of screen readers would start again at the top of the page.
 */
function restoreFocus(focused: Element | null): void {
  if (document.activeElement !== document.body || focused === document.body) return
  const similar = focused === null ? null : findSimilar(focused)
  ;(similar ?? find('#results'))?.focus({ preventScroll: true })
}

function findSimilar(element: Element): HTMLElement | SVGElement | null {
  if (element.id !== '') return find(`#${element.id}`)
  const around = element.closest('[id]')?.id
  const candidates = document.querySelectorAll<HTMLElement>(`#${around} ${element.tagName}`)
  return [...candidates].find(({ textContent }) => textContent === element.textContent) ?? null
}

const nextPageObserver = new IntersectionObserver((entries) => {
  const link = find<HTMLAnchorElement>('#more a')
  if (link === null || isBusy() || !entries.some((entry) => entry.isIntersecting)) return
  automaticPages--
  void loadMore(link)
})

/** Loads the next page of the list when its link comes into view. */
function watchNextPage(): void {
  nextPageObserver.disconnect()
  const link = find('#more a')
  if (link !== null && automaticPages > 0) nextPageObserver.observe(link)
}

/** Adds the records of the next page to the list. */
async function loadMore(link: HTMLAnchorElement): Promise<void> {
  // While a new search runs, no further page of the old result is loaded.
  if (link.ariaDisabled === 'true' || isBusy()) return
  nextPageObserver.disconnect()
  const { signal } = currentRequests
  const label = link.textContent
  link.ariaDisabled = 'true'
  link.textContent = textOf('loadingMore')
  const loaded = await load(new URL(link.href), signal)
  if (signal.aborted) return
  const failure = loaded instanceof HTMLElement ? loaded.querySelector<HTMLElement>('#results > .failure') : null
  if (!(loaded instanceof HTMLElement) || failure !== null) {
    const notice = failure ?? toFailureNotice(loaded instanceof HTMLElement ? null : loaded)
    link.ariaDisabled = null
    link.textContent = label
    link.replaceWith(notice)
    activateFailure(notice, () => {
      notice.replaceWith(link)
      void loadMore(link)
    })
    return
  }
  const hadFocus = document.activeElement === link
  const added = loaded.querySelectorAll('#list > [data-group]')
  const [first] = [...added].map((group) => addGroup(group))
  const next = loaded.querySelector('#more')
  if (next !== null) find('#more')?.replaceWith(next)
  // Without a next page, such as after an update of the registry, the list ends.
  else find('#more')?.remove()
  if (hadFocus) first?.querySelector('a')?.focus({ preventScroll: true })
  watchNextPage()
}

/** Adds the records to the group with the same name, or the whole group. Returns the first new record. */
function addGroup(group: Element): Element | null {
  const first = group.querySelector('.record')
  const existing = find(`#list > [data-group=${group.getAttribute('data-group')}] > .records`)
  if (existing === null) find('#list')?.append(group)
  else existing.append(...group.querySelectorAll('.record'))
  return first
}

function toOtherLanguageUrl(address: string, language: string): string {
  const url = new URL(address, document.baseURI)
  url.searchParams.set('lang', language)
  return url.href.replaceAll('+', '%20')
}

function find<E extends Element = HTMLElement>(selector: string): E | null {
  return document.querySelector<E>(selector)
}

function withoutHash(href: string): string {
  return href.replace(/#.*/, '')
}

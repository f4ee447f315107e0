// What the scripts know of the page: its texts, which the server has written into it, and its addresses.

/** A text of the page that only scripts show (page-frame.tsx). */
export function textOf(name: 'searching' | 'slow' | 'loadingMore' | 'copied' | 'notCopied' | 'accessed'): string {
  return document.querySelector<HTMLElement>('#texts')?.dataset[name] ?? ''
}

/** Whether it is a click of the main button without a modifier key, which would open a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
}

/** Whether the address is that of the start page, with any search. */
export function isSearchUrl(url: URL): boolean {
  const base = new URL(document.baseURI)
  return url.origin === base.origin && (url.pathname === base.pathname || url.pathname === `${base.pathname}index.html`)
}

/** The address of the search in a form: without its empty fields, and with the earlier year first. */
export function toFormUrl(form: HTMLFormElement): URL {
  const url = new URL('./', document.baseURI)
  const from = form.querySelector<HTMLInputElement>('[name=checkin_from]')
  const to = form.querySelector<HTMLInputElement>('[name=checkin_to]')
  if (from && to && to.value !== '' && Number(from.value) > Number(to.value)) {
    ;[from.value, to.value] = [to.value, from.value]
  }
  for (const [name, value] of new FormData(form)) {
    if (typeof value === 'string' && value.trim() !== '') url.searchParams.append(name, value)
  }
  return url
}

/** The part of the page at an address that a script asks for: `resultados` or `municipios`, with its query. */
export function toPartUrl(path: string, { searchParams }: URL): string {
  return new URL(`${path}?${searchParams.toString().replaceAll('+', '%20')}`, document.baseURI).href
}

/** The element that the event came from, or the nearest one around it, that matches the selector. */
export function closest<E extends Element = HTMLElement>({ target }: Event, selector: string): E | null {
  return target instanceof Element ? target.closest<E>(selector) : null
}

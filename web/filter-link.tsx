// Link to another search. With JavaScript a plain click runs the search without reloading the page; the URL can still
// be copied or opened in a new tab.
import type { ComponentChildren, JSX } from 'preact'

export interface FilterLinkProps {
  readonly href: string
  /** Called for a plain click instead of loading `href`. */
  readonly onFollow: () => void
  readonly class?: string | undefined
  /** Read by screen readers instead of the children. */
  readonly label?: string | undefined
  /** Whether the current search includes what the link leads to, as a range of years includes one of its years. */
  readonly isCurrent?: boolean
  readonly children: ComponentChildren
}

export function FilterLink(props: FilterLinkProps): JSX.Element {
  const { href, onFollow, class: className, label, isCurrent = false, children } = props
  const current = isCurrent ? 'true' : undefined
  return (
    <a class={className} href={href} aria-label={label} aria-current={current} onClick={onPlainClick(onFollow)}>
      {children}
    </a>
  )
}

/** Handles a click on a link: a plain one calls `action` instead of following the link. */
export function onPlainClick(action: () => void): (event: MouseEvent) => void {
  return (event) => {
    if (!isPlainClick(event)) return
    event.preventDefault()
    action()
  }
}

/** Whether it is a click of the main button without a modifier key, which would open a new tab or window. */
export function isPlainClick(event: MouseEvent): boolean {
  return event.button === 0 && !event.ctrlKey && !event.metaKey && !event.shiftKey && !event.altKey
}

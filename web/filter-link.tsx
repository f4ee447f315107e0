// Link to another search. A plain click runs the search without reloading the page; the URL can still be copied or
// opened in a new tab.
import type { ComponentChildren, JSX } from 'preact'

export interface FilterLinkProps {
  readonly href: string
  readonly onFollow: () => void
  readonly class?: string
  readonly children: ComponentChildren
}

export function FilterLink({ href, onFollow, class: name, children }: FilterLinkProps): JSX.Element {
  const follow = (event: MouseEvent): void => {
    if (event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return
    event.preventDefault()
    onFollow()
  }
  return (
    <a class={name} href={href} onClick={follow}>
      {children}
    </a>
  )
}

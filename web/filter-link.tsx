// A link to another search of this page: followed without loading it again, yet a real address that can be opened
// in a new tab or copied.
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

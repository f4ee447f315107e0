// SVG icons. All are decorative and hidden from screen readers.
import type { JSX } from './jsx-runtime.ts'

/** The logo of the registry: parcels around a street. */
export function Logo(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" aria-hidden="true">
      <path d="M2 2h12v9H2zM2 14h12v16H2zM18 2h12v16H18zM18 21h12v9H18z" />
    </svg>
  )
}

export function CrossIcon(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3.5 3.5l9 9m0-9l-9 9" />
    </svg>
  )
}

export function SearchIcon(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M7 2.5a4.5 4.5 0 1 0 0 9 4.5 4.5 0 0 0 0-9zM10.4 10.4L14 14" />
    </svg>
  )
}

export function DocumentIcon(): JSX.Element {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M3.5 1.5h6l3 3v10h-9zM9.5 1.5v3h3M5.5 8h5M5.5 11h5" />
    </svg>
  )
}

export function ChevronIcon(): JSX.Element {
  return (
    <svg class="icon chevron" viewBox="0 0 16 16" aria-hidden="true">
      <path d="M4 6l4 4 4-4" />
    </svg>
  )
}

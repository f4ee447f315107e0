// Type of the one function that the page uses of this package.
declare module 'preact-render-to-string' {
  import type { VNode } from 'preact'
  export function renderToString(node: VNode): string
}

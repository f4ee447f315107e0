// A part of a page that the server renders after the rest of the page, and puts in the place of its placeholder
// (render-parts.tsx), so that it can serve other requests before each part. In the browser it is only its children.
import { type ComponentChildren, type Context, createContext, type JSX } from 'preact'
import { useContext } from 'preact/hooks'
import { LocaleContext, SiteContext, useLocale, useSite } from './site-context.ts'

/** The parts of one page, as `DeferredPart` adds them while the rest of the page is rendered. */
export interface PartList {
  /** The text that stands in the page where a part belongs. It is the same for all parts. */
  readonly placeholder: string
  /** In the order of the page. */
  readonly parts: JSX.Element[]
}

/** The list that collects the parts; null in the browser, where parts are rendered in their place. */
export const PartContext: Context<PartList | null> = createContext<PartList | null>(null)

export function DeferredPart({ children }: { readonly children: ComponentChildren }): JSX.Element {
  const list = useContext(PartContext)
  const locale = useLocale()
  const site = useSite()
  if (list === null) return <>{children}</>
  // The contexts are repeated, because the part is rendered outside the tree of the page.
  list.parts.push(
    <LocaleContext.Provider value={locale}>
      <SiteContext.Provider value={site}>{children}</SiteContext.Provider>
    </LocaleContext.Provider>,
  )
  return <>{list.placeholder}</>
}

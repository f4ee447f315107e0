// Preact context with the locale of the page.
import { type Context, createContext } from 'preact'
import { useContext } from 'preact/hooks'
import { type Locale, toLocale } from './locale.ts'

export const LocaleContext: Context<Locale> = createContext(toLocale('es'))

export function useLocale(): Locale {
  return useContext(LocaleContext)
}

// The texts of the desk stand in both languages where they are used, Spanish first.
import { inLanguage } from '../language.ts'

/** The text in the language of the desk. */
export function say(es: string, en: string): string {
  return inLanguage({ es, en })
}

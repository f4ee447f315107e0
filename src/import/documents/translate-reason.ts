// Why a document was not read, or a link is dead, in the language of the command.
import { toSpanishReason } from '../../domain/document-reason.ts'
import { currentLanguage } from '../../language.ts'

/** `reason` has the English sentences of domain/document-reason.ts. */
export function translateReason(reason: string): string {
  return currentLanguage() === 'es' ? toSpanishReason(reason) : reason
}

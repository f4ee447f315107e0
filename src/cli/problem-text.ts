// What the command `search` prints about a search that failed or found nothing, in the language of the command. A
// problem (RFC 9457) is the body of an error response; the response to a search that finds nothing is one too (404). An
// error without a problem is, for example, a failed connection.
import type { RegistryError, SearchFilters, WireProblem } from '../client/client.ts'
import { type RegistryErrorKind, toProblemCode } from '../client/error.ts'
import { toReason } from '../client/request.ts'
import { filterNames, toFlag } from '../domain/parameters.ts'
import { currentLanguage, t } from '../language.ts'
import { isProblemCode, problemKinds, toSentence } from '../problems.ts'

/** Says what is wrong with a search, or why it found nothing, and which terms or names the service suggests. */
export function describeProblem(problem: WireProblem, filters: SearchFilters): string {
  const { suggestions = [] } = problem
  const message = currentLanguage() === 'en' ? withFlags(problem) : toSpanish(problem, filters)
  // The English detail of some problems contains a suggestion already.
  if (suggestions.length === 0 || message.includes('did you mean')) return message
  return `${message} (${t`did you mean ${suggestions.join(', ')}?`})`
}

/** The flags whose name is not that of their parameter. */
const flagsByParameter: Readonly<Record<string, string>> = Object.fromEntries(
  filterNames.flatMap((name) => {
    const flag = toFlag(name)
    return flag === null || flag === name ? [] : [[name, `--${flag}`]]
  }),
)

/** Returns the English detail with the names of flags in place of those of parameters. */
function withFlags({ detail }: WireProblem): string {
  // What the user typed is in quotation marks. It stays as it is, even if it is a word such as `checkin_date`.
  return detail.replaceAll(/"(?:[^"\\]|\\.)*"|\w+/g, (text) => flagsByParameter[text] ?? text)
}

/** Says why a search failed. */
export function describeError(error: RegistryError, filters: SearchFilters): string {
  if (error.problem !== null) return describeProblem(error.problem, filters)
  // An error of the kind `problem` has a problem and was described above, but the compiler does not know it.
  if (currentLanguage() === 'en' || error.kind === 'problem') return error.message
  return spanishErrors[error.kind](error.url, toReason(error.cause ?? error))
}

/**
 * The Spanish text of a problem, after the flag that it is about; its English detail if a later version of the service
 * has a code unknown here.
 */
function toSpanish(problem: WireProblem, filters: SearchFilters): string {
  const { parameter = '' } = problem
  const code = toProblemCode(problem)
  if (!isProblemCode(code)) return problem.detail
  const sentence = toSentence(problemKinds[code].explanation.es).replace(/\.$/, '').replaceAll('`', '')
  /** The values that the user gave, by parameter. A filter has the name of its parameter; only `code` has another. */
  const values: Readonly<Record<string, string | number | undefined>> = { ...filters, cod_archivo: filters.code }
  const value = values[parameter]
  // The words to search for have no flag.
  if (value === undefined || parameter === 'search') return sentence
  return `${flagsByParameter[parameter] ?? `--${parameter}`} «${value}»: ${sentence}`
}

/** The reason is in English. */
const spanishErrors: Readonly<
  Record<Exclude<RegistryErrorKind, 'problem'>, (address: string, reason: string) => string>
> = {
  'invalid-address': (address) => `No se puede usar «${address}»: la dirección debe empezar por http: o https:`,
  unreachable: (address, reason) =>
    `No se puede acceder a ${address}: ${reason}; compruebe la dirección y que el servicio esté en marcha`,
  incomplete: (address, reason) => `La respuesta de ${address} ha llegado incompleta: ${reason}; inténtelo de nuevo`,
  // Only a call of `changes` ends with this error, so `search` does not get it.
  unexpected: (address) => `La respuesta de ${address} no es la de un registro; compruebe que sea su dirección base`,
}

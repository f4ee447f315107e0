// Examples for openapi.json, by operation and name: requests and responses (examples.json), and problems. They come
// from the bundled sample, so they are fictional. Tests send most of the requests to the sample and compare the
// responses; not those of `listMunicipalities`, which is shortened, and of `listChanges`, whose times are of an import.
import type { ParameterName } from '../domain/parameters.ts'
import type { ProblemCode } from '../problems.ts'
import { Problem, problemKinds } from '../problems.ts'
import file from './examples.json' with { type: 'json' }
import { recordParameters, toMalformedProblem } from './parameters.ts'
import { toUnknownParameterProblem } from './unknown-parameter.ts'

export interface Example {
  /** The parameters. */
  readonly request: Readonly<Partial<Record<ParameterName, string | number>>>
  /** If there is none, it is the problem whose code is the name of the example. */
  readonly response?: unknown
}

/** Every operation has the example `found`. */
export const examples: Readonly<Record<string, Readonly<Record<string, Example>>>> = file

/**
 * An example of a problem. The problems named here have the detail of a real response. The detail of any other problem
 * is its explanation.
 */
export function toExampleProblem(code: ProblemCode): Problem {
  switch (code) {
    case 'unknown-parameter':
      return toUnknownParameterProblem('checking_date', recordParameters)
    case 'malformed-year':
      return toMalformedProblem('checkin_date', '20x4')
    case 'no-match':
      return new Problem(code, 'No record contains "ornitorrinco"', { parameter: 'search' })
    case 'unknown-record':
      return new Problem(code, 'No record has the inscription code "05019-PU-20110520-999999"', {
        parameter: 'cod_archivo',
      })
    case 'unknown-municipality':
      return new Problem(code, 'No municipality with records is called "Avlia"; did you mean "Ávila"?', {
        parameter: 'municipality',
        suggestions: ['Ávila', 'Allín/Allin'],
      })
    default:
      return new Problem(code, problemKinds[code].explanation.en.replaceAll('`', ''))
  }
}

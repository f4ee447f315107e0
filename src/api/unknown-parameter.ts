// Makes the problem (400) for an unknown parameter, for parameters.ts. The problem lists the parameters of the address.
// It also suggests one of them, by synonym or by spelling, unless the name is a parameter of another address.
import { nearestWords } from '../domain/edit-cost.ts'
import type { OwnField } from '../domain/own-fields.ts'
import { type ParameterName, parameters } from '../domain/parameters.ts'
import { valueCharactersMax } from '../domain/query-limits.ts'
import { Problem, quote } from '../problems.ts'

/** `allowed` are the query parameters of the requested address; empty if it takes none. */
export function toUnknownParameterProblem(name: string, allowed: readonly ParameterName[]): Problem {
  // The name may have any length, and the problem repeats it, so it is cut. In the detail, `quote` cuts it.
  const shortName = name.slice(0, valueCharactersMax)
  const detail = `Cannot read ${quote(name)}: this address takes ${allowed.join(', ') || 'no parameters'}`
  if (allowed.length === 0) return new Problem('unknown-parameter', detail, { parameter: shortName })
  // Every address gives this hint: a client that sends a code wants one record, and only `record/` takes a code.
  if (name === 'cod_archivo') {
    return new Problem('unknown-parameter', `${detail}; put the code into the path: record/{cod_archivo}`, {
      parameter: shortName,
    })
  }
  // The name is a parameter of another address, so it is not a misspelling.
  if (Object.hasOwn(parameters, name)) return new Problem('unknown-parameter', detail, { parameter: shortName })
  const synonym = synonyms.get(name.toLowerCase())
  // Parameter names have underscores, so a hyphen is not counted as an error. Without a maximum distance, the nearest
  // one always exists.
  const [nearest = ''] = nearestWords(name.replaceAll('-', '_'), allowed)
  const suggestion = synonym !== undefined && allowed.includes(synonym) ? synonym : nearest
  return new Problem('unknown-parameter', `${detail}; did you mean ${suggestion}?`, {
    parameter: shortName,
    suggestions: [suggestion],
  })
}

/** The problem of a name that none of the office's own columns has. `parameter` is where the name stands. */
export function toUnknownFieldProblem(name: string, fields: readonly OwnField[], parameter: string): Problem {
  const names = nearestWords(
    name,
    fields.map((field) => field.name),
  )
  const known = names.length === 0 ? 'this registry has no fields' : `this registry has ${names.join(', ')}`
  return new Problem('unknown-field', `Cannot read the field ${quote(name)}: ${known}`, {
    parameter: parameter.slice(0, valueCharactersMax),
    suggestions: names.slice(0, suggestionsMax),
  })
}

const suggestionsMax = 5

/** Names that other services use for these parameters. Edit distance does not find most of them. */
const synonyms: ReadonlyMap<string, ParameterName> = new Map(
  Object.entries(parameters).flatMap(([name, { synonyms: others = [] }]) =>
    others.map((other) => [other, name as ParameterName]),
  ),
)

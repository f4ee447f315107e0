// The file of `--plan`: what an import repeats every night, as the desk saves it. It is a JSON object with `sources` and
// the flags of `import` by name; `mapping` and `fields` may be objects. Paths in it are relative to the file.
import { dirname, isAbsolute, join } from 'node:path'
import { settings } from '../cli/commands.ts'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { placeholders, type Setting } from '../cli/setting.ts'
import { nearestWords } from '../domain/edit-cost.ts'
import { t } from '../language.ts'
import { isSqliteAddress, toFilePath } from '../registry/open.ts'
import { readJsonFile } from './files.ts'
import { parseMapping } from './rows/mapping.ts'
import { toQuoted } from './rows/quote.ts'
import { describeJsonFault } from './sources/json-text.ts'
import { isPostgresAddress } from './sources/open.ts'

/** What a plan says. The values are texts as on the command line, with the paths as seen from the current folder. */
export interface PlanFile {
  readonly sources: readonly string[]
  /** By flag; a switch that is on has no text. */
  readonly values: ReadonlyMap<string, readonly string[]>
}

/** The flags that a plan may have: all but those that change what a single run does. */
const plannedSettings: readonly Setting[] = settings.filter(
  ({ flag, commands }) =>
    commands.includes('import') && !['plan', 'inspect', 'write-mapping', 'dry-run', 'lang'].includes(flag),
)
const repeatableFlags: readonly string[] = ['allow-host']
const plannedNames: readonly string[] = ['sources', ...plannedSettings.map(({ flag }) => flag)]

/**
 * The invocation with the values of its plan. A flag of the command line wins over the plan, and the plan over an
 * environment variable; sources on the command line replace those of the plan. Throws `UsageFault`.
 */
export async function withPlan(invocation: Invocation): Promise<Invocation> {
  const path = invocation.value('plan')
  if (path === undefined) return invocation
  const { sources, values } = parsePlan(await readPlanText(path), path)
  const find = (flag: string): readonly string[] | undefined => (invocation.isFlag(flag) ? undefined : values.get(flag))
  return {
    ...invocation,
    positionals: invocation.positionals.length > 0 ? invocation.positionals : sources,
    value: (flag) => find(flag)?.at(-1) ?? invocation.value(flag),
    values: (flag) => find(flag) ?? invocation.values(flag),
    isEnabled: (flag) => values.has(flag) || invocation.isEnabled(flag),
    isGiven: (flag) => values.has(flag) || invocation.isGiven(flag),
    nameOf: (flag) => (find(flag) === undefined ? invocation.nameOf(flag) : t`"${flag}" of the plan ${path}`),
  }
}

/** Throws `UsageFault` if the file cannot be read. */
export async function readPlanText(path: string): Promise<string> {
  const { text, problem } = await readJsonFile(path)
  if (problem !== undefined) throw toFault(path, problem)
  return text
}

/** `path` is that of the file, to which the paths in it are relative. Throws `UsageFault` if the text is not a plan. */
export function parsePlan(text: string, path: string): PlanFile {
  const entries = parseEntries(text, path)
  let sources: readonly string[] = []
  const values = new Map<string, readonly string[]>()
  for (const [name, value] of entries) {
    if (name === 'sources') {
      if (!isTextList(value) || value.length === 0) throw toFault(path, t`${name}: expected a list of texts`)
      sources = value.map((source) => toPathFrom(path, source))
      continue
    }
    const setting = plannedSettings.find(({ flag }) => flag === name)
    if (setting === undefined) {
      const [nearest = ''] = nearestWords(name, plannedNames)
      throw toFault(path, t`there is no setting ${toQuoted(name)}; did you mean ${nearest}?`)
    }
    if (setting.placeholder === undefined) {
      if (typeof value !== 'boolean') throw toFault(path, t`${name}: expected true or false`)
      if (value) values.set(name, [])
    } else values.set(name, toTexts(setting, value, path))
  }
  return { sources, values }
}

function parseEntries(text: string, path: string): [name: string, value: unknown][] {
  const example = t`expected an object such as {"sources": ["records.xlsx"]}`
  let parsed: unknown
  try {
    parsed = JSON.parse(text)
  } catch (error) {
    throw toFault(path, `${describeJsonFault(text, error)}; ${example}`)
  }
  if (!isObject(parsed)) throw toFault(path, example)
  return Object.entries(parsed)
}

/** The texts of a flag that takes a value, as the command line would have them. */
function toTexts({ flag, placeholder }: Setting, value: unknown, path: string): readonly string[] {
  if (isObject(value) && (flag === 'mapping' || flag === 'fields')) {
    // Parsed only for its faults, whose messages then name this file.
    parseMapping(JSON.stringify(flag === 'fields' ? { fields: value } : value), path)
    return [JSON.stringify(value)]
  }
  if (repeatableFlags.includes(flag)) {
    if (!isTextList(value)) throw toFault(path, t`${flag}: expected a list of texts`)
    return value
  }
  if (typeof value === 'number') return [String(value)]
  if (typeof value !== 'string' || value === '') throw toFault(path, t`${flag}: expected a text`)
  const isPath = placeholder === placeholders.file || placeholder === placeholders.directory || flag === 'database'
  return [isPath && !value.trimStart().startsWith('{') ? toPathFrom(path, value) : value]
}

/** A source or path in the plan, as seen from the current folder. Addresses and `-` stay as they are. */
function toPathFrom(planPath: string, value: string): string {
  if (value === '-' || isPostgresAddress(value) || /^https?:/i.test(value)) return value
  if (isSqliteAddress(value)) return `sqlite:${toPathFrom(planPath, toFilePath(value))}`
  return isAbsolute(value) ? value : join(dirname(planPath), value)
}

function toFault(path: string, problem: string): UsageFault {
  return new UsageFault(t`Cannot read plan ${path}: ${problem}`)
}

function isObject(value: unknown): value is object {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

function isTextList(value: unknown): value is string[] {
  return Array.isArray(value) && value.every((each) => typeof each === 'string' && each !== '')
}

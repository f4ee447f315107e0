// What a setting of the commands is, and how its value is read. The tables are in commands.ts, serve-settings.ts and
// import-settings.ts; config.ts parses the command line by them.
import { currentLanguage, t, translate } from '../language.ts'

/** A setting of one or several commands, given by flag or environment variable. */
export interface Setting {
  /** Long flag without the dashes. */
  readonly flag: string
  /** Another name of the flag. */
  readonly otherFlag?: string
  /** Environment variable that sets the same value. */
  readonly variable?: string
  /** Stands for the value in help texts, such as `FILE`. Absent for a switch, which takes no value. */
  readonly placeholder?: string
  readonly default?: string
  /** What the setting does, for `--help` and the completion scripts. */
  readonly meaning: string
  /** `--help` prints this after the meaning. */
  readonly details?: string
  /** Meaning and details in Spanish; those of other settings are in src/es.json. */
  readonly spanish?: string
  readonly spanishDetails?: string
  /** The commands that take the flag. */
  readonly commands: readonly CommandName[]
}

/** Meaning and details in the language of the user; details may be empty. */
export function describeSetting(setting: Setting): { meaning: string; details: string } {
  const { meaning, details = '', spanish, spanishDetails } = setting
  if (currentLanguage() === 'en') return { meaning, details }
  return { meaning: spanish ?? translate(meaning), details: spanishDetails ?? translate(details) }
}

export type CommandName = 'serve' | 'import' | 'search' | 'check' | 'sample' | 'mcp' | 'completion'

/** The flags and operands of a command, with the environment. */
export interface Invocation {
  readonly command: CommandName
  readonly positionals: readonly string[]
  /** The value of a setting: the flag's, else the variable's, else the default. Of a repeated flag, the last value. */
  value(flag: string): string | undefined
  /** All values of a repeatable flag; else the variable's or the default; empty if there is none. */
  values(flag: string): readonly string[]
  /**
   * Whether a switch is given or its variable is true. Throws a `UsageFault` if the variable is neither true nor false.
   */
  isEnabled(flag: string): boolean
  /** Whether the user set a value by flag or by variable. A switch has no value; for it, use `isEnabled`. */
  isGiven(flag: string): boolean
  /** The name for error messages: the variable if the setting has one and the flag was not given, else the flag. */
  nameOf(flag: string): string
  /** The names of given settings that have no effect any more (`goneSettings`). */
  readonly gone: readonly string[]
}

/** Wrong usage. main.ts prints the message on one line and exits with status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

/** Parses a setting as a whole number from `min` to `max`. Returns undefined if the setting has no value. */
export function parseWholeNumber(invocation: Invocation, flag: string, min: number, max: number): number | undefined {
  const text = invocation.value(flag)
  if (text === undefined) return undefined
  // 15 digits are always exact as a JavaScript number.
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw toMalformedError(invocation, flag, t`a whole number from ${String(min)} to ${String(max)}`)
}

/** The error for a value of the wrong form. `expected` describes the right form: `a path such as /registry`. */
export function toMalformedError(invocation: Invocation, flag: string, expected: string): UsageFault {
  const got = invocation.value(flag) ?? ''
  return new UsageFault(t`Cannot read ${invocation.nameOf(flag)}: expected ${expected}, got "${got}"`)
}

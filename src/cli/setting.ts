// What a setting of the commands is, and how its value is read. The tables are in commands.ts, serve-settings.ts and
// import-settings.ts; config.ts parses the command line by them.
import type { BilingualText } from '../domain/parameters.ts'
import { t } from '../language.ts'

export type CommandName = 'serve' | 'import' | 'search' | 'check' | 'sample' | 'mcp' | 'desk'

/** A setting of one or several commands, given by flag or environment variable. */
export interface Setting {
  /** Long flag without the dashes. */
  readonly flag: string
  /** Another name of the flag. */
  readonly otherFlag?: string
  /** Environment variable that sets the same value. */
  readonly variable?: string
  /** Stands for the value in help texts. Absent for a switch, which takes no value. */
  readonly placeholder?: BilingualText
  readonly default?: string
  /** What the setting does, for `--help` and the tables of the documents. */
  readonly meaning: BilingualText
  /** `--help` prints this after the meaning. */
  readonly details?: BilingualText
  /** The commands that take the flag. */
  readonly commands: readonly CommandName[]
}

/** Reads the value of a flag. Throws a `UsageFault` if it is malformed. */
export type Read<Value> = (invocation: Invocation, flag: string) => Value

/** An entry of a table of settings. By default, a switch is read as a boolean, and any other setting as a text. */
type Entry<Value> = Partial<Setting> & { readonly meaning: BilingualText } & (boolean extends Value
    ? { readonly placeholder?: never }
    : { readonly placeholder: BilingualText } & (string extends Value
        ? { readonly read?: Read<Value> }
        : { readonly read: Read<Value> }))

/** A table of settings, in the order of `--help`. */
export interface SettingTable<Values> {
  readonly list: readonly Setting[]
  /** The values of all settings of the table. Throws a `UsageFault` if one is malformed. */
  readonly read: (invocation: Invocation) => Values
}

/**
 * The entries are by the name of their value. The flag is that name with hyphens, if the entry gives no other.
 * `commands` are those that take the settings, except where an entry names others.
 */
export function declareSettings<Values>(
  commands: readonly CommandName[],
  table: { readonly [Name in keyof Values]-?: Entry<Values[Name]> },
): SettingTable<Values> {
  const entries = Object.entries<Partial<Setting> & { meaning: BilingualText; read?: Read<unknown> }>(table)
  const named = entries.map(([name, { read, ...entry }]) => {
    const flag = name.replaceAll(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
    const setting: Setting = { flag, commands, ...entry }
    return { name, setting, read: read ?? (entry.placeholder === undefined ? readSwitch : readText) }
  })
  return {
    list: named.map(({ setting }) => setting),
    read: (invocation) =>
      Object.fromEntries(named.map(({ name, setting, read }) => [name, read(invocation, setting.flag)])) as Values,
  }
}

const readSwitch: Read<boolean> = (invocation, flag) => invocation.isEnabled(flag)
const readText: Read<string | undefined> = (invocation, flag) => invocation.value(flag)
export const readTexts: Read<readonly string[]> = (invocation, flag) => invocation.values(flag)

/** A setting without default that is a whole number from `min` to `max`. */
export function optionalNumber(min: number, max: number): Read<number | undefined> {
  return (invocation, flag) =>
    invocation.value(flag) === undefined ? undefined : parseNumber(invocation, flag, min, max)
}

/** A setting with a default that is a whole number from `min` to `max`. */
export function wholeNumber(min: number, max: number): Read<number> {
  return (invocation, flag) => parseNumber(invocation, flag, min, max)
}

function parseNumber(invocation: Invocation, flag: string, min: number, max: number): number {
  const text = invocation.value(flag) ?? ''
  // 15 digits are always exact as a JavaScript number.
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw toMalformedError(invocation, flag, t`a whole number from ${String(min)} to ${String(max)}`)
}

/** A setting with a default that is one of these words. */
export function oneOf<const Word extends string>(words: readonly Word[]): Read<Word> {
  return (invocation, flag) => {
    const word = words.find((each) => each === invocation.value(flag))
    if (word !== undefined) return word
    throw toMalformedError(invocation, flag, t`one of ${words.join(', ')}`)
  }
}

/** What stands for a value in several help texts. */
export const placeholders: Readonly<Record<PlaceholderName, BilingualText>> = {
  address: { en: 'ADDRESS', es: 'DIRECCIÓN' },
  directory: { en: 'DIR', es: 'CARPETA' },
  file: { en: 'FILE', es: 'ARCHIVO' },
  name: { en: 'NAME', es: 'NOMBRE' },
  number: { en: 'NUMBER', es: 'NÚMERO' },
  path: { en: 'PATH', es: 'RUTA' },
  share: { en: 'SHARE', es: 'PORCENTAJE' },
  text: { en: 'TEXT', es: 'TEXTO' },
  url: { en: 'URL', es: 'URL' },
}

type PlaceholderName = 'address' | 'directory' | 'file' | 'name' | 'number' | 'path' | 'share' | 'text' | 'url'

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
  /** Whether the flag itself is on the command line. */
  isFlag(flag: string): boolean
  /** The name for error messages: the variable if the setting has one and the flag was not given, else the flag. */
  nameOf(flag: string): string
  /** The names of given settings that have no effect any more (`goneSettings`). */
  readonly gone: readonly string[]
}

/** Wrong usage. main.ts prints the message on one line and exits with status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

/** The error for a value of the wrong form. `expected` describes the right form: `a path such as /registry`. */
export function toMalformedError(invocation: Invocation, flag: string, expected: string): UsageFault {
  const got = invocation.value(flag) ?? ''
  return new UsageFault(t`Cannot read ${invocation.nameOf(flag)}: expected ${expected}, got "${got}"`)
}

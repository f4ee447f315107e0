// Parses the flags of a command and the environment by the tables in commands.ts. No other file of the service reads
// process.env. A switch is a flag without a value.
import { parseArgs } from 'node:util'
import { nearestWords } from '../analysis/nearest.ts'
import { type Language, t, translate } from '../language.ts'
import { type CommandName, commands, type Setting, settings } from './commands.ts'

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
}

/** Wrong usage. main.ts prints the message on one line and exits with status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

/**
 * Throws a `UsageFault` if the command does not take a flag or an operand, if a flag lacks its value, or if a switch
 * has one.
 */
export function parseInvocation(command: CommandName, args: readonly string[]): Invocation {
  const knownSettings = settings.filter((setting) => setting.commands.includes(command))
  /** The flags as `parseArgs` of Node expects them. With `multiple`, the value of a flag is an array. */
  const options = Object.fromEntries(
    knownSettings.map((setting) => [
      setting.flag,
      { type: setting.placeholder === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const {
    values: flagValues,
    positionals,
    tokens,
  } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    // `checkFlag` rejects unknown flags instead, with a suggestion.
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'option') checkFlag(command, knownSettings, token)
  }
  checkOperands(command, positionals)
  const findSetting = (flag: string): Setting | undefined => knownSettings.find((each) => each.flag === flag)
  const readVariable = (flag: string): string | undefined => {
    const variable = findSetting(flag)?.variable
    return variable === undefined ? undefined : process.env[variable]
  }
  /** The values that the user gave, without the default. A variable that is empty counts as not given. */
  const givenValues = (flag: string): string[] => {
    const fromFlag = flagValues[flag]
    // For a switch `parseArgs` gives `true` instead of a text. It is left out, so `isGiven` is false for a switch.
    if (Array.isArray(fromFlag)) return fromFlag.filter((value) => typeof value === 'string')
    const fromVariable = readVariable(flag) ?? ''
    return fromVariable === '' ? [] : [fromVariable]
  }
  const valuesOrDefault = (flag: string): string[] => {
    const given = givenValues(flag)
    const defaultValue = findSetting(flag)?.default
    return given.length > 0 || defaultValue === undefined ? given : [defaultValue]
  }
  return {
    command,
    positionals,
    value: (flag) => valuesOrDefault(flag).at(-1),
    values: valuesOrDefault,
    isEnabled: (flag) => flagValues[flag] !== undefined || isSwitchedOn(findSetting(flag)?.variable),
    isGiven: (flag) => givenValues(flag).length > 0,
    nameOf: (flag) => {
      const variable = findSetting(flag)?.variable
      const isFromVariable = flagValues[flag] === undefined && variable !== undefined && process.env[variable]
      return isFromVariable ? variable : `--${flag}`
    },
  }
}

/**
 * The language of messages: the value of `--lang`, or the language of the locale. It is read before the other flags are
 * parsed, because parsing them may fail with a message.
 */
export function languageOf(args: readonly string[]): Language {
  const index = args.findLastIndex((arg) => arg === '--lang' || arg.startsWith('--lang='))
  if (index === -1) return languageOfLocale()
  // The value follows in the same argument (`--lang=es`) or in the next one (`--lang es`).
  const given = args[index]?.split('=')[1] ?? args[index + 1]
  // If `--lang` is the last argument, `parseInvocation` reports that its value is missing.
  if (given === undefined) return languageOfLocale()
  if (given === 'es' || given === 'en') return given
  throw new UsageFault(t`Cannot read --lang: expected es or en, got "${given}"`)
}

/** The language of the user's locale. As in POSIX, an empty variable counts as absent. */
export function languageOfLocale(): Language {
  const { LC_ALL, LC_MESSAGES, LANG } = process.env
  const locale = LC_ALL || LC_MESSAGES || LANG || navigator.language
  return locale.startsWith('es') ? 'es' : 'en'
}

/** A flag as `parseArgs` reports it. */
interface OptionToken {
  readonly name: string
  /** The name as written, with its dashes. */
  readonly rawName: string
  readonly value: string | undefined
  /** Whether the value is written after `=`. */
  readonly inlineValue: boolean | undefined
}

/** Throws if the command has no such flag, or if the flag lacks its value or has one that it does not take. */
function checkFlag(command: CommandName, knownSettings: readonly Setting[], token: OptionToken): void {
  const setting = knownSettings.find((each) => each.flag === token.name)
  if (setting === undefined) {
    const flags = knownSettings.map((each) => each.flag)
    const [nearest] = nearestWords(token.name, flags, toDistanceMax(token.name))
    const hint = nearest === undefined ? t`see planning-registry ${command} --help` : t`did you mean --${nearest}?`
    throw new UsageFault(t`Cannot read ${token.rawName}: ${command} has no such flag; ${hint}`)
  }
  if (setting.placeholder === undefined && token.value !== undefined) {
    throw new UsageFault(t`Cannot read ${token.rawName}=${token.value}: ${token.rawName} takes no value`)
  }
  // In `--port --host x` the value of --port is missing, but parseArgs takes `--host` as its value.
  const isNextFlag = token.inlineValue !== true && token.value?.startsWith('--') === true
  const isValueMissing = (token.value ?? '') === '' || isNextFlag
  if (setting.placeholder !== undefined && isValueMissing) {
    throw new UsageFault(
      t`Cannot read ${token.rawName}: it needs a value, as in ${token.rawName} ${translate(setting.placeholder)}`,
    )
  }
}

/** Throws if the command takes no operands and there is one. */
function checkOperands(command: CommandName, [firstOperand]: readonly string[]): void {
  const operands = commands.find((each) => each.name === command)?.operands
  if (operands === undefined && firstOperand !== undefined) {
    throw new UsageFault(
      t`Cannot read "${firstOperand}": ${command} takes only flags; see planning-registry ${command} --help`,
    )
  }
}

/** How many edits a misspelling of the word may have: one for every three letters, rounded up. */
export function toDistanceMax(word: string): number {
  return Math.ceil(word.length / 3)
}

/** Whether the user wants colours: any value of NO_COLOR but an empty one turns them off (https://no-color.org). */
export function isColourWanted(): boolean {
  return (process.env.NO_COLOR ?? '') === ''
}

/** Whether systemd waits for messages of this process, sd_notify(3). */
export function hasNotifySocket(): boolean {
  return (process.env.NOTIFY_SOCKET ?? '') !== ''
}

/** Whether the value of an environment variable turns a switch on. */
function isSwitchedOn(variable: string | undefined): boolean {
  const value = variable === undefined ? undefined : process.env[variable]
  if (variable === undefined || value === undefined || value === '') return false
  const isOn = switchValues.get(value.toLowerCase())
  if (isOn !== undefined) return isOn
  const expected = t`one of ${[...switchValues.keys()].join(', ')}`
  throw new UsageFault(t`Cannot read ${variable}: expected ${expected}, got "${value}"`)
}

const switchValues: ReadonlyMap<string, boolean> = new Map([
  ['1', true],
  ['true', true],
  ['yes', true],
  ['0', false],
  ['false', false],
  ['no', false],
])

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

/** Whether the output shows bold text and links: a terminal, with neither NO_COLOR nor TERM=dumb. */
export function supportsStyle(output: { readonly isTTY?: boolean }): boolean {
  return output.isTTY === true && isColourWanted() && process.env.TERM !== 'dumb'
}

// Parses the flags of a command and the environment by the tables in commands.ts. No other file of the service reads
// process.env. A switch is a flag without a value.
import { parseArgs } from 'node:util'
import { nearestWords } from '../domain/edit-cost.ts'
import { inLanguage, type Language, t } from '../language.ts'
import { commands, goneSettings, settings } from './commands.ts'
import { type CommandName, type Invocation, type Setting, UsageFault } from './setting.ts'

export { type Invocation, UsageFault } from './setting.ts'

/**
 * Throws a `UsageFault` if the command does not take a flag or an operand, if a flag lacks its value, or if a switch
 * has one.
 */
export function parseInvocation(command: CommandName, args: readonly string[]): Invocation {
  const isOfCommand = (setting: Setting): boolean => setting.commands.includes(command)
  const knownSettings = [...settings, ...goneSettings].filter(isOfCommand)
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
    args: args.map((arg) => toMainFlag(arg, knownSettings)),
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
  const nameOf = (flag: string): string => {
    const variable = findSetting(flag)?.variable
    const isFromVariable = flagValues[flag] === undefined && variable !== undefined && process.env[variable]
    return isFromVariable ? variable : `--${flag}`
  }
  const gone = goneSettings.map(({ flag }) => flag).filter((flag) => givenValues(flag).length > 0)
  return {
    command,
    positionals,
    value: (flag) => valuesOrDefault(flag).at(-1),
    values: valuesOrDefault,
    isEnabled: (flag) => flagValues[flag] !== undefined || isSwitchedOn(findSetting(flag)?.variable),
    isGiven: (flag) => givenValues(flag).length > 0,
    isFlag: (flag) => flagValues[flag] !== undefined,
    nameOf,
    gone: gone.map(nameOf),
  }
}

/** The argument with the main name of its flag: `--title=Planes` for `--dataset-title=Planes`. */
function toMainFlag(arg: string, knownSettings: readonly Setting[]): string {
  const [name, ...value] = arg.split('=')
  const setting = knownSettings.find(({ otherFlag }) => name === `--${otherFlag}`)
  return setting === undefined ? arg : [`--${setting.flag}`, ...value].join('=')
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
      t`Cannot read ${token.rawName}: it needs a value, as in ${token.rawName} ${inLanguage(setting.placeholder)}`,
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

/** Whether the output shows bold text and links: a terminal, with neither NO_COLOR nor TERM=dumb. */
export function supportsStyle(output: { readonly isTTY?: boolean }): boolean {
  return output.isTTY === true && isColourWanted() && process.env.TERM !== 'dumb'
}

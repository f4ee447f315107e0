// Parses the command line and the environment by the tables in commands.ts. No other file reads process.env.
import { parseArgs } from 'node:util'
import { nearestWords } from '../analysis/nearest.ts'
import { type CommandName, commands, type Setting, settings } from './commands.ts'

export interface Invocation {
  readonly command: CommandName
  readonly positionals: readonly string[]
  /** The value of a setting: the flag's, else the variable's, else the default. */
  text(flag: string): string | undefined
  isOn(flag: string): boolean
  /** All values of a repeatable flag. */
  texts(flag: string): readonly string[]
  /** Whether the user set a value by flag or by variable. */
  isGiven(flag: string): boolean
  /** The name for error messages: the flag if it was given, else the variable. */
  nameOf(flag: string): string
}

/** Wrong usage. main.ts prints the message on one line and exits with status 2. */
export class UsageFault extends Error {
  override readonly name = 'UsageFault'
}

export function parseInvocation(command: CommandName, args: readonly string[]): Invocation {
  const known = settings.filter((setting) => setting.commands.includes(command))
  const options = Object.fromEntries(
    known.map((setting) => [
      setting.flag,
      { type: setting.value === undefined ? ('boolean' as const) : ('string' as const), multiple: true },
    ]),
  )
  const { values, positionals, tokens } = parseArgs({
    args: [...args],
    options,
    allowPositionals: true,
    strict: false,
    tokens: true,
  })
  for (const token of tokens) {
    if (token.kind === 'option') checkFlag(command, known, token)
  }
  const operands = commands.find((each) => each.name === command)?.operands
  const [first] = positionals
  if (operands === undefined && first !== undefined) {
    throw new UsageFault(`Cannot read "${first}": ${command} takes only flags; see planning-registry ${command} --help`)
  }
  const findSetting = (flag: string): Setting | undefined => known.find((each) => each.flag === flag)
  const givenTexts = (flag: string): string[] => {
    const flagValues = values[flag]
    if (Array.isArray(flagValues)) return flagValues.filter((value) => typeof value === 'string')
    const variable = findSetting(flag)?.variable
    const variableValue = variable === undefined ? undefined : process.env[variable]
    return variableValue === undefined || variableValue === '' ? [] : [variableValue]
  }
  const texts = (flag: string): string[] => {
    const given = givenTexts(flag)
    const defaultValue = findSetting(flag)?.default
    return given.length > 0 || defaultValue === undefined ? given : [defaultValue]
  }
  return {
    command,
    positionals,
    text: (flag) => texts(flag).at(-1),
    isOn: (flag) => {
      const variable = findSetting(flag)?.variable
      return values[flag] !== undefined || (variable !== undefined && isTrue(process.env[variable]))
    },
    texts,
    isGiven: (flag) => givenTexts(flag).length > 0,
    nameOf: (flag) => (values[flag] === undefined ? findSetting(flag)?.variable : undefined) ?? `--${flag}`,
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

/** Throws if the command has no such flag, or if the flag lacks its value or has one that it does not take. */
function checkFlag(command: CommandName, known: readonly Setting[], token: OptionToken): void {
  const setting = known.find((each) => each.flag === token.name)
  if (setting === undefined) {
    const flags = known.map((each) => each.flag)
    const [nearest] = nearestWords(token.name, flags, Math.ceil(token.name.length / 3))
    const hint = nearest === undefined ? `see planning-registry ${command} --help` : `did you mean --${nearest}?`
    throw new UsageFault(`Cannot read ${token.rawName}: ${command} has no such flag; ${hint}`)
  }
  if (setting.value === undefined && token.value !== undefined) {
    throw new UsageFault(`Cannot read ${token.rawName}=${token.value}: ${token.rawName} takes no value`)
  }
  const isMissing = (token.value ?? '') === '' || (token.inlineValue !== true && token.value?.startsWith('--'))
  if (setting.value !== undefined && isMissing) {
    throw new UsageFault(`Cannot read ${token.rawName}: it needs a value, ${token.rawName} ${setting.value}`)
  }
}

/** Any value of NO_COLOR turns colours off (https://no-color.org). */
export function isColourWanted(): boolean {
  return (process.env.NO_COLOR ?? '') === ''
}

function isTrue(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'yes'
}

/** Parses a setting as a whole number. Returns `undefined` if the setting has no value. */
export function parseWholeNumber(invocation: Invocation, flag: string, min: number, max: number): number | undefined {
  const text = invocation.text(flag)
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw malformed(invocation, flag, `a whole number from ${min} to ${max}`)
}

/** The error for a value of the wrong form. */
export function malformed(invocation: Invocation, flag: string, expected: string): UsageFault {
  const got = invocation.text(flag)
  return new UsageFault(`Cannot read ${invocation.nameOf(flag)}: expected ${expected}, got "${got}"`)
}

/** Whether the output shows bold text and links: a terminal, without NO_COLOR and TERM=dumb. */
export function supportsStyle(output: { readonly isTTY?: boolean }): boolean {
  return output.isTTY === true && isColourWanted() && process.env.TERM !== 'dumb'
}

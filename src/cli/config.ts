// What was asked for on the command line and in the environment, by the table in commands.ts. The only reader of
// process.env.
import { parseArgs } from 'node:util'
import { nearestWords } from '../analysis/nearest.ts'
import { type CommandName, commands, type Setting, settings } from './commands.ts'

export interface Invocation {
  readonly command: CommandName
  readonly positionals: readonly string[]
  /** The value of a setting: flag, else variable, else default. */
  text(flag: string): string | undefined
  isOn(flag: string): boolean
  /** Every value of a flag that may be repeated. */
  texts(flag: string): readonly string[]
  /** Whether the user named a value, by flag or by variable; otherwise it is the default. */
  isGiven(flag: string): boolean
  /** What the user wrote it as: the flag, or the variable that stands for it. */
  nameOf(flag: string): string
}

/** Wrong usage: one line that names the thing and the mend, exit status 2. */
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
    if (token.kind === 'option') refuseWrongFlag(command, known, token)
  }
  const operands = commands.find((each) => each.name === command)?.operands
  const [first] = positionals
  if (operands === undefined && first !== undefined) {
    throw new UsageFault(`Cannot read "${first}": ${command} takes flags only; see planning-registry ${command} --help`)
  }
  const settingOf = (flag: string): Setting | undefined => known.find((each) => each.flag === flag)
  const givenTexts = (flag: string): string[] => {
    const byFlag = values[flag]
    if (Array.isArray(byFlag)) return byFlag.filter((value) => typeof value === 'string')
    const variable = settingOf(flag)?.variable
    const byVariable = variable === undefined ? undefined : process.env[variable]
    return byVariable === undefined || byVariable === '' ? [] : [byVariable]
  }
  const texts = (flag: string): string[] => {
    const given = givenTexts(flag)
    const fallback = settingOf(flag)?.default
    return given.length > 0 || fallback === undefined ? given : [fallback]
  }
  return {
    command,
    positionals,
    text: (flag) => texts(flag).at(-1),
    isOn: (flag) => {
      const variable = settingOf(flag)?.variable
      return values[flag] !== undefined || (variable !== undefined && isYes(process.env[variable]))
    },
    texts,
    isGiven: (flag) => givenTexts(flag).length > 0,
    nameOf: (flag) => (values[flag] === undefined ? settingOf(flag)?.variable : undefined) ?? `--${flag}`,
  }
}

interface OptionToken {
  readonly name: string
  readonly rawName: string
  readonly value: string | undefined
  readonly inlineValue: boolean | undefined
}

function refuseWrongFlag(command: CommandName, known: readonly Setting[], token: OptionToken): void {
  const setting = known.find((each) => each.flag === token.name)
  if (setting === undefined) {
    const flags = known.map((each) => each.flag)
    const [nearest] = nearestWords(token.name, flags, Math.ceil(token.name.length / 3))
    const mend = nearest === undefined ? `see planning-registry ${command} --help` : `did you mean --${nearest}?`
    throw new UsageFault(`Cannot read ${token.rawName}: ${command} has no such flag; ${mend}`)
  }
  if (setting.value === undefined && token.value !== undefined) {
    throw new UsageFault(`Cannot read ${token.rawName}=${token.value}: ${token.rawName} takes no value`)
  }
  const isMissing = (token.value ?? '') === '' || (token.inlineValue !== true && token.value?.startsWith('--'))
  if (setting.value !== undefined && isMissing) {
    throw new UsageFault(`Cannot read ${token.rawName}: it needs a value, ${token.rawName} ${setting.value}`)
  }
}

/** https://no-color.org: any value of NO_COLOR turns colours off. */
export function isColourWanted(): boolean {
  return (process.env.NO_COLOR ?? '') === ''
}

function isYes(text: string | undefined): boolean {
  return text === '1' || text === 'true' || text === 'yes'
}

/** Reads a whole number of a setting; `undefined` where the setting has no value at all. */
export function wholeNumber(invocation: Invocation, flag: string, min: number, max: number): number | undefined {
  const text = invocation.text(flag)
  if (text === undefined) return undefined
  const number = /^\d{1,15}$/.test(text) ? Number(text) : Number.NaN
  if (number >= min && number <= max) return number
  throw malformed(invocation, flag, `a whole number from ${min} to ${max}`)
}

export function malformed(invocation: Invocation, flag: string, expected: string): UsageFault {
  const got = invocation.text(flag)
  return new UsageFault(`Cannot read ${invocation.nameOf(flag)}: expected ${expected}, got "${got}"`)
}

/** Whether bold text and links may be written to it: a terminal that can, and nobody said NO_COLOR (no-color.org). */
export function isDressed(output: { readonly isTTY?: boolean }): boolean {
  return output.isTTY === true && isColourWanted() && process.env.TERM !== 'dumb'
}

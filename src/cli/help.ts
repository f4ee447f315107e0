// The texts of `--help`, generated from the tables in commands.ts. `t` and `inLanguage` return a text in the language of
// the user.
import { inLanguage, t } from '../language.ts'
import { type CommandHelp, commands, settings } from './commands.ts'
import type { Setting } from './setting.ts'

/** The text of `planning-registry --help`. */
export function toHelp(): string {
  const width = Math.max(...commands.map((command) => toSynopsis(command).length))
  const lines = commands.map((command) => `  ${toSynopsis(command).padEnd(width)}  ${inLanguage(command.meaning)}`)
  return [
    t`planning-registry: read access to the urban-planning records of a registry`,
    '',
    t`Usage: planning-registry COMMAND [FLAGS]`,
    '',
    ...lines,
    '',
    t`planning-registry COMMAND --help prints the flags of a command; --version prints the version.`,
    '',
  ].join('\n')
}

/** The text of `planning-registry COMMAND --help`. */
export function toCommandHelp(command: CommandHelp): string {
  const flags = settings.filter((setting) => setting.commands.includes(command.name))
  const width = Math.max(0, ...flags.map((setting) => toFlagColumn(setting).length))
  return [
    `planning-registry ${toSynopsis(command)}${flags.length > 0 ? t` [FLAGS]` : ''}`,
    `${inLanguage(command.meaning)}.`,
    '',
    ...flags.map((setting) => `  ${toFlagColumn(setting).padEnd(width)}  ${toMeaningColumn(setting)}`),
    '',
    t`Examples:`,
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

/** Such as `import SOURCE…`. */
function toSynopsis(command: CommandHelp): string {
  return command.operands === undefined ? command.name : `${command.name} ${inLanguage(command.operands)}`
}

/** Such as `--port NUMBER`. */
function toFlagColumn(setting: Setting): string {
  return setting.placeholder === undefined
    ? `--${setting.flag}`
    : `--${setting.flag} ${inLanguage(setting.placeholder)}`
}

/** Such as `Address to listen on (default 127.0.0.1) [HOST]`. */
function toMeaningColumn(setting: Setting): string {
  const { meaning, details } = setting
  const detailsPart = details === undefined ? '' : `; ${inLanguage(details)}`
  const defaultValue = setting.default === undefined ? '' : t` (default ${setting.default})`
  const variable = setting.variable === undefined ? '' : ` [${setting.variable}]`
  return `${inLanguage(meaning)}${detailsPart}${defaultValue}${variable}`
}

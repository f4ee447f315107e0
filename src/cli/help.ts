// The texts of `--help`, generated from the tables in commands.ts.
import { type CommandHelp, commands, type Setting, settings } from './commands.ts'

export function toHelp(): string {
  const width = Math.max(...commands.map((command) => toSynopsis(command).length))
  const lines = commands.map((command) => `  ${toSynopsis(command).padEnd(width)}  ${command.meaning}`)
  return [
    'planning-registry: read access to the urban-planning records of a registry',
    '',
    'Usage: planning-registry COMMAND [FLAGS]',
    '',
    ...lines,
    '',
    'planning-registry COMMAND --help prints the flags of a command; --version prints the version.',
    '',
  ].join('\n')
}

export function toCommandHelp(command: CommandHelp): string {
  const flags = settings.filter((setting) => setting.commands.includes(command.name))
  const width = Math.max(0, ...flags.map((setting) => toFlagColumn(setting).length))
  return [
    `planning-registry ${toSynopsis(command)}${flags.length > 0 ? ' [FLAGS]' : ''}`,
    `${command.meaning}.`,
    '',
    ...flags.map((setting) => `  ${toFlagColumn(setting).padEnd(width)}  ${toMeaningColumn(setting)}`),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

function toSynopsis(command: CommandHelp): string {
  return command.operands === undefined ? command.name : `${command.name} ${command.operands}`
}

function toFlagColumn(setting: Setting): string {
  return setting.value === undefined ? `--${setting.flag}` : `--${setting.flag} ${setting.value}`
}

function toMeaningColumn(setting: Setting): string {
  const details = setting.details === undefined ? '' : `; ${setting.details}`
  const defaultValue = setting.default === undefined ? '' : ` (default ${setting.default})`
  const variable = setting.variable === undefined ? '' : ` [${setting.variable}]`
  return `${setting.meaning}${details}${defaultValue}${variable}`
}

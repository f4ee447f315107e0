// The text of `--help`, printed from the tables of commands.ts: all commands, or one with its settings and examples.
import type { CommandHelp, Setting } from './commands.ts'
import { commands, settings } from './commands.ts'

export function toHelp(): string {
  const width = Math.max(...commands.map((command) => synopsis(command).length))
  const lines = commands.map((command) => `  ${synopsis(command).padEnd(width)}  ${command.meaning}`)
  return [
    'planning-registry: read access to the urban-planning records of a registry',
    '',
    'Usage: planning-registry COMMAND [FLAGS]',
    '',
    ...lines,
    '',
    'planning-registry COMMAND --help lists the flags of a command; --version prints the version.',
    '',
  ].join('\n')
}

export function toCommandHelp(command: CommandHelp): string {
  const own = settings.filter((setting) => setting.commands.includes(command.name))
  const width = Math.max(0, ...own.map((setting) => flagColumn(setting).length))
  return [
    `planning-registry ${synopsis(command)}${own.length > 0 ? ' [FLAGS]' : ''}`,
    `${command.meaning}.`,
    '',
    ...own.map((setting) => `  ${flagColumn(setting).padEnd(width)}  ${meaningColumn(setting)}`),
    '',
    'Examples:',
    ...command.examples.map((example) => `  ${example}`),
    '',
  ].join('\n')
}

function synopsis(command: CommandHelp): string {
  return command.operands === undefined ? command.name : `${command.name} ${command.operands}`
}

function flagColumn(setting: Setting): string {
  return setting.value === undefined ? `--${setting.flag}` : `--${setting.flag} ${setting.value}`
}

function meaningColumn(setting: Setting): string {
  const fallback = setting.default === undefined ? '' : ` (default ${setting.default})`
  const variable = setting.variable === undefined ? '' : ` [${setting.variable}]`
  return `${setting.meaning}${fallback}${variable}`
}

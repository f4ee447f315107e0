// `planning-registry completion SHELL`: prints a script that makes the shell complete commands and flags. The scripts
// are generated from the tables in commands.ts.
import { t, translate } from '../language.ts'
import { type CommandHelp, commands, type Setting, settings } from './commands.ts'
import { type Invocation, UsageFault } from './config.ts'
import { describeSetting } from './setting.ts'

/** Returns the exit status. */
export async function runCompletion(invocation: Invocation): Promise<number> {
  const [shell, ...others] = invocation.positionals
  if (shell === undefined || others.length > 0) {
    throw new UsageFault(t`Cannot print a completion script: expected one shell, bash, zsh or fish`)
  }
  const toScript = scripts.get(shell)
  if (toScript === undefined) {
    throw new UsageFault(t`Cannot print a completion script for "${shell}": expected bash, zsh or fish`)
  }
  process.stdout.write(toScript())
  return 0
}

/** The functions that generate the scripts, by shell. */
const scripts: ReadonlyMap<string, () => string> = new Map([
  ['bash', toBash],
  ['zsh', toZsh],
  ['fish', toFish],
])

function toBash(): string {
  const cases = commands.map((command) => {
    const flags = settingsOf(command).map(({ flag }) => `--${flag}`)
    return `    ${command.name}) words="${[...flags, '--help'].join(' ')}" ;;`
  })
  const fileFlags = settings.filter(takesFile).map(({ flag }) => `--${flag}`)
  return `# Bash completion for planning-registry: eval "$(planning-registry completion bash)"
_planning_registry() {
  local word="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" words=""
  COMPREPLY=()
  if [ "$COMP_CWORD" -eq 1 ]; then
    COMPREPLY=($(compgen -W "${commands.map(({ name }) => name).join(' ')} --help --version" -- "$word"))
    return
  fi
  case " ${unique(fileFlags).join(' ')} " in
    *" $previous "*) COMPREPLY=($(compgen -f -- "$word")); return ;;
  esac
  case "\${COMP_WORDS[1]}" in
${cases.join('\n')}
  esac
  case "$word" in
    -*) COMPREPLY=($(compgen -W "$words" -- "$word")) ;;
    *) case "\${COMP_WORDS[1]}" in
      completion) COMPREPLY=($(compgen -W "${[...scripts.keys()].join(' ')}" -- "$word")) ;;
      *) COMPREPLY=($(compgen -f -- "$word")) ;;
    esac ;;
  esac
}
complete -F _planning_registry planning-registry
`
}

function toZsh(): string {
  const names = commands.map(({ name, meaning }) => `    ${quoteZsh(`${name}:${translate(meaning)}`)}`)
  const cases = commands.map((command) => {
    // `_arguments` of zsh takes `*--flag[meaning]:value:action`; the asterisk allows the flag more than once.
    const flags = settingsOf(command).map((setting) => {
      const { flag, placeholder } = setting
      const value = placeholder === undefined ? '' : `:${escapeZsh(placeholder)}:${takesFile(setting) ? '_files' : ''}`
      return `        ${quoteZsh(`*--${flag}[${escapeZsh(describeSetting(setting).meaning)}]${value}`)}`
    })
    // `1:` describes the first operand, `*:` every operand.
    const operand = command.name === 'completion' ? `1:shell:(${[...scripts.keys()].join(' ')})` : '*:file:_files'
    const lines = [...flags, `        ${quoteZsh(`--help[${t`Print the flags`}]`)}`, `        ${quoteZsh(operand)}`]
    return `    ${command.name})\n      _arguments \\\n${lines.join(' \\\n')}\n      ;;`
  })
  return `#compdef planning-registry
# Zsh completion for planning-registry: eval "$(planning-registry completion zsh)"
_planning_registry() {
  local -a names
  names=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then
    _describe command names
    return
  fi
  local command="\${words[2]}"
  shift words
  (( CURRENT-- ))
  case "$command" in
${cases.join('\n')}
  esac
}
compdef _planning_registry planning-registry
`
}

function toFish(): string {
  const lines = commands.flatMap((command) => {
    // `-n` is the condition of a completion, `-a` a word, `-l` a flag, `-d` a description, and `-f` means no files.
    const condition = `__fish_seen_subcommand_from ${command.name}`
    const commandMeaning = quoteFish(translate(command.meaning))
    return [
      `complete -c planning-registry -f -n __fish_use_subcommand -a ${command.name} -d ${commandMeaning}`,
      ...settingsOf(command).map((setting) => {
        const options = `-l ${setting.flag}${toFishValueOptions(setting)} -d ${quoteFish(describeSetting(setting).meaning)}`
        return `complete -c planning-registry -n '${condition}' ${options}`
      }),
      `complete -c planning-registry -n '${condition}' -l help -d ${quoteFish(t`Print the flags`)}`,
    ]
  })
  const shells = [...scripts.keys()].join(' ')
  return `# Fish completion for planning-registry: planning-registry completion fish | source
${lines.join('\n')}
complete -c planning-registry -f -n '__fish_seen_subcommand_from completion' -a '${shells}'
`
}

/** The options that tell fish how to complete the value of a flag: `-r -F` with files, `-x` not at all. */
function toFishValueOptions(setting: Setting): string {
  if (setting.placeholder === undefined) return ''
  return takesFile(setting) ? ' -r -F' : ' -x'
}

function settingsOf(command: CommandHelp): Setting[] {
  return settings.filter((setting) => setting.commands.includes(command.name))
}

/** Whether the shell completes the value of the flag with the names of files. */
function takesFile({ placeholder }: Setting): boolean {
  return placeholder === 'FILE' || placeholder === 'DIR'
}

/** Removes repeated words: two commands may have a flag of the same name. */
function unique(words: readonly string[]): string[] {
  return [...new Set(words)]
}

/** Escapes brackets and colons, which have a meaning in the notation of `_arguments`. */
function escapeZsh(text: string): string {
  return text.replace(/[[\]:]/g, '\\$&')
}

/** Puts the text in single quotes. Each single quote in it becomes `'\''`: `'it'\''s'`. */
function quoteZsh(text: string): string {
  return `'${text.replaceAll("'", "'\\''")}'`
}

/** Puts the text in single quotes, in which fish escapes quotes and backslashes: `'it\'s'`. */
function quoteFish(text: string): string {
  return `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`
}

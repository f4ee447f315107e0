// The type of a setting. The tables are in commands.ts, serve-settings.ts and import-settings.ts.

/** A setting of one or several commands, given by flag or environment variable. */
export interface Setting {
  /** Long flag without the dashes. */
  readonly flag: string
  /** Environment variable that sets the same value. */
  readonly variable?: string
  /** Stands for the value in help texts, such as `FILE`. Absent for a switch, which takes no value. */
  readonly placeholder?: string
  readonly default?: string
  /** What the setting does, for `--help` and the completion scripts. */
  readonly meaning: string
  /** `--help` prints this after the meaning. */
  readonly details?: string
  /** The commands that take the flag. */
  readonly commands: readonly CommandName[]
}

export type CommandName = 'serve' | 'import' | 'search' | 'check' | 'sample' | 'mcp' | 'completion'

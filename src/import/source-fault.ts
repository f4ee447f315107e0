// The errors for a source that cannot be imported at all. Nothing is published, and the command exits with status 1.

/** The message names the source, the problem and, if there is one, the fix. */
export class SourceFault extends Error {
  override readonly name: string = 'SourceFault'
}

/** Whether the operating system has failed, for example because the disk is full. Then the source is not at fault. */
export function isSystemError(error: unknown): boolean {
  return error instanceof Error && 'errno' in error && 'syscall' in error
}

/** The source lacks required columns. The command then also prints what `--inspect` would, such as the headings. */
export class MissingColumns extends SourceFault {}

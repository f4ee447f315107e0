// Shows the address of a registry in messages and reports.

/**
 * Returns the address for messages: `postgres://ana@db/plans` for `postgres://ana:secret@db/plans`. Removes everything
 * from the colon after the user to the last @, and the value of a parameter `password`, which is not accepted but may
 * be given.
 */
export function withoutPassword(url: string): string {
  return url.replace(/^(\w+:\/\/[^:@/?]*):.*@/, '$1@').replace(/([?&]password=)[^&]*/, '$1…')
}

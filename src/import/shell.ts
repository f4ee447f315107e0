// Quotes a text for the commands that messages propose.

/**
 * Returns the text as one word of a shell: `'it'\''s'` for `it's`. A name such as `a.csv` needs no quotes. The shell of
 * Windows knows double quotes alone.
 */
export function quoteForShell(text: string): string {
  if (/^[\p{L}\d_./-]+$/u.test(text)) return text
  if (process.platform === 'win32') return `"${text.replaceAll('"', '\\"')}"`
  return `'${text.replaceAll("'", "'\\''")}'`
}

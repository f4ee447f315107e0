// Recognises and decodes the text format of PostgreSQL (`COPY … TO`). Tabs separate the cells, which have no quotes;
// `\N` is a null, and control characters and backslashes are escaped. csv.ts uses it.
import type { Dialect } from './csv-records.ts'

/**
 * Whether the beginning of a file shows that it has this format: its cells are separated by tabs, one of them is `\N`,
 * and none begins with a quote. In any other file, `\n` may be a part of a path, such as `planos\norte.pdf`.
 */
export function isCopyText(text: string, { delimiter }: Dialect): boolean {
  return delimiter === '\t' && /(?:^|\t)\\N(?=\t|\r?$)/m.test(text) && !/(?:^|\t)"/m.test(text)
}

const characters: Readonly<Record<string, string>> = {
  b: '\b',
  f: '\f',
  n: '\n',
  r: '\r',
  t: '\t',
  v: '\v',
  '\\': '\\',
}

/** Returns the text of a cell; empty for a null, because a rejects file with `\N` would be decoded a second time. */
export function decodeCopyCell(cell: string): string {
  if (!cell.includes('\\')) return cell
  if (cell.trim() === '\\N') return ''
  return cell.replace(/\\([bfnrtv\\])/g, (_escape, letter: string) => characters[letter] ?? '')
}

// Vite plugin that replaces problem-texts.ts by the texts that it makes.
import type { Plugin } from 'vite'
import { problemTexts } from './problem-texts.ts'

export function problemPlugin(): Plugin {
  return {
    name: 'problem-texts',
    load: (path) =>
      path.endsWith('/web/problem-texts.ts')
        ? `export const problemTexts = ${JSON.stringify(problemTexts)}`
        : undefined,
  }
}

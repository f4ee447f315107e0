// Vite plugin that replaces a module by what it exports: the build evaluates it, and browsers load only the result.
import type { Plugin } from 'vite'

/** `path` ends that of the module; `exported` are its exports by name, which must be JSON. */
export function evaluatedModule(path: string, exported: Readonly<Record<string, unknown>>): Plugin {
  const lines = Object.entries(exported).map(([name, value]) => `export const ${name} = ${JSON.stringify(value)}`)
  return { name: `evaluated ${path}`, load: (id) => (id.endsWith(path) ? lines.join('\n') : undefined) }
}

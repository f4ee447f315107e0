// The outcome of the last import into a registry that is a file, kept next to it as `PATH.import.json`: a file in
// service never changes, and an import that publishes nothing has an outcome too. `serve --offer-file` passes it on.
import { access, readFile, rename, writeFile } from 'node:fs/promises'
import { parseLastImport } from './pointer.ts'
import type { LastImport } from './remote.ts'

const toLastImportPath = (path: string): string => `${path}.import.json`

/** `path` is the path of the registry. Throws the error of the system if there is none, or it cannot be written. */
export async function writeLastImport(path: string, lastImport: LastImport): Promise<void> {
  await access(path)
  const temporaryPath = `${toLastImportPath(path)}.writing`
  await writeFile(temporaryPath, `${JSON.stringify(lastImport)}\n`)
  await rename(temporaryPath, toLastImportPath(path))
}

/** Null if no import has written it, or it cannot be read. */
export async function readLastImport(path: string): Promise<LastImport | null> {
  const text = await readFile(toLastImportPath(path), 'utf8').catch(() => '')
  return parseLastImport(text)
}

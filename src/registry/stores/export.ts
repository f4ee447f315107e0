// `import --export DIR`: writes the registry file and its pointer into a folder, for any web server or object store.
// The file comes first, under a name that is never used for other content, and the pointer last, by one rename. Two
// files are kept, so that nobody is fetching the one that is deleted.
import { copyFile, mkdir, readdir, readFile, rename, rm, stat, utimes, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { flush } from './local-copy.ts'
import { parsePointer, pointerName, toPointerText } from './pointer.ts'
import { describeFile, type FileFacts } from './registry-file.ts'
import type { LastImport } from './remote.ts'

/** The current file and the one before. */
const keptFiles = 2

const namePattern = /^registry-[0-9a-f]{16}\.db$/
/** What an export that was killed has left. */
const unfinishedPattern = /^(?:registry-[0-9a-f]{16}\.db|current\.json)\.writing$/

/** Exports the registry in the file `path`. Throws the error of the system if the folder cannot be written. */
export async function exportRegistry(path: string, folder: string, lastImport: LastImport | null): Promise<void> {
  await mkdir(folder, { recursive: true })
  let facts = await describeFile(path)
  if (!(await isIntact(join(folder, toFileName(facts)), facts))) facts = await copyRegistryFile(path, folder, facts)
  const name = toFileName(facts)
  // Marks it as the newest, also if it was exported before.
  await utimes(join(folder, name), new Date(), new Date())
  await writePointer(folder, toPointerText({ manifest: { ...facts, lastImport }, href: name }))
  await removeOldFiles(folder, name)
}

/** Writes the outcome of an import that has published nothing into the pointer, if there is one. */
export async function exportLastImport(folder: string, lastImport: LastImport): Promise<void> {
  const text = await readFile(join(folder, pointerName), 'utf8').catch(() => '')
  const pointer = parsePointer(text)
  if (pointer === undefined) return
  await writePointer(folder, toPointerText({ ...pointer, manifest: { ...pointer.manifest, lastImport } }))
}

/** Sixteen hexadecimal digits tell the few files of a folder apart. The pointer has the whole hash. */
function toFileName({ sha256 }: FileFacts): string {
  return `registry-${sha256.slice(0, 16)}.db`
}

/**
 * Copies the file under its name. Returns the facts of the copy: another import may have replaced the file since it was
 * described.
 */
async function copyRegistryFile(path: string, folder: string, described: FileFacts): Promise<FileFacts> {
  const copy = join(folder, `${toFileName(described)}.writing`)
  await copyFile(path, copy)
  const facts = await describeFile(copy)
  await flush(copy)
  await rename(copy, join(folder, toFileName(facts)))
  await flush(folder)
  return facts
}

async function writePointer(folder: string, text: string): Promise<void> {
  const path = join(folder, pointerName)
  const temporaryPath = `${path}.writing`
  await writeFile(temporaryPath, text)
  await flush(temporaryPath)
  await rename(temporaryPath, path)
  await flush(folder)
}

/** Whether the file has been exported before and is still the same. */
async function isIntact(path: string, { bytes, sha256 }: FileFacts): Promise<boolean> {
  const size = await stat(path).then(
    (stats) => stats.size,
    () => undefined,
  )
  if (size !== bytes) return false
  const found = await describeFile(path).catch(() => undefined)
  return found?.sha256 === sha256
}

/** Removes all files but the current one and the newest of the others, and what killed exports have left. */
async function removeOldFiles(folder: string, currentName: string): Promise<void> {
  const names = await readdir(folder)
  const older: { readonly name: string; readonly writtenMs: number }[] = []
  for (const name of names.filter((each) => namePattern.test(each) && each !== currentName)) {
    older.push({ name, writtenMs: (await stat(join(folder, name))).mtimeMs })
  }
  older.sort((a, b) => b.writtenMs - a.writtenMs)
  const removed = older.slice(keptFiles - 1).map(({ name }) => name)
  const unfinished = names.filter((name) => unfinishedPattern.test(name))
  for (const name of [...removed, ...unfinished]) await rm(join(folder, name), { force: true })
}

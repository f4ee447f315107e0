// Documents in the folder of `--documents`. Names come from the records, so that nobody vouches for them: whatever
// leads outside the folder, by its spelling or by a link, is missing.
import { createHash } from 'node:crypto'
import { constants } from 'node:fs'
import { type FileHandle, open, realpath, stat } from 'node:fs/promises'
import { isAbsolute, join, sep } from 'node:path'

export type LocatedFile =
  /** `fileState` stays the same for as long as the content does; undefined for a file that was changed just now. */
  | { readonly kind: 'found'; readonly path: string; readonly fileState: string | undefined }
  | { readonly kind: 'missing' | 'unreadable'; readonly reason: string }

/** The real path of the folder, or undefined where there is no such folder. */
export async function openFolder(folder: string): Promise<string | undefined> {
  try {
    const path = await realpath(folder)
    return (await stat(path)).isDirectory() ? path : undefined
  } catch {
    return undefined
  }
}

export async function locateFile(folder: string, name: string, bytesMax: number): Promise<LocatedFile> {
  if (name === '' || name.includes('\0')) return missing('the name is no file name')
  for (const spelling of spellings(name)) {
    if (isAbsolute(spelling) || /^[a-z]:[\\/]/i.test(spelling)) {
      return missing('an absolute name; name it as it lies under the documents folder')
    }
    if (spelling.split(/[\\/]/).includes('..')) return missing('the name leads outside the documents folder')
    let path: string
    try {
      path = await realpath(join(folder, spelling))
    } catch {
      continue
    }
    if (!path.startsWith(folder.endsWith(sep) ? folder : folder + sep)) {
      return missing('a link that leads outside the documents folder')
    }
    return await describe(path, bytesMax)
  }
  return missing('no such file in the documents folder')
}

/** The content's hash; undefined when the file is gone. `O_NOFOLLOW` because the path was real a moment ago. */
export async function hashFile(path: string): Promise<string | undefined> {
  try {
    await using file = await open(path, readFlags)
    const hash = createHash('sha256')
    for await (const chunk of file.createReadStream({ autoClose: false, highWaterMark: 1 << 20 })) hash.update(chunk)
    return hash.digest('hex')
  } catch {
    return undefined
  }
}

/** Opening a pipe must not wait for a writer. */
const readFlags = constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK

/** As written, then as other systems spell it: composed and decomposed accents, Windows separators. */
function spellings(name: string): Set<string> {
  const slashed = name.replaceAll('\\', '/')
  return new Set([name, name.normalize('NFC'), name.normalize('NFD'), slashed, slashed.normalize('NFC')])
}

async function describe(path: string, bytesMax: number): Promise<LocatedFile> {
  let file: FileHandle
  try {
    file = await open(path, readFlags)
  } catch (error) {
    const code = error instanceof Error && 'code' in error ? String(error.code) : 'unknown'
    return { kind: 'unreadable', reason: `the file cannot be opened (${code}); check its permissions` }
  }
  try {
    const facts = await file.stat({ bigint: true })
    if (!facts.isFile()) return missing('not a file')
    if (facts.size > bytesMax) {
      return { kind: 'unreadable', reason: `larger than ${Math.floor(bytesMax / 1024 / 1024)} MB` }
    }
    // A change within one tick of the file system's clock leaves no trace in the times (git's "racily clean").
    if (Date.now() - Number(facts.ctimeNs / 1_000_000n) < 2_000) return { kind: 'found', path, fileState: undefined }
    return {
      kind: 'found',
      path,
      fileState: [facts.dev, facts.ino, facts.size, facts.mtimeNs, facts.ctimeNs].join(' '),
    }
  } finally {
    await file.close()
  }
}

function missing(reason: string): LocatedFile {
  return { kind: 'missing', reason }
}

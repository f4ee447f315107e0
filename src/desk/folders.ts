// The folders of this computer as the desk shows them, because a browser does not tell a page where a chosen file lies.
// Only the user's folder, the current one, connected drives and a folder named on the command line can be opened; a link
// that leads elsewhere is left out.
import { existsSync, realpathSync } from 'node:fs'
import { readdir, realpath, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, extname, join, parse, sep } from 'node:path'
import { UsageFault } from '../cli/config.ts'
import { systemReasonOf } from '../system-reason.ts'
import { say } from './say.ts'

export interface FolderView {
  readonly path: string
  /** Null at the top of what can be opened. */
  readonly parent: string | null
  readonly folders: readonly Entry[]
  /** Spreadsheets and other sources. */
  readonly sources: readonly Entry[]
  readonly pdfCount: number
  /** Whether the folder has more entries than are shown. */
  readonly isCut: boolean
}

export interface Entry {
  readonly name: string
  readonly path: string
}

/** Where connected drives appear. */
const driveFolders = ['/media', '/mnt', '/run/media', '/Volumes']
const sourceEndings = ['.xlsx', '.csv', '.tsv', '.ods', '.xls', '.zip', '.ndjson', '.jsonl', '.json', '.geojson']
/** More entries of a folder are not shown. */
const entriesMax = 2000

export class Folders {
  /** Without links. */
  readonly roots: readonly string[]
  /** Opened first. */
  readonly start: string

  /** Throws `UsageFault` if the folder that was named does not exist. */
  constructor(named: string | undefined) {
    if (named !== undefined && !existsSync(named))
      throw new UsageFault(
        say(`No se puede abrir ${named}: no existe esa carpeta`, `Cannot open ${named}: there is no such folder`),
      )
    const current = process.cwd()
    const drives =
      process.platform === 'win32' ? [...'CDEFGHIJKLMNOPQRSTUVWXYZ'].map((letter) => `${letter}:\\`) : driveFolders
    // A desktop may start programs in the root of the file system.
    const candidates = [named, homedir(), current === parse(current).root ? undefined : current, ...drives]
    this.roots = candidates
      .filter((path) => path !== undefined && existsSync(path))
      .map((path) => realpathSync(path ?? ''))
    this.start = named === undefined ? realpathSync(homedir()) : (this.roots[0] ?? '')
  }

  /** The path without links. Throws `UsageFault` if it does not exist or lies elsewhere. */
  async resolve(path: string): Promise<string> {
    const fault = (reason: string) =>
      new UsageFault(say(`No se puede abrir ${path}: ${reason}`, `Cannot open ${path}: ${reason}`))
    let real: string
    try {
      real = await realpath(path)
    } catch (error) {
      throw fault(systemReasonOf(error))
    }
    if (this.#contains(real)) return real
    throw fault(
      say(
        'no está en su carpeta personal ni en una unidad conectada',
        'it is neither in your home folder nor on a connected drive',
      ),
    )
  }

  /** Whether a path exists and can be opened. */
  async has(path: string): Promise<boolean> {
    return await this.resolve(path).then(
      () => true,
      () => false,
    )
  }

  /** The path of a regular file without links. Throws `UsageFault`. */
  async resolveFile(path: string): Promise<string> {
    const real = await this.resolve(path)
    if ((await stat(real)).isFile()) return real
    throw new UsageFault(say(`No se puede abrir ${path}: no es un archivo`, `Cannot open ${path}: it is not a file`))
  }

  /** Throws `UsageFault` if the folder cannot be read. */
  async view(path: string): Promise<FolderView> {
    const folder = await this.resolve(path)
    let found: Awaited<ReturnType<Folders['list']>>
    try {
      found = await this.list(folder)
    } catch (error) {
      throw new UsageFault(
        say(`No se puede leer ${folder}: ${systemReasonOf(error)}`, `Cannot read ${folder}: ${systemReasonOf(error)}`),
      )
    }
    const parent = dirname(folder)
    return { path: folder, parent: parent !== folder && this.#contains(parent) ? parent : null, ...found }
  }

  async list(folder: string): Promise<Pick<FolderView, 'folders' | 'sources' | 'pdfCount' | 'isCut'>> {
    const entries = (await readdir(folder, { withFileTypes: true })).filter(({ name }) => !/^(?:\.|~\$)/.test(name))
    const folders: Entry[] = []
    const sources: Entry[] = []
    let pdfCount = 0
    for (const entry of entries) {
      const { name } = entry
      const path = join(folder, name)
      const target = entry.isSymbolicLink() ? await this.#follow(path) : entry
      const ending = extname(name).toLowerCase()
      if (target?.isDirectory()) folders.push({ name, path })
      else if (target?.isFile() && ending === '.pdf') pdfCount += 1
      else if (target?.isFile() && sourceEndings.includes(ending) && !/\.rejects.*\.csv$/i.test(name))
        sources.push({ name, path })
    }
    const byName = (a: Entry, b: Entry): number => a.name.localeCompare(b.name, 'es', { numeric: true })
    return {
      folders: folders.sort(byName).slice(0, entriesMax),
      sources: sources.sort(byName).slice(0, entriesMax),
      pdfCount,
      isCut: Math.max(folders.length, sources.length) > entriesMax,
    }
  }

  /** What a link leads to; undefined if that cannot be opened. */
  async #follow(path: string): Promise<{ isDirectory(): boolean; isFile(): boolean } | undefined> {
    const real = await realpath(path).catch(() => '')
    return real !== '' && this.#contains(real) ? await stat(real).catch(() => undefined) : undefined
  }

  #contains(real: string): boolean {
    return this.roots.some((root) => real === root || real.startsWith(root.endsWith(sep) ? root : root + sep))
  }
}

// The answers given at the desk. They are the plan (`registro.json`) beside the spreadsheet, which `import --plan`
// repeats: the desk reads it when the spreadsheet is chosen again, and writes it after each step.
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { readFile, rename, rm, writeFile } from 'node:fs/promises'
import { basename, dirname, isAbsolute, join, relative, resolve } from 'node:path'
import { parseInvocation, UsageFault } from '../cli/config.ts'
import { type ImportPlan, parseImportPlan } from '../import/plan.ts'
import { type PlanFile, parsePlan, readPlanText } from '../import/plan-file.ts'
import { systemReasonOf } from '../system-reason.ts'
import { say } from './say.ts'

/** The JSON of a plan that `parsePlan` has accepted. */
export interface PlanJson {
  readonly sources: readonly string[]
  readonly mapping?: Readonly<Record<string, unknown>> | string
  readonly fields?: Readonly<Record<string, unknown>> | string
  readonly documents?: string
  readonly duplicates?: string
  readonly database?: string
  readonly export?: string
  readonly [flag: string]: unknown
}

/** Where the desk publishes, beside the spreadsheet, unless the plan says otherwise. */
const defaults = { database: 'sqlite:registro/registro.db', 'data-dir': 'registro' }

export class Draft {
  /** The file of the plan. */
  readonly path: string
  /** The spreadsheet. */
  readonly source: string
  #json: PlanJson

  private constructor(source: string, path: string, json: PlanJson) {
    this.source = source
    this.path = path
    this.#json = json
  }

  /** Reads the plan of the spreadsheet, or begins one. Throws `UsageFault` if a plan is there and cannot be read. */
  static async open(source: string): Promise<Draft> {
    const folder = dirname(source)
    // `registro.json` may be the plan of another spreadsheet in the folder.
    for (const name of ['registro.json', `${basename(source)}.registro.json`]) {
      const path = join(folder, name)
      if (!existsSync(path)) return new Draft(source, path, { ...defaults, sources: [basename(source)] })
      const text = await readPlanText(path)
      const { sources } = parsePlan(text, path)
      if (resolve(sources[0] ?? '') === source) return new Draft(source, path, { ...defaults, ...JSON.parse(text) })
    }
    throw new UsageFault(
      say(
        `No se puede guardar el plan: ya existe ${basename(source)}.registro.json con otra hoja`,
        `Cannot save the plan: ${basename(source)}.registro.json exists already with another spreadsheet`,
      ),
    )
  }

  /** A plan chosen in place of its spreadsheet. Throws `UsageFault` if the file is not a plan. */
  static async readSource(planPath: string): Promise<string> {
    const [source] = parsePlan(await readPlanText(planPath), planPath).sources
    if (source !== undefined) return source
    throw new UsageFault(say(`${planPath} no nombra ninguna hoja`, `${planPath} names no spreadsheet`))
  }

  get folder(): string {
    return dirname(this.path)
  }

  get json(): PlanJson {
    return this.#json
  }

  /** A path as the plan has it: relative to its folder, if it can be. */
  toPlanPath(path: string): string {
    const fromFolder = relative(this.folder, path)
    return isAbsolute(fromFolder) ? path : fromFolder || '.'
  }

  toAbsolute(path: string): string {
    return resolve(this.folder, path)
  }

  /** The plan as `import` reads it. Throws `UsageFault` if, for example, a folder is gone. */
  async read(path: string = this.path): Promise<ImportPlan> {
    return await parseImportPlan(parseInvocation('import', ['--plan', path]))
  }

  async readFile(): Promise<PlanFile> {
    return parsePlan(await readFile(this.path, 'utf8'), this.path)
  }

  /** Changes answers and saves all; undefined removes one. Saves nothing and throws if the plan would be refused. */
  async save(changes: Readonly<Record<string, unknown>>): Promise<void> {
    const json = JSON.parse(JSON.stringify({ ...this.#json, ...changes })) as PlanJson
    try {
      // In the same file system, so that it can be renamed, and in a folder, so that its paths are right.
      const temporary = `${this.path}.${randomUUID()}`
      // An address of PostgreSQL may have a password.
      const mode = String(json.database).startsWith('postgres') ? 0o600 : 0o666
      await writeFile(temporary, `${JSON.stringify(json, null, 2)}\n`, { mode, flag: 'wx' })
      try {
        await this.read(temporary)
        await rename(temporary, this.path)
      } finally {
        await rm(temporary, { force: true })
      }
    } catch (error) {
      if (error instanceof UsageFault) throw error
      const reason = systemReasonOf(error)
      throw new UsageFault(say(`No se puede guardar ${this.path}: ${reason}`, `Cannot save ${this.path}: ${reason}`))
    }
    this.#json = json
  }
}

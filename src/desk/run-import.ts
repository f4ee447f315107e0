// Runs `planning-registry import` in a child process, as the timer of every night would, and keeps what it prints.
import { type ChildProcess, spawn } from 'node:child_process'
import { currentLanguage } from '../language.ts'

/** The end of the output of a crash that is shown. */
const stackCharactersMax = 2000

export type ImportPurpose = 'preview' | 'publication'

export class ImportRun {
  readonly purpose: ImportPurpose
  /** Resolves when the run has ended. */
  readonly ended: Promise<void>
  /** Null while it runs. */
  status: number | null = null
  #stdout = ''
  #stderr = ''
  readonly #child: ChildProcess

  /** `finish` is part of the run: what follows the process, with its exit status. It must not reject. */
  constructor(purpose: ImportPurpose, args: readonly string[], finish: (status: number) => Promise<void>) {
    this.purpose = purpose
    const entry = process.argv[1] ?? ''
    const all = [...process.execArgv, entry, 'import', `--lang=${currentLanguage()}`, ...args]
    this.#child = spawn(process.execPath, all, { stdio: ['ignore', 'pipe', 'pipe'], windowsHide: true })
    this.#child.stdout?.setEncoding('utf8').on('data', (text: string) => {
      this.#stdout += text
    })
    this.#child.stderr?.setEncoding('utf8').on('data', (text: string) => {
      this.#stderr += text
    })
    const { promise, resolve } = Promise.withResolvers<void>()
    this.ended = promise
    let hasEnded = false
    const end = (status: number): void => {
      if (hasEnded) return
      hasEnded = true
      void finish(status).then(() => {
        this.status = status
        resolve()
      })
    }
    this.#child.on('error', (error) => {
      this.#stderr += `${error.message}\n`
      end(2)
    })
    this.#child.on('close', (status) => end(status ?? 2))
  }

  /** The last line of its progress; empty in the first seconds. */
  get progress(): string {
    return this.#stderr.trimEnd().split('\n').at(-1) ?? ''
  }

  /** Its report, or why it failed. */
  get text(): string {
    const faults = this.#stderr.split('\n').filter((line) => line.startsWith('planning-registry: '))
    const shown = faults.map((line) => line.slice('planning-registry: '.length))
    const text = [...shown, this.#stdout.trimEnd()].filter((part) => part !== '').join('\n')
    // A crash prints its stack alone.
    return text === '' ? this.#stderr.slice(-stackCharactersMax) : text
  }

  stop(): void {
    if (this.status === null) this.#child.kill()
  }
}

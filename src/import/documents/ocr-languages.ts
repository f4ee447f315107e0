// The languages of OCR. Each has a model in a package of its own: those of Spanish, Catalan, Galician and Basque are
// optional dependencies of the project, and others may be installed next to them.
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { t } from '../../language.ts'
import { DocumentFault } from './reference.ts'

export const defaultOcrLanguages: readonly string[] = ['spa']

export interface OcrModels {
  /** Codes of three letters (ISO 639-2), such as `spa`, a few of them with a script, such as `chi_sim`. */
  readonly languages: readonly string[]
  /** The folder with the model of every language. */
  readonly folder: string
}

/**
 * Copies the models into one folder, because Tesseract takes only one folder. Throws `DocumentFault` if the model of a
 * language is not installed or a package of OCR cannot be loaded. Without these checks, OCR would fail in the worker
 * processes, and every page would count as damaged. `parseOcrLanguages`, which runs only if `--ocr-languages` is given,
 * does not replace them.
 */
export async function collectModels(languages: readonly string[], folder: string): Promise<OcrModels> {
  for (const name of ocrPackages) {
    if (!isInstalled(name)) throw new DocumentFault(t`Cannot recognise text: ${describeMissingPackage(name)}`)
    await import(name).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new DocumentFault(t`Cannot recognise text: ${name} cannot be loaded: ${reason}; install it again`)
    })
  }
  await mkdir(folder, { recursive: true })
  for (const code of languages) {
    const path = findModel(code)
    if (path === undefined) throw new DocumentFault(t`Cannot recognise text: ${describeMissingModel(code)}`)
    await copyFile(path, join(folder, basename(path)))
  }
  return { languages, folder }
}

/** Returns the path of the compressed model, or undefined if no package has it. */
function findModel(code: string): string | undefined {
  try {
    const folder = dirname(createRequire(import.meta.url).resolve(`@tesseract.js-data/${code}/package.json`))
    const path = join(folder, modelFolder, `${code}.traineddata.gz`)
    return existsSync(path) ? path : undefined
  } catch {
    return undefined
  }
}

/** The accurate model ("best") of a package, in its faster version with integer weights. */
const modelFolder = '4.0.0_best_int'

/**
 * Parses the value of `--ocr-languages`: language codes separated by commas or plus signs. Returns the codes, or the
 * reason if a code is malformed or if OCR or a model is not installed, so that the command can refuse the flag at once.
 */
export function parseOcrLanguages(text: string): readonly string[] | string {
  const missing = ocrPackages.find((name) => !isInstalled(name))
  if (missing !== undefined) return describeMissingPackage(missing)
  const codes = [...new Set(text.split(/[,+]/).map((code) => code.trim()))]
  for (const code of codes) {
    // Such as `spa`, or `chi_sim` for simplified Chinese.
    if (!/^[a-z]{3}(?:_[a-z]+)?$/.test(code)) return t`expected codes of three letters separated by commas: spa,cat`
    if (findModel(code) === undefined) return describeMissingModel(code)
  }
  return codes
}

/** Optional dependencies: a registry without scans can be installed without them (`--omit=optional`). */
const ocrPackages = ['tesseract.js', '@napi-rs/canvas']

function isInstalled(name: string): boolean {
  try {
    createRequire(import.meta.url).resolve(name)
    return true
  } catch {
    return false
  }
}

function describeMissingPackage(name: string): string {
  return t`${name} is not installed; run npm install ${ocrPackages.join(' ')}`
}

function describeMissingModel(code: string): string {
  return t`the model of ${code} is not installed; run npm install @tesseract.js-data/${code}`
}

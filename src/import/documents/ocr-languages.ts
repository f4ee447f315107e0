// The languages of OCR. Each has a model in a package of its own: those of Spanish, Catalan, Galician and Basque are
// optional dependencies of the project, and others may be installed next to them.
import { existsSync } from 'node:fs'
import { copyFile, mkdir } from 'node:fs/promises'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import { t } from '../../language.ts'
import { DocumentFault } from './reference.ts'

export const defaultOcrLanguages: readonly string[] = ['spa']

/** Optional dependencies: a registry without scans can be installed without them (`--omit=optional`). */
const ocrPackages = ['tesseract.js', '@napi-rs/canvas']

export interface OcrModels {
  /** Codes of three letters (ISO 639-2), such as `spa`, a few of them with a script, such as `chi_sim`. */
  readonly languages: readonly string[]
  /** The folder with the model of every language. */
  readonly folder: string
}

/**
 * Parses the value of `--ocr-languages`: language codes separated by commas or plus signs. Returns the codes, or the
 * reason if a code is malformed or if OCR or a model is not installed, so that the command can refuse the flag at once.
 */
export function parseOcrLanguages(text: string): readonly string[] | string {
  const codes = [...new Set(text.split(/[,+]/).map((code) => code.trim()))]
  // Such as `spa`, or `chi_sim` for simplified Chinese.
  const isWellFormed = codes.every((code) => /^[a-z]{3}(?:_[a-z]+)?$/.test(code))
  if (!isWellFormed) return t`expected codes of three letters separated by commas: spa,cat`
  return describeMissing(codes) ?? codes
}

/**
 * Copies the models into one folder, because Tesseract takes only one folder. Throws `DocumentFault` if the model of a
 * language is not installed or a package of OCR cannot be loaded. Without these checks, OCR would fail in the worker
 * processes, and every page would count as damaged.
 */
export async function collectModels(languages: readonly string[], folder: string): Promise<OcrModels> {
  const missing = describeMissing(languages)
  if (missing !== undefined) throw new DocumentFault(t`Cannot recognise text: ${missing}`)
  for (const name of ocrPackages) {
    await import(name).catch((error: unknown) => {
      const reason = error instanceof Error ? error.message : String(error)
      throw new DocumentFault(t`Cannot recognise text: ${name} cannot be loaded: ${reason}; install it again`)
    })
  }
  await mkdir(folder, { recursive: true })
  for (const code of languages) await copyFile(findModel(code) ?? '', join(folder, `${code}.traineddata.gz`))
  return { languages, folder }
}

/** Says what is not installed; undefined if everything is. */
function describeMissing(languages: readonly string[]): string | undefined {
  const name = ocrPackages.find((each) => resolvePackage(each) === undefined)
  if (name !== undefined) return t`${name} is not installed; run npm install ${ocrPackages.join(' ')}`
  const code = languages.find((each) => findModel(each) === undefined)
  return code && t`the model of ${code} is not installed; run npm install @tesseract.js-data/${code}`
}

/**
 * Returns the path of the compressed model, or undefined if no package has it: the accurate model ("best"), in its
 * faster version with integer weights.
 */
function findModel(code: string): string | undefined {
  const manifest = resolvePackage(`@tesseract.js-data/${code}/package.json`)
  const path = manifest && join(dirname(manifest), '4.0.0_best_int', `${code}.traineddata.gz`)
  return path !== undefined && existsSync(path) ? path : undefined
}

function resolvePackage(name: string): string | undefined {
  try {
    return createRequire(import.meta.url).resolve(name)
  } catch {
    return undefined
  }
}

// Every limit on documents, with its unit last. What a limit cuts short costs that page or that document alone.
import { availableParallelism } from 'node:os'
import { machineBytes } from '../../memory.ts'

export interface DocumentLimits {
  readonly documentBytesMax: number
  readonly documentPagesMax: number
  readonly documentCharactersMax: number
  /** Documents under way at once, most of them waiting for a child or a host. */
  readonly documentsAtOnceMax: number
  readonly childrenMax: number
  /** Resident memory of one child: images and inflated streams live outside the JavaScript heap. */
  readonly childBytesMax: number
  /** From the start of a child, or from the last sign of it, to the document being open. */
  readonly openTimeoutMs: number
  readonly pageTimeoutMs: number
  readonly ocrPageTimeoutMs: number
  /** All pages of one document without OCR; OCR is bounded by its pages. */
  readonly documentTimeoutMs: number
  /** Pages of one document that may each cost a child before the document is given up. */
  readonly lostPagesMax: number
  readonly hostConnectionsMax: number
  readonly connectTimeoutMs: number
  /** Without any byte from the host. */
  readonly silenceTimeoutMs: number
  readonly downloadTimeoutMs: number
  readonly redirectsMax: number
  readonly attemptsMax: number
  /** Before the second attempt; doubles with each further one. */
  readonly retryDelayMs: number
  /** A host that asks for a longer pause than this (`Retry-After`) is left for the next import. */
  readonly retryAfterMsMax: number
}

const mebibyte = 1024 * 1024

/** One child a core, as far as half of the memory goes; one that recognises text needs more of it. */
function childrenFor(ocr: boolean): Pick<DocumentLimits, 'childrenMax' | 'childBytesMax'> {
  const memoryBytes = machineBytes()
  const leastBytes = (ocr ? 768 : 512) * mebibyte
  const roomFor = Math.floor(memoryBytes / 2 / leastBytes)
  const childrenMax = Math.max(1, Math.min(availableParallelism(), roomFor))
  const share = Math.floor(memoryBytes / 2 / childrenMax)
  return { childrenMax, childBytesMax: Math.max(leastBytes, Math.min(2048 * mebibyte, share)) }
}

export function toLimits(ocr: boolean, given: Partial<DocumentLimits> = {}): DocumentLimits {
  return {
    documentBytesMax: 256 * mebibyte,
    documentPagesMax: 20_000,
    documentCharactersMax: 10_000_000,
    documentsAtOnceMax: 32,
    ...childrenFor(ocr),
    openTimeoutMs: 30_000,
    pageTimeoutMs: 30_000,
    ocrPageTimeoutMs: 180_000,
    documentTimeoutMs: 600_000,
    lostPagesMax: 3,
    hostConnectionsMax: 2,
    connectTimeoutMs: 10_000,
    silenceTimeoutMs: 30_000,
    downloadTimeoutMs: 600_000,
    redirectsMax: 5,
    attemptsMax: 4,
    retryDelayMs: 1_000,
    retryAfterMsMax: 120_000,
    ...given,
  }
}

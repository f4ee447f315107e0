// The limits for the documents that an import reads: their size, the worker processes that read them, and their
// downloads. A page, a document or a host that exceeds a limit does not affect the others.
import { availableParallelism } from 'node:os'
import { memoryLimitBytes } from '../../memory.ts'

export interface DocumentLimits {
  /** A document with more bytes is not read at all. One with more pages or characters is read up to the limit. */
  readonly documentBytesMax: number
  readonly documentPagesMax: number
  readonly documentCharactersMax: number
  /** Documents processed concurrently; most of them wait for a worker or a host. */
  readonly concurrentDocumentsMax: number
  /** Worker processes, each of which reads one document at a time. */
  readonly workersMax: number
  /** Resident memory of one worker process, which includes images and inflated streams outside the JavaScript heap. */
  readonly workerBytesMax: number
  /** Time for each of two steps: a new worker loads its libraries, and a worker opens a document. */
  readonly openTimeoutMs: number
  /** Time for one page, without OCR and with it. */
  readonly pageTimeoutMs: number
  readonly ocrPageTimeoutMs: number
  /** Time to read one document without OCR (its text layer). For OCR, only the time for each page is limited. */
  readonly documentTimeoutMs: number
  /** A document counts as unreadable if more than this many of its pages make a worker fail. */
  readonly lostPagesMax: number
  /** Connections to one host. */
  readonly hostConnectionsMax: number
  readonly connectTimeoutMs: number
  /** Time without any byte from the host. */
  readonly idleTimeoutMs: number
  /** Time for one request, from its start to the last byte of the body. */
  readonly downloadTimeoutMs: number
  readonly redirectsMax: number
  /** Attempts to download one document, the first included. */
  readonly attemptsMax: number
  /** Pause before the second attempt. Before every further attempt, the pause is twice as long as the one before. */
  readonly retryDelayMs: number
  /** A host that asks for a longer pause (`Retry-After`) is not asked again in this import. */
  readonly retryAfterMsMax: number
  /**
   * A host is not asked again in this import if all requests to it, at least `failedRequestsMax` (download.ts), have
   * failed for this long.
   */
  readonly hostFailingMsMax: number
}

const mebibyte = 1024 * 1024

/**
 * The lowest values of `workerBytesMax`, without OCR and with it, and the highest. The lowest are enough for ordinary
 * documents.
 */
const workerMebibytesMin = 512
const workerMebibytesMinWithOcr = 768
const workerMebibytesMax = 2048

/**
 * The workers share half of the memory of the machine or container. There is one worker per core, or fewer if each
 * would get less than the minimum. A single worker gets the minimum even if half of the memory is less.
 */
function toWorkerLimits(withOcr: boolean): Pick<DocumentLimits, 'workersMax' | 'workerBytesMax'> {
  const availableBytes = memoryLimitBytes() / 2
  const workerBytesMin = (withOcr ? workerMebibytesMinWithOcr : workerMebibytesMin) * mebibyte
  const fittingWorkers = Math.floor(availableBytes / workerBytesMin)
  const workersMax = Math.max(1, Math.min(availableParallelism(), fittingWorkers))
  const shareBytes = Math.floor(availableBytes / workersMax)
  const workerBytesMax = Math.max(workerBytesMin, Math.min(workerMebibytesMax * mebibyte, shareBytes))
  return { workersMax, workerBytesMax }
}

/** Returns the default limits. Only tests give `overrides`, which replace some of them. */
export function toLimits(withOcr: boolean, overrides: Partial<DocumentLimits> = {}): DocumentLimits {
  return {
    documentBytesMax: 256 * mebibyte,
    documentPagesMax: 20_000,
    documentCharactersMax: 10_000_000,
    concurrentDocumentsMax: 32,
    ...toWorkerLimits(withOcr),
    openTimeoutMs: 30_000,
    pageTimeoutMs: 30_000,
    ocrPageTimeoutMs: 180_000,
    documentTimeoutMs: 600_000,
    lostPagesMax: 3,
    hostConnectionsMax: 2,
    connectTimeoutMs: 10_000,
    idleTimeoutMs: 30_000,
    downloadTimeoutMs: 600_000,
    redirectsMax: 5,
    attemptsMax: 4,
    retryDelayMs: 1_000,
    retryAfterMsMax: 120_000,
    hostFailingMsMax: 60_000,
    ...overrides,
  }
}

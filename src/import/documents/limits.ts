// The limits for the documents that an import reads: their size, the worker processes that read them, and their
// downloads. A page, a document or a host that exceeds a limit does not affect the others.
import { availableParallelism } from 'node:os'
import { memoryLimitBytes } from '../../memory.ts'

const mebibyte = 1024 * 1024

const fixedLimits = {
  // 256 MiB: a document with more bytes is not read at all. One with more pages or characters is read up to the limit.
  documentBytesMax: 268_435_456,
  documentPagesMax: 20_000,
  documentCharactersMax: 10_000_000,
  // Documents processed concurrently; most of them wait for a worker or a host.
  concurrentDocumentsMax: 32,
  // Time for each of two steps: a new worker loads its libraries, and a worker opens a document.
  openTimeoutMs: 30_000,
  // Time for one page, without OCR and with it.
  pageTimeoutMs: 30_000,
  ocrPageTimeoutMs: 180_000,
  // Time to read one document without OCR (its text layer). For OCR, only the time for each page is limited.
  documentTimeoutMs: 600_000,
  // A document counts as unreadable if more than this many of its pages make a worker fail.
  lostPagesMax: 3,
  // Connections to one host.
  hostConnectionsMax: 2,
  connectTimeoutMs: 10_000,
  // Time without any byte from the host.
  idleTimeoutMs: 30_000,
  // Time for one request, from its start to the last byte of the body.
  downloadTimeoutMs: 600_000,
  redirectsMax: 5,
  // Attempts to download one document, the first included.
  attemptsMax: 4,
  // Pause before the second attempt. Before every further attempt, it is twice as long as before.
  retryDelayMs: 1_000,
  // A host that asks for a longer pause (`Retry-After`) is not asked again in this import.
  retryAfterMsMax: 120_000,
  // A host is not asked again in this import if all requests to it, at least `failedRequestsMax` (download.ts), have
  // failed for this long.
  hostFailingMsMax: 60_000,
}

/**
 * `workersMax` is the number of worker processes, each of which reads one document at a time, and `workerBytesMax` the
 * resident memory of one, which includes images and inflated streams outside the JavaScript heap.
 */
export type DocumentLimits = Readonly<Record<keyof typeof fixedLimits | 'workersMax' | 'workerBytesMax', number>>

/** The lowest values of `workerBytesMax`, which are enough for ordinary documents, and the highest. */
const workerBytesMin = 512 * mebibyte
const workerBytesMinWithOcr = 768 * mebibyte
const workerBytesHighest = 2048 * mebibyte

/**
 * Only tests give `overrides`, which replace some of the limits. The workers share half of the memory of the machine or
 * container. There is one worker per core, or fewer if each would get less than the minimum. A single worker gets the
 * minimum even if half of the memory is less.
 */
export function toLimits(withOcr: boolean, overrides: Partial<DocumentLimits> = {}): DocumentLimits {
  const availableBytes = memoryLimitBytes() / 2
  const bytesMin = withOcr ? workerBytesMinWithOcr : workerBytesMin
  const workersMax = Math.max(1, Math.min(availableParallelism(), Math.floor(availableBytes / bytesMin)))
  const shareBytes = Math.floor(availableBytes / workersMax)
  const workerBytesMax = Math.max(bytesMin, Math.min(workerBytesHighest, shareBytes))
  return { ...fixedLimits, workersMax, workerBytesMax, ...overrides }
}

// Worker thread of an import (analyser-pool.ts): answers each batch of records with their tokens.
import assert from 'node:assert/strict'
import { parentPort } from 'node:worker_threads'
import type { AnalysedBatch, TextBatch } from './analyser-pool.ts'
import { takeInflections, toRecordTokens } from './tokens.ts'

assert.ok(parentPort, 'runs in a worker thread')
const port = parentPort
port.on('message', ({ number, records }: TextBatch) => {
  const tokens = records.map(toRecordTokens)
  port.postMessage({ number, tokens, inflections: takeInflections() } satisfies AnalysedBatch)
})

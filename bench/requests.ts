// Requests: every kind of question against the bare runtime sending an answer of the same bytes and headers, and
// against nginx sending it from a file where nginx is installed.
import { mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { StoredAnswer } from './contestants/bare.ts'
import { startNginx } from './contestants/nginx.ts'
import { type Contestant, startBare, startOurs } from './contestants/start.ts'
import { type Bar, measureLoads, type Rounds, type Row } from './measure.ts'
import { drawQuestions, type Questions } from './questions.ts'
import type { BenchRegistry } from './registries.ts'

const firstPageBar: Bar = { atLeast: 0.35 }
const bars: Readonly<Record<string, Bar>> = {
  'lookup by code': { atLeast: 0.6 },
  'rare word': firstPageBar,
  'very common word': firstPageBar,
  'two words': firstPageBar,
  phrase: firstPageBar,
  'word + municipality + year': firstPageBar,
  prefix: { atMost: 5, of: 'p99Ms' },
}

export async function benchRequests(registry: BenchRegistry, rounds: Rounds, only?: readonly string[]): Promise<Row[]> {
  const rows: Row[] = []
  const all = drawQuestions(registry.path, only)
  const ours = await startOurs(`sqlite:${registry.path}`)
  try {
    // First, while the process has done nothing else: the limit it is held against has done nothing else either.
    rows.push(...(await benchHot(registry.records, ours, rounds, only)))
    for (const questions of all) rows.push(...(await benchQuestions(registry.records, ours, questions, rounds)))
    const lookups = only === undefined ? all.filter(({ work }) => work === 'lookup by code') : []
    for (const questions of lookups) {
      for (const connections of [1, 256]) {
        rows.push(...(await benchQuestions(registry.records, ours, questions, rounds, connections)))
      }
    }
  } finally {
    await ours.stop()
  }
  return rows
}

async function benchQuestions(
  records: number,
  ours: Contestant,
  questions: Questions,
  rounds: Rounds,
  connections = 32,
): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.origin)
  const paths = questions.paths.map((path) => `${pathname}/${path}`)
  const answers = await Promise.all(paths.slice(0, answersCompared).map((path) => fetchAnswer(origin, path)))
  return againstReferences(answers, (bare, nginx) => {
    const load = (target: string, asked: readonly string[]) => ({
      origin: target,
      paths: asked,
      connections,
      seconds: 1,
    })
    const entrants = [
      { name: ours.name, load: load(origin, paths), cpuSeconds: ours.cpuSeconds },
      // A list of its own: where ours goes on in the next round is remembered by the list.
      { name: bare.name, load: load(bare.origin, [...paths]), cpuSeconds: bare.cpuSeconds },
      ...(nginx === null
        ? []
        : [{ name: nginx.name, load: load(nginx.origin, ['/answer']), cpuSeconds: nginx.cpuSeconds }]),
    ]
    const work = connections === 32 ? questions.work : `${questions.work}, ${connections} connections`
    // The bar is set for one worker at 32 connections on the largest registry.
    const bar = connections === 32 ? bars[questions.work] : undefined
    return measureLoads(records, work, entrants, rounds, bar)
  })
}

/** The same question again, whole and as 304. */
async function benchHot(
  records: number,
  ours: Contestant,
  rounds: Rounds,
  only: readonly string[] | undefined,
): Promise<Row[]> {
  const { origin, pathname } = new URL(ours.origin)
  const path = `${pathname}/record?search=plan&limit=20`
  const rows: Row[] = []
  const whole = await fetchAnswer(origin, path)
  const tag = whole.headers[whole.headers.findIndex((name) => name.toLowerCase() === 'etag') + 1] ?? ''
  const works = [
    { work: 'hot answer', headers: {}, bar: { atLeast: 0.85 } },
    { work: 'hot answer, 304 by ETag', headers: { 'If-None-Match': tag }, bar: { atLeast: 0.85 } },
  ]
  for (const { work, headers, bar } of works) {
    if (only !== undefined && !only.includes(work)) continue
    const answer = await fetchAnswer(origin, path, headers)
    const measured = await againstReferences([answer], (bare) => {
      const load = (target: string, asked: string) => ({
        origin: target,
        paths: [asked],
        connections: 32,
        seconds: 1,
        headers,
      })
      const entrants = [
        { name: ours.name, load: load(origin, path), cpuSeconds: ours.cpuSeconds },
        { name: bare.name, load: load(bare.origin, path), cpuSeconds: bare.cpuSeconds },
      ]
      return measureLoads(records, work, entrants, rounds, bar)
    })
    rows.push(...measured)
  }
  return rows
}

interface SentAnswer {
  readonly status: number
  readonly headers: readonly string[]
  readonly body: Uint8Array
}

/** So many answers of a kind are what the references send in turn: of some kinds they differ much in size. */
const answersCompared = 251

/** nginx sends the one of middle size. */
async function againstReferences(
  answers: readonly SentAnswer[],
  measure: (bare: Contestant, nginx: Contestant | null) => Promise<Row[]>,
): Promise<Row[]> {
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  const answerFile = join(folder, 'answers.json')
  const stored = answers.map(({ status, headers, body }): StoredAnswer => {
    return { status, headers: [...headers], body: Buffer.from(body).toString('base64') }
  })
  writeFileSync(answerFile, JSON.stringify(stored))
  const middle = answers.toSorted((a, b) => a.body.length - b.body.length)[answers.length >> 1]
  if (middle === undefined) throw new Error('no answer to compare with')
  writeFileSync(join(folder, 'answer'), middle.body)
  const bare = await startBare(answerFile)
  const nginx = middle.status === 200 ? await startNginx(folder) : null
  try {
    return await measure(bare, nginx)
  } finally {
    await Promise.all([bare.stop(), nginx?.stop()])
  }
}

/** Connection headers are the server's own affair, as is the date. */
const ownHeaders = ['connection', 'keep-alive', 'date', 'transfer-encoding']

async function fetchAnswer(origin: string, path: string, headers: Record<string, string> = {}): Promise<SentAnswer> {
  const response = await fetch(origin + path, { headers: { ...headers, 'Accept-Encoding': 'identity' } })
  return {
    status: response.status,
    headers: [...response.headers].filter(([name]) => !ownHeaders.includes(name)).flat(),
    body: await response.bytes(),
  }
}

// A registry that is sound finds its own records: searches for the titles of a few of them, on any engine.

import { analyseTerm } from '../analysis/analyser.ts'
import type { MaybePromise } from '../maybe-promise.ts'
import type { Snapshot } from './contract.ts'

/** Records whose own title is searched for. */
const probesMax = 8

export interface Probe {
  /** Folded. */
  readonly code: string
  readonly wire: string
}

/** One sentence for each record, of a few spread over the registry, that its own title does not find. */
export async function probeTitles(
  snapshot: Snapshot,
  readProbe: (position: number) => MaybePromise<Probe | undefined>,
): Promise<string[]> {
  const faults: string[] = []
  const step = Math.max(1, Math.floor(snapshot.facts.records / probesMax))
  for (let position = 0; position < snapshot.facts.records; position += step) {
    const probe = await readProbe(position)
    if (probe === undefined) continue
    const { title } = JSON.parse(probe.wire) as { title: string }
    const term = analyseTerm(title.replaceAll(/["“”«»*]/g, ' '))
    if (term.clauses.length === 0) continue
    const page = await snapshot.page({ code: probe.code, term, limit: 1 })
    if (page === null) faults.push(`${probe.code} is not found by the words of its title`)
  }
  return faults
}

// `municipality` and `summary`: what there is in the registry, and how much of it matches.
import type { WireMunicipality, WireSummary } from '../record/wire.ts'
import type { MunicipalityFacts, RegistryStore, Snapshot, Summary } from '../store/store.ts'
import type { Answer, Ask } from './answer.ts'
import { toJsonHeaders, toProblemAnswer, toTag, toWholeAnswer } from './answer.ts'
import { findUnchanged } from './conditional.ts'
import { filterParameters, parseAsked, toQuestion } from './parse.ts'
import { Problem } from './problems.ts'
import { whyEmpty } from './why-empty.ts'

/** The municipalities that have records, by name. */
export async function answerMunicipalities(ask: Ask, store: RegistryStore): Promise<Answer> {
  const asked = parseAsked(ask.target.query, [])
  if (asked instanceof Problem) return toProblemAnswer(asked, ask)
  const snapshot = store.current()
  const tag = toTag(snapshot.facts.id, ['municipality'])
  const unchanged = findUnchanged(ask, tag, toJsonHeaders(snapshot))
  if (unchanged !== undefined) return unchanged
  const body = { municipalities: snapshot.municipalities.map(toWireMunicipality) }
  return toWholeAnswer(ask, tag, toJsonHeaders(snapshot), toJson(body), snapshot)
}

/** How many records match the filters, by year and by municipality. */
export async function answerSummary(ask: Ask, store: RegistryStore): Promise<Answer> {
  const asked = parseAsked(ask.target.query, filterParameters)
  if (asked instanceof Problem) return toProblemAnswer(asked, ask)
  const snapshot = store.current()
  const tag = toTag(snapshot.facts.id, toQuestion('summary', asked.values))
  const unchanged = findUnchanged(ask, tag, toJsonHeaders(snapshot))
  if (unchanged !== undefined) return unchanged
  const summary = await snapshot.summarise(asked.query, ask.patience)
  if (summary.total === 0) return toProblemAnswer(await whyEmpty(asked, snapshot, ask.patience), ask)
  const body = toSummaryBody(summary, snapshot)
  return toWholeAnswer(ask, tag, toJsonHeaders(snapshot), body, snapshot)
}

function toWireMunicipality(facts: MunicipalityFacts): WireMunicipality {
  return {
    name: facts.name,
    ine_code: facts.ineCode,
    other_names: [...facts.otherNames],
    records: facts.records,
    first_year: facts.firstYear,
    last_year: facts.lastYear,
  }
}

/**
 * A `WireSummary` as JSON. A country has 8,000 municipalities: it is made of the ends of its parts, and a piece at a
 * time, since a text of its whole length would be garbage that only a long collection takes away.
 */
function toSummaryBody({ total, byYear, byMunicipality }: Summary, snapshot: Snapshot): Buffer {
  const beginnings = toBeginnings(snapshot)
  const years: WireSummary['by_year'] = byYear.map(({ year, records }) => ({ year, records }))
  let text = `{"total":${total},"by_year":${JSON.stringify(years)},"by_municipality":[`
  let bytesMax = text.length + ']}'.length
  for (const { municipality } of byMunicipality) bytesMax += (beginnings[municipality] ?? '').length + countedBytesMax
  const body = Buffer.allocUnsafeSlow(bytesMax)
  let end = 0
  for (const [index, { municipality, records }] of byMunicipality.entries()) {
    text += `${index === 0 ? '' : ','}${beginnings[municipality]}${records}}`
    if (text.length < pieceCharacters) continue
    end += body.write(text, end, 'latin1')
    text = ''
  }
  end += body.write(`${text}]}`, end, 'latin1')
  return body.subarray(0, end)
}

/** Of a number of records, and what stands around it. */
const countedBytesMax = ',4294967295}'.length
const pieceCharacters = 8 * 1024

/** For each municipality what stands before its number of records, made once for all summaries of a snapshot. */
function toBeginnings(snapshot: Snapshot): readonly string[] {
  const made = beginningsOf.get(snapshot)
  if (made !== undefined) return made
  const beginnings = snapshot.municipalities.map(({ name, ineCode }) => {
    const counted: WireSummary['by_municipality'][number] = { name, ine_code: ineCode, records: 0 }
    return toJson(counted).toString('latin1').slice(0, -'0}'.length)
  })
  beginningsOf.set(snapshot, beginnings)
  return beginnings
}

const beginningsOf = new WeakMap<Snapshot, readonly string[]>()

function toJson(body: unknown): Buffer {
  return Buffer.from(JSON.stringify(body))
}

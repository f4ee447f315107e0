// What the service writes into the head of the page about itself (src/api/page.ts): whose registry this is, of when,
// and whether it is the fictional sample.

export interface Instance {
  /** As its operator calls it; null where the operator has not named it. */
  readonly name: string | null
  readonly publisher: string | null
  readonly refreshed: Date | null
  readonly isFictional: boolean
}

export function readInstance(): Instance {
  const dataset = readDataset()
  const moment = new Date(typeof dataset.dateModified === 'string' ? dataset.dateModified : '')
  const publisher = typeof dataset.publisher === 'object' && dataset.publisher !== null ? dataset.publisher : {}
  return {
    name: toGiven(dataset.name, 'Urban-planning records'),
    publisher: toGiven('name' in publisher ? publisher.name : null, 'Planning registry'),
    refreshed: Number.isNaN(moment.getTime()) ? null : moment,
    isFictional: document.querySelector('meta[name="registry"][content="fictional"]') !== null,
  }
}

/** The schema.org `Dataset`. */
function readDataset(): Readonly<Record<string, unknown>> {
  try {
    const text = document.querySelector('script[type="application/ld+json"]')?.textContent ?? '{}'
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** A setting left at its default (src/cli/config.ts) is not a name: the page has better words in two languages. */
function toGiven(value: unknown, whenUnset: string): string | null {
  return typeof value === 'string' && value !== '' && value !== whenUnset ? value : null
}

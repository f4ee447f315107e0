// Reads what the service writes into the head of the page (src/api/page.ts): the name, publisher and date of the
// registry, and whether it is the fictional sample.

export interface Instance {
  /** The name given by the operator; null if there is none. */
  readonly name: string | null
  readonly publisher: string | null
  readonly refreshedAt: Date | null
  readonly isFictional: boolean
}

export function readInstance(): Instance {
  const dataset = readDataset()
  const modifiedAt = new Date(typeof dataset.dateModified === 'string' ? dataset.dateModified : '')
  const publisher = typeof dataset.publisher === 'object' && dataset.publisher !== null ? dataset.publisher : {}
  return {
    name: toCustomValue(dataset.name, 'Urban-planning records'),
    publisher: toCustomValue('name' in publisher ? publisher.name : null, 'Planning registry'),
    refreshedAt: Number.isNaN(modifiedAt.getTime()) ? null : modifiedAt,
    isFictional: document.querySelector('meta[name="registry"][content="fictional"]') !== null,
  }
}

/** The schema.org `Dataset` in the head of the page. */
function readDataset(): Readonly<Record<string, unknown>> {
  try {
    const text = document.querySelector('script[type="application/ld+json"]')?.textContent ?? '{}'
    return JSON.parse(text) as Record<string, unknown>
  } catch {
    return {}
  }
}

/** Null for a setting left at its default (src/cli/config.ts): the page has its own text in both languages. */
function toCustomValue(value: unknown, defaultValue: string): string | null {
  return typeof value === 'string' && value !== '' && value !== defaultValue ? value : null
}

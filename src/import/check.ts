// The command `planning-registry check`: verifies a published registry and, with `--links`, lists dead links to
// documents. A registry is sound if no fault is found in it. Exit status: 0 sound, 1 not sound or with dead links, 2
// wrong usage, unreachable database, or no link that could be checked.
import { checkSettings } from '../cli/commands.ts'
import { type Invocation, UsageFault } from '../cli/config.ts'
import { ignoreErrors, printText } from '../cli/output.ts'
import { startProgress } from '../cli/progress.ts'
import { sharedSettings } from '../cli/shared-settings.ts'
import type { WireRecord } from '../domain/record.ts'
import { t, toCount, toQuantity } from '../language.ts'
import type { CheckResult, RegistryStore, Snapshot } from '../registry/contract.ts'
import { checkStore, type DataOptions, openStore, saveLinkCheck, showDatabase } from '../registry/open.ts'
import { checkEachLink, type Link, type LinkOptions, type LinkOutcome, type LinkOutcomes } from './links.ts'

/** Returns the exit status. */
export async function runCheck(invocation: Invocation): Promise<number> {
  const { database, dataDir, allowInsecure } = sharedSettings.read(invocation)
  const { full, links } = checkSettings.read(invocation)
  // A failed write of the progress must not end the command: the reader of standard error may have closed the pipe.
  ignoreErrors(process.stderr)
  const options = { dataDir, allowInsecure }
  const result = await checkStore(database, { ...options, full })
  await printText(toText(showDatabase(database), result))
  if (result.faults.length > 0) return 1
  if (!links) return 0
  const findings = await checkLinks(database, options)
  await printText(toLinksText(findings))
  return findings.dead.length > 0 ? 1 : 0
}

/** Returns what the command prints, except about links. `database` is the address without its password. */
export function toText(database: string, { metadata, faults, recordsWithoutText, documents }: CheckResult): string {
  const lines = [faults.length === 0 ? t`${database} is sound` : t`${database} is not sound`]
  // Several damaged tables may have the same fault.
  for (const fault of new Set(faults)) lines.push(toLine(t`fault`, fault))
  if (faults.length > 0) {
    lines.push(
      toLine(
        t`to fix`,
        t`import the registry again with --rebuild, or restore a backup; do not trust its records until then`,
      ),
    )
  }
  if (metadata !== null) {
    const { id, publishedAt, records, fictional } = metadata
    lines.push(toLine(t`snapshot`, t`${id}, published ${publishedAt.toISOString()}`))
    lines.push(toLine(t`records`, fictional ? t`${records}, fictional` : toCount(records)))
    const withoutText = toQuantity(recordsWithoutText, 'record')
    lines.push(toLine(t`without text`, t`${withoutText} searchable by title and area only`))
    const { pages, read, recognised, unread } = documents
    const counts = t`${toQuantity(pages, 'page')}: ${read} read, ${recognised} recognised, ${unread} unread`
    lines.push(toLine(t`documents`, counts))
    if (documents.withoutText) lines.push(toLine('', t`${toQuantity(documents.withoutText, 'document')} without text`))
  }
  return `${lines.join('\n')}\n`
}

/** Width of the first column: the length of `without text`, the longest label in either language. */
const labelWidth = 12

function toLine(label: string, text: string): string {
  return `  ${label.padEnd(labelWidth)}  ${text}`
}

/** Time between two saves. */
const saveIntervalMs = 60_000

export interface LinkFindings {
  /** Number of links that work or are dead. */
  readonly checked: number
  /** In the order of the records. A link that was not checked stays dead if it was dead at the last check. */
  readonly dead: readonly (Link & { readonly reason: string })[]
  readonly notChecked: readonly Link[]
}

/**
 * Checks all links of the registry, and saves the dead ones for its pages: now and then, so that little is lost if the
 * command is interrupted, and at the end. Throws `UsageFault` if no link can be checked. `options` are for tests.
 */
export async function checkLinks(database: string, options: LinkOptions & DataOptions = {}): Promise<LinkFindings> {
  await using resources = new AsyncDisposableStack()
  const store = await openStore(database, { dataDir: options.dataDir, allowInsecure: options.allowInsecure })
  resources.defer(() => store.close())
  const links = await readLinks(store.current())
  const deadBefore = await readDeadBefore(store, links)
  const progress = startProgress()
  resources.defer(() => progress.end())
  const checkedAt = new Date()
  let savedAt = performance.now()
  const outcomes = await checkEachLink(links, {
    ...options,
    onProgress: async (known, done) => {
      progress.report('checking links', done, links.length)
      if (performance.now() - savedAt < saveIntervalMs) return
      savedAt = performance.now()
      await saveFindings(database, checkedAt, toFindings(links, known, deadBefore), options)
    },
  })
  progress.end()
  const findings = toFindings(links, outcomes, deadBefore)
  if (findings.checked === 0 && links.length > 0)
    throw new UsageFault(
      t`Cannot check links: there is no network, or all hosts are busy; try again later (the dead links of the last check are kept)`,
    )
  await saveFindings(database, checkedAt, findings, options)
  return findings
}

function toFindings(links: readonly Link[], outcomes: LinkOutcomes, deadBefore: ReadonlySet<string>): LinkFindings {
  const isChecked = (outcome: LinkOutcome | undefined): boolean => outcome !== undefined && outcome !== 'not checked'
  return {
    checked: outcomes.filter(isChecked).length,
    dead: links.flatMap((link, index) => {
      const outcome = outcomes[index]
      if (typeof outcome === 'object') return { ...link, ...outcome }
      const staysDead = !isChecked(outcome) && deadBefore.has(link.address)
      return staysDead ? { ...link, reason: t`dead at the last check, and not checked now` } : []
    }),
    notChecked: links.filter((_, index) => !isChecked(outcomes[index])),
  }
}

/** Stores the dead links in the registry, whose web pages mark them. A failure is only printed: the check goes on. */
async function saveFindings(
  database: string,
  checkedAt: Date,
  { checked, dead }: LinkFindings,
  options: DataOptions,
): Promise<void> {
  if (checked === 0) return
  try {
    await saveLinkCheck(database, { checkedAt, dead: dead.map(({ address }) => address) }, options)
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error)
    process.stderr.write(`planning-registry: ${t`The pages will not show the dead links: ${reason}`}\n`)
  }
}

/** The most links that `readDeadBefore` looks up at a time. */
const batchLinksMax = 1000

/** Returns the addresses that were dead at the last check. */
async function readDeadBefore(store: RegistryStore, links: readonly Link[]): Promise<ReadonlySet<string>> {
  const found = new Set<string>()
  for (let first = 0; first < links.length; first += batchLinksMax) {
    const batch = links.slice(first, first + batchLinksMax)
    const lastCheck = await store.readLinkCheck(batch.map(({ address }) => address))
    for (const address of lastCheck?.dead ?? []) found.add(address)
  }
  return found
}

/** Returns every address once, with the id of the first record that has it. */
async function readLinks(snapshot: Snapshot): Promise<Link[]> {
  const idsByAddress = new Map<string, string>()
  // A query without conditions finds every record.
  for await (const batch of snapshot.search({})) {
    // A batch is a list of JSON objects with commas between them.
    const records = JSON.parse(`[${Buffer.from(batch.bytes).toString()}]`) as WireRecord[]
    for (const record of records) {
      // `links` is a single address in spite of its name.
      for (const address of [record.links, record.agreement_link ?? ''])
        if (address !== '' && !idsByAddress.has(address)) idsByAddress.set(address, record.id)
    }
  }
  return Array.from(idsByAddress, ([address, id]) => ({ id, address }))
}

/** Returns what the command prints about links: a summary, and one line for each dead link. */
export function toLinksText({ checked, dead, notChecked }: LinkFindings): string {
  const counts =
    notChecked.length === 0
      ? t`${checked} checked, ${dead.length} dead`
      : t`${checked} checked, ${dead.length} dead, ${notChecked.length} not checked (no network, or a busy host)`
  const lines = [toLine(t`links`, counts)]
  for (const { id, address, reason } of dead) lines.push(`    ${id}  ${address}  ${reason}`)
  return `${lines.join('\n')}\n`
}

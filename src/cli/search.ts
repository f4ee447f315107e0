// `planning-registry search`: searches a database or a running service through the client and prints the records.
// The exit status is 0 if records were found, 1 if none, 2 after an error.
import { RegistryError, type SearchFilters, type WireProblem } from '../client/client.ts'
import { filterNames, toFlag } from '../domain/parameters.ts'
import { t } from '../language.ts'
import { searchSettings } from './commands.ts'
import { type Invocation, supportsStyle, UsageFault } from './config.ts'
import { connect } from './connect.ts'
import { csvFormat, csvPassagesFormat, type Format, jsonFormat, ndjsonFormat, tableFormat } from './formats.ts'
import { openOutput } from './output.ts'
import { describeError, describeProblem } from './problem-text.ts'
import { plainStyle, terminalStyle, toPrintable } from './style.ts'

/** The default of --limit for a table on a terminal; otherwise all records are printed. */
const terminalLimitDefault = 50

/** What the flags of the command ask for. */
interface SearchOptions {
  readonly filters: SearchFilters
  readonly withPassages: boolean
  /** Whether the output is a table, which is the default. */
  readonly isTable: boolean
  readonly format: Format
  /** Undefined if all records are printed. */
  readonly limit: number | undefined
  /** Whether the user has not given a limit. */
  readonly isDefaultLimit: boolean
}

/** Returns the exit status. */
export async function runSearch(invocation: Invocation): Promise<number> {
  const stream = process.stdout
  const { filters, withPassages, isTable, format, limit, isDefaultLimit } = parseOptions(invocation, stream)
  const connection = await connect(invocation)
  const output = openOutput(stream)
  try {
    if (connection.hasFictionalRecords) warn(t`This is the bundled sample: every record in it is fictional`)
    let printedCount = 0
    /** Set if the search finds nothing. */
    let emptyReason: WireProblem | undefined
    const onEmpty = (problem: WireProblem): void => {
      emptyReason = problem
    }
    const records = connection.client.search(filters, {
      include: withPassages ? ['cod_archivo', 'documents', 'passages'] : ['cod_archivo'],
      // One more record than the limit tells that there are more.
      limit: Math.min(withPassages ? passagePageRecords : pageRecords, (limit ?? pageRecords) + 1),
      onEmpty,
    })
    for await (const record of records) {
      // If the limit is reached, this record is beyond it: the result has more than is printed.
      if (printedCount === limit) {
        if (isDefaultLimit) warn(t`Showing the first ${limit}; use --limit for more`)
        break
      }
      const text = `${printedCount === 0 ? format.header : ''}${format.toLine(record, printedCount)}`
      // A reader such as `head` closes the pipe when it has enough.
      const isReaderOpen = await output.write(text)
      if (!isReaderOpen) return 0
      printedCount += 1
    }
    if (emptyReason !== undefined) {
      warn(describeProblem(emptyReason, filters))
      // JSON and CSV need their header and footer to be valid without records. A table would be a lone heading.
      if (!isTable) await output.write(format.header + format.footer)
      return 1
    }
    await output.write(format.footer)
    return 0
  } catch (error) {
    if (!(error instanceof RegistryError)) throw error
    // For a local database the cause says more than "unreachable"; main.ts prints it.
    if (error.kind === 'unreachable' && connection.isLocal) throw error.cause
    warn(describeError(error, filters))
    return 2
  } finally {
    await output.flush()
    await connection.close()
  }
}

/** Throws a `UsageFault` if flags are wrong or contradict each other. `stream` is where the records are printed. */
function parseOptions(invocation: Invocation, stream: NodeJS.WriteStream): SearchOptions {
  const filters = parseFilters(invocation)
  const values = searchSettings.read(invocation)
  const [flag, ...otherFlags] = formatFlags.filter((each) => values[each])
  if (flag !== undefined && otherFlags.length > 0)
    throw new UsageFault(t`Cannot combine --${[flag, ...otherFlags].join(`${t` and `}--`)}: choose one`)
  if (values.passages && filters.search === undefined)
    throw new UsageFault(t`Cannot show passages: give the words to look for, as in search molinos --passages`)
  const isTable = flag === undefined
  return {
    filters,
    withPassages: values.passages,
    isTable,
    format: toFormat(flag, filters.search, stream, values.passages),
    limit: values.limit ?? (isTable && stream.isTTY ? terminalLimitDefault : undefined),
    isDefaultLimit: values.limit === undefined,
  }
}

/** Records per page without and with passages; the service allows up to 1000 and 100. */
const pageRecords = 1000
const passagePageRecords = 50

/** The flags that choose an output format. Without one of them it is a table. */
const formatFlags = ['json', 'ndjson', 'csv'] as const

/** The filters that the flags set. The operands are the words of the search term. */
function parseFilters(invocation: Invocation): SearchFilters {
  const filters: Partial<Record<keyof SearchFilters, string>> = {}
  for (const name of filterNames) {
    const flag = toFlag(name)
    const value = flag === null ? undefined : invocation.value(flag)
    if (value !== undefined) filters[name === 'cod_archivo' ? 'code' : name] = value
  }
  if (invocation.positionals.length > 0) filters.search = invocation.positionals.join(' ')
  return filters
}

function toFormat(
  flag: (typeof formatFlags)[number] | undefined,
  search: string | undefined,
  stream: NodeJS.WriteStream,
  withPassages: boolean,
): Format {
  switch (flag) {
    case 'json':
      return jsonFormat
    case 'ndjson':
      return ndjsonFormat
    case 'csv':
      return withPassages ? csvPassagesFormat : csvFormat
    case undefined:
      return tableFormat({
        width: stream.isTTY ? stream.columns : undefined,
        style: supportsStyle(stream) ? terminalStyle : plainStyle,
        search,
        withPassages,
      })
  }
}

/** Writes a line to standard error. */
function warn(message: string): void {
  process.stderr.write(`planning-registry: ${toPrintable(message)}\n`)
}

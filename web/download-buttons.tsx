// Buttons that download the whole result, with a progress bar and a button to cancel.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import type { SearchFilters } from '../src/client/client.ts'
import { download, type Format, openSink } from './download.ts'
import { useLocale } from './locale-context.ts'
import { type Search, toFilters } from './search-url.ts'
import { callWithRetry } from './service.ts'
import type { Strings } from './strings.ts'

export interface DownloadButtonsProps {
  readonly search: Search
  /** Null until the records are counted. */
  readonly total: number | null
}

type DownloadState =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly file: string }
  | { readonly kind: 'failed' }

export function DownloadButtons({ search, total }: DownloadButtonsProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const [state, setState] = useState<DownloadState>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  // A new search removes the message of the last download; a download that is running goes on.
  useEffect(() => {
    if (running.current === null) setState({ kind: 'idle' })
  }, [search])

  const start = async (format: Format): Promise<void> => {
    const file = toFileName(search, format)
    const sink = await openSink(file, format)
    if (sink === null) return
    const controller = new AbortController()
    running.current = controller
    setState({ kind: 'running', done: 0, total })
    try {
      const searches = await toSearches(search, controller.signal)
      const onProgress = (done: number): void => setState({ kind: 'running', done, total })
      await download(
        { searches, format, csvSeparator: strings.csvSeparator, onProgress, signal: controller.signal },
        sink,
      )
      setState({ kind: 'done', file })
    } catch {
      setState({ kind: controller.signal.aborted ? 'idle' : 'failed' })
    }
    running.current = null
  }

  return (
    <div class="download">
      {state.kind === 'running' ? (
        <>
          <label class="progress">
            <span>
              {strings.downloading(formatNumber(state.done), state.total === null ? '…' : formatNumber(state.total))}
            </span>
            <progress {...(state.total === null ? {} : { max: state.total, value: state.done })} />
          </label>
          <button type="button" class="quiet" onClick={() => running.current?.abort()}>
            {strings.cancel}
          </button>
        </>
      ) : (
        <>
          <span class="visually-hidden">{strings.download}</span>
          {formats.map((format) => (
            <button
              key={format}
              type="button"
              class="tag"
              aria-label={strings.downloadAll(format)}
              onClick={() => start(format)}
            >
              ↓ {format}
            </button>
          ))}
        </>
      )}
      <span class={state.kind === 'failed' ? 'download-failed' : 'visually-hidden'} role="status">
        {toStatusText(state, strings)}
      </span>
    </div>
  )
}

const formats: readonly Format[] = ['CSV', 'JSON']

/** What a screen reader announces when the download ends. */
function toStatusText(state: DownloadState, strings: Strings): string {
  if (state.kind === 'done') return strings.downloadDone(state.file)
  return state.kind === 'failed' ? strings.downloadFailed : ''
}

/** One search, or one for each year of a range that has records, newest first. */
async function toSearches(search: Search, signal: AbortSignal): Promise<SearchFilters[]> {
  const { years } = search
  if (years === null || years.from === years.to) return [toFilters(search, years?.from ?? null)]
  const outcome = await callWithRetry((client, options) => client.summary(toFilters(search, null), options), signal)
  if (outcome.kind !== 'found') throw new Error('Cannot download: the records of each year could not be counted')
  return outcome.value.by_year
    .filter(({ year }) => year >= years.from && year <= years.to)
    .map(({ year }) => toFilters(search, year))
    .toReversed()
}

const fileNameCharactersMax = 80

/** `expedientes-plan-parcial-avila-2004-2008.csv` */
function toFileName(search: Search, format: Format): string {
  const parts = [
    search.words,
    search.municipality,
    search.years === null ? '' : `${search.years.from}-${search.years.to}`,
  ]
  const name = ['expedientes', ...parts]
    .join(' ')
    .normalize('NFD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/[^a-z0-9]+/g, '-')
    .replace(/^-|-$/g, '')
  return `${name.slice(0, fileNameCharactersMax)}.${format.toLowerCase()}`
}

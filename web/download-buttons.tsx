// Download of the whole current result, with its progress and a way to stop it.
import type { JSX } from 'preact'
import { useEffect, useRef, useState } from 'preact/hooks'
import { download, type Format, openSink } from './download.ts'
import { useLocale } from './locale-context.ts'
import { type Search, toServiceQuery } from './search-url.ts'
import { askPatiently, type WireSummary } from './service.ts'

export interface DownloadButtonsProps {
  readonly search: Search
  /** Null while it is being counted. */
  readonly total: number | null
}

type Stage =
  | { readonly kind: 'idle' }
  | { readonly kind: 'running'; readonly done: number; readonly total: number | null }
  | { readonly kind: 'done'; readonly file: string }
  | { readonly kind: 'failed' }

export function DownloadButtons({ search, total }: DownloadButtonsProps): JSX.Element {
  const { strings, formatNumber } = useLocale()
  const [stage, setStage] = useState<Stage>({ kind: 'idle' })
  const running = useRef<AbortController | null>(null)
  useEffect(() => {
    if (running.current === null) setStage({ kind: 'idle' })
  }, [search])

  const start = async (format: Format): Promise<void> => {
    const file = toFileName(search, format)
    const sink = await openSink(file, format)
    if (sink === null) return
    const cancel = new AbortController()
    running.current = cancel
    setStage({ kind: 'running', done: 0, total })
    try {
      const queries = await toQueries(search, cancel.signal)
      const onProgress = (done: number): void => setStage({ kind: 'running', done, total })
      await download({ queries, format, separator: strings.csvSeparator, onProgress, signal: cancel.signal }, sink)
      setStage({ kind: 'done', file })
    } catch {
      setStage({ kind: cancel.signal.aborted ? 'idle' : 'failed' })
    }
    running.current = null
  }

  return (
    <div class="download">
      {stage.kind === 'running' ? (
        <>
          <label class="progress">
            <span>
              {strings.downloading(formatNumber(stage.done), stage.total === null ? '…' : formatNumber(stage.total))}
            </span>
            <progress {...(stage.total === null ? {} : { max: stage.total, value: stage.done })} />
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
      <span class={stage.kind === 'failed' ? 'download-failed' : 'visually-hidden'} role="status">
        {stage.kind === 'done'
          ? strings.downloadDone(stage.file)
          : stage.kind === 'failed'
            ? strings.downloadFailed
            : ''}
      </span>
    </div>
  )
}

const formats: readonly Format[] = ['CSV', 'JSON']

/** One query, or one for each year of a range that has records, newest first. */
async function toQueries(search: Search, signal: AbortSignal): Promise<string[]> {
  const { years } = search
  if (years === null || years.from === years.to) return [toServiceQuery(search, years?.from ?? null)]
  const outcome = await askPatiently<WireSummary>(`summary?${toServiceQuery(search, null)}`, signal)
  if (outcome.kind !== 'found') throw new Error('Cannot download: the years could not be counted')
  return outcome.value.by_year
    .filter(({ year }) => year >= years.from && year <= years.to)
    .map(({ year }) => toServiceQuery(search, year))
    .toReversed()
}

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
  return `${name.slice(0, 80)}.${format.toLowerCase()}`
}

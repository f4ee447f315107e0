// The settings that the routes of the API need.
import type { HttpSettings } from '../http/settings.ts'

export interface ServiceSettings extends HttpSettings {
  readonly dataset: DatasetSettings
  /** Whether `{base}/mcp` is served. */
  readonly isMcpOn?: boolean
}

/** The description of the registry in the catalogue. */
export interface DatasetSettings {
  readonly title: string
  readonly publisher: string
  readonly licence: string | undefined
  readonly spatial: string | undefined
  readonly contact: string | undefined
}

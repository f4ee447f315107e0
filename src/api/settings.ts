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
  /** The DIR3 code of the publisher, by which datos.gob.es knows public bodies. */
  readonly publisherCode?: string | undefined
}

/** The defaults of the settings (src/cli/commands.ts), which are English. Where Spanish is needed, others are used. */
export const datasetDefaults = { title: 'Urban-planning records', publisher: 'Planning registry' } as const

/** Title and publisher for readers of Spanish. What the operator has set is taken for Spanish. */
export function toSpanishNames({ title, publisher }: DatasetSettings): { readonly title: string; publisher: string } {
  return {
    title: title === datasetDefaults.title ? 'Expedientes de urbanismo' : title,
    publisher: publisher === datasetDefaults.publisher ? 'Registro de urbanismo' : publisher,
  }
}

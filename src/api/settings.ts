// The settings that the routes of the API need besides those of the HTTP layer. The command `serve` sets them.
import type { HttpSettings } from '../http/settings.ts'

export interface ServiceSettings extends HttpSettings {
  readonly dataset: DatasetSettings
  /** The address on which the service listens. */
  readonly host?: string
  /** Whether `{base}/mcp` is served: MCP (Model Context Protocol), the tools for AI assistants. */
  readonly isMcpOn?: boolean
  /** The folder of the published documents. */
  readonly documentsFolder?: string
  /** Whether the file of the registry is offered, for services that follow this one (src/registry/stores). */
  readonly isFileOffered?: boolean
}

/**
 * What the operator says about the registry as a dataset. The catalogue (DCAT) has all of it; the feed, the pages,
 * opensearch.xml, security.txt and server.json have some of it.
 */
export interface DatasetSettings {
  readonly title: string
  readonly publisher: string
  /** The URL of the licence of the data. */
  readonly licence: string | undefined
  /** The URI of the area that the records cover: `dct:spatial` in the catalogue. */
  readonly spatial: string | undefined
  /** `mailto:` or `https:` URL of the operator. */
  readonly contact: string | undefined
  /** The code of the publisher in DIR3, the national directory of public bodies, which datos.gob.es uses. */
  readonly publisherCode?: string | undefined
}

/** The title and publisher if the operator sets none: the defaults of the flags in src/cli/serve-settings.ts. */
export const datasetDefaults = { title: 'Urban-planning records', publisher: 'Planning registry' } as const

/** Translates the default title and publisher. Names that the operator has set are assumed to be Spanish already. */
export function toSpanishNames({ title, publisher }: DatasetSettings): Pick<DatasetSettings, 'title' | 'publisher'> {
  return {
    title: title === datasetDefaults.title ? 'Expedientes de urbanismo' : title,
    publisher: publisher === datasetDefaults.publisher ? 'Registro de urbanismo' : publisher,
  }
}

/** Whether the service is for this computer alone: it listens on a loopback address, and has no public URL. */
export function isForThisComputer({ publicUrl, host = '' }: ServiceSettings): boolean {
  return publicUrl === undefined && (loopbackNames.includes(host) || host === '::1' || host.startsWith('127.'))
}

/** The hosts of a URL by which a browser reaches its own computer. */
export const loopbackNames: readonly string[] = ['localhost', '127.0.0.1', '[::1]']

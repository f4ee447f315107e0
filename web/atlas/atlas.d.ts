// Types of the modules that atlas-plugin.ts provides.
declare module 'virtual:atlas' {
  import type { AtlasFile } from './shapes.ts'
  export const provinces: AtlasFile
  /** Maps a province (the first two digits of an INE code) to the URL of its municipalities: an `AtlasFile` as JSON. */
  export const provinceUrls: Readonly<Record<string, string>>
}

declare module 'virtual:atlas-server' {
  import type { AtlasFile } from './shapes.ts'
  export const provinces: AtlasFile
  /** Maps a province to its municipalities: an `AtlasFile` as JSON, which is parsed when it is needed. */
  export const provinceFiles: Readonly<Record<string, string>>
}

// Types of two modules with the boundaries of the map, which the Vite plugin atlas-plugin.ts generates in the build.

/** For the browser, which requests the municipalities of a province when they are needed. */
declare module 'virtual:atlas' {
  import type { AtlasFile } from './shapes.ts'
  export const provinces: AtlasFile
  /** Maps a province (the first two digits of an INE code) to the URL of its municipalities: an `AtlasFile` as JSON. */
  export const provinceUrls: Readonly<Record<string, string>>
}

/** For the server. */
declare module 'virtual:atlas-server' {
  import type { AtlasFile } from './shapes.ts'
  export const provinces: AtlasFile
  /** Maps a province (two digits) to its municipalities: an `AtlasFile` as JSON, which is parsed when it is needed. */
  export const provinceFiles: Readonly<Record<string, string>>
}

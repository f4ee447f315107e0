// Types of the module `virtual:atlas` (atlas-plugin.ts).
declare module 'virtual:atlas' {
  /** Maps a province (the first two digits of an INE code) to the URL of its boundaries. */
  export const provinceUrls: Readonly<Record<string, string>>
}

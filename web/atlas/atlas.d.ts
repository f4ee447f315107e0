// What the build answers for `virtual:atlas` (atlas-plugin.ts).
declare module 'virtual:atlas' {
  /** Province (the first two digits of an INE code) → the address of its boundaries. */
  export const provinceAddresses: Readonly<Record<string, string>>
}

// Vite plugin that provides the boundaries of the map as two modules (types: atlas.d.ts). `virtual:atlas`, for the
// browser, has the provinces, and for each the URL of the file with its municipalities; `virtual:atlas-server` has the
// provinces and all municipalities.
import type { Plugin } from 'vite'
import { toCountryFile, toProvinceFiles } from './provinces.ts'

const browserModule = 'virtual:atlas'
const serverModule = 'virtual:atlas-server'
/** By convention of Rollup, the id of a module that is no file begins with NUL, so that other plugins ignore it. */
const toModuleId = (name: string): string => `\0${name}`

export function atlasPlugin(): Plugin {
  return {
    name: 'atlas',
    resolveId: (name) => (name === browserModule || name === serverModule ? toModuleId(name) : undefined),
    load(id, options) {
      const isForBrowser = id === toModuleId(browserModule)
      const isForServer = id === toModuleId(serverModule)
      if (!isForBrowser && !isForServer) return undefined
      // The server's bundle contains the code that draws the map in the browser, but never runs it.
      if (isForBrowser && options?.ssr === true) return 'export const provinces = {}, provinceUrls = {}'
      const files = [...toProvinceFiles()]
      const provinces = `export const provinces = ${toCountryFile()}`
      if (isForServer) {
        return `${provinces}\nexport const provinceFiles = ${JSON.stringify(Object.fromEntries(files))}`
      }
      const entries = files.map(([province, source]) => {
        const referenceId = this.emitFile({ type: 'asset', name: `province-${province}.json`, source })
        // Rollup replaces this expression by the URL of the emitted file.
        return `${JSON.stringify(province)}: import.meta.ROLLUP_FILE_URL_${referenceId}`
      })
      return `${provinces}\nexport const provinceUrls = { ${entries.join(', ')} }`
    },
  }
}

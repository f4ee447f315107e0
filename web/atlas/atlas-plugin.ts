// Vite plugin with the boundaries of the map. `virtual:atlas`, for the browser, has the provinces and the URL of one
// file of municipalities for each; `virtual:atlas-server` has all of them.
import type { Plugin } from 'vite'
import { toCountryFile, toProvinceFiles } from './provinces.ts'

const browserModule = 'virtual:atlas'
const serverModule = 'virtual:atlas-server'

export function atlasPlugin(): Plugin {
  return {
    name: 'atlas',
    resolveId: (id) => (id === browserModule || id === serverModule ? `\0${id}` : undefined),
    load(id, options) {
      if (id !== `\0${browserModule}` && id !== `\0${serverModule}`) return undefined
      // The server's bundle contains the code that draws the map in the browser, but never runs it.
      if (id === `\0${browserModule}` && options?.ssr === true) return 'export const provinces = {}, provinceUrls = {}'
      const files = [...toProvinceFiles()]
      const provinces = `export const provinces = ${toCountryFile()}`
      if (id === `\0${serverModule}`) {
        return `${provinces}\nexport const provinceFiles = ${JSON.stringify(Object.fromEntries(files))}`
      }
      const entries = files.map(([province, source]) => {
        const file = this.emitFile({ type: 'asset', name: `province-${province}.json`, source })
        return `${JSON.stringify(province)}: import.meta.ROLLUP_FILE_URL_${file}`
      })
      return `${provinces}\nexport const provinceUrls = { ${entries.join(', ')} }`
    },
  }
}

// Vite plugin: emits one boundary file per province and resolves `virtual:atlas` to a module with their URLs.
import type { Plugin } from 'vite'
import { toProvinceFiles } from './provinces.ts'

const moduleName = 'virtual:atlas'

export function atlasPlugin(): Plugin {
  return {
    name: 'atlas',
    resolveId: (id) => (id === moduleName ? `\0${moduleName}` : undefined),
    load(id) {
      if (id !== `\0${moduleName}`) return undefined
      const entries = [...toProvinceFiles()].map(([province, source]) => {
        const file = this.emitFile({ type: 'asset', name: `province-${province}.json`, source })
        return `${JSON.stringify(province)}: import.meta.ROLLUP_FILE_URL_${file}`
      })
      return `export const provinceUrls = { ${entries.join(', ')} }`
    },
  }
}

// Build time only: emits the province files as assets of their own and answers `virtual:atlas` with their addresses.
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
      return `export const provinceAddresses = { ${entries.join(', ')} }`
    },
  }
}

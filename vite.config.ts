// Builds the page (web/) twice. The files of the browser go to dist/web: relative addresses, so that it works under any
// base path; content hashes, so that it may be cached for ever; nothing inlined, because the page's security policy
// allows no inline code. (The service itself puts the style sheet into the HTML: src/api/page-files.ts.) With `--ssr`,
// the code that renders the page on the server goes to dist/web-server, in one file with everything that it imports, so
// that the service needs no package for it.
import type { ConfigEnv, Plugin, UserConfig } from 'vite'
import { fontPlugin } from './web/font-plugin.ts'

/** Writes the maps for browsers, and replaces the module that draws them by what pages need to know of them. */
const atlasPlugin: Plugin = {
  name: 'atlas',
  async buildStart() {
    if (this.environment.name !== 'client') return
    const { drawMaps } = await import('./web/atlas/atlas.ts')
    for (const { href, svg } of Object.values(drawMaps())) {
      this.emitFile({ type: 'asset', fileName: href, source: svg })
    }
  },
  load: async (id) => {
    if (!id.endsWith('/web/atlas/atlas.ts')) return undefined
    const { drawMaps } = await import('./web/atlas/atlas.ts')
    const maps = Object.entries(drawMaps()).map(([name, { href, boxes }]) => [name, { href, boxes }])
    return `export const maps = ${JSON.stringify(Object.fromEntries(maps))}`
  },
}

const common = {
  emptyOutDir: true,
  reportCompressedSize: false,
  rolldownOptions: { checks: { bundlerTimings: false } },
}

export default function toConfig({ isSsrBuild }: ConfigEnv): UserConfig {
  if (isSsrBuild === true) {
    return {
      root: 'web',
      plugins: [atlasPlugin],
      ssr: { noExternal: true },
      build: { ...common, outDir: '../dist/web-server', ssr: 'server.tsx', target: 'esnext' },
    }
  }
  return {
    root: 'web',
    base: './',
    plugins: [atlasPlugin, fontPlugin()],
    build: {
      ...common,
      outDir: '../dist/web',
      target: 'es2022',
      assetsInlineLimit: 0,
      modulePreload: { polyfill: false },
    },
  }
}

// Builds the page (web/) into dist/web: relative addresses, so that it works under any base path; content hashes, so
// that it may be cached for ever; nothing inlined, because the page's security policy allows no inline code.
import type { UserConfig } from 'vite'
import { atlasPlugin } from './web/atlas/atlas-plugin.ts'
import { staticTextPlugin } from './web/static-text-plugin.ts'

const config: UserConfig = {
  root: 'web',
  base: './',
  plugins: [atlasPlugin(), staticTextPlugin()],
  build: {
    outDir: '../dist/web',
    emptyOutDir: true,
    target: 'es2022',
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
    rolldownOptions: { checks: { bundlerTimings: false } },
  },
}

export default config

// Vite plugin that adds a preload link for the font to index.html. The style sheet has `font-display: optional`, with
// which the browser uses the font only if it loads at once.
import type { Plugin } from 'vite'

export function fontPlugin(): Plugin {
  return {
    name: 'font',
    // Only a build has a bundle; without one, nothing is preloaded.
    transformIndexHtml: (_html, { bundle }) =>
      Object.keys(bundle ?? {})
        .filter((file) => file.endsWith('.woff2'))
        .map((file) => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `./${file}`, crossorigin: true },
        })),
  }
}

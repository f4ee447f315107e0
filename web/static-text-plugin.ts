// Vite plugin: fills index.html with the page's own strings: the name, the description and the forms shown without
// JavaScript. The service adds the data of its instance to the head.
import type { Plugin } from 'vite'
import { type Language, type Strings, stringsByLanguage } from './strings.ts'

export function staticTextPlugin(): Plugin {
  const parts: Readonly<Record<string, string>> = {
    name: escapeHtml(stringsByLanguage.es.name),
    description: escapeHtml(stringsByLanguage.es.description),
    'no-script': `<main>${toFormsPage('es', stringsByLanguage.es)}${toFormsPage('en', stringsByLanguage.en)}</main>`,
  }
  return {
    name: 'static-text',
    transformIndexHtml: (html, { bundle }) => ({
      html: html.replace(/\{\{([\w-]+)\}\}/g, (_, part: string) => parts[part] ?? ''),
      // `font-display: optional` uses the font only if it loads at once, so it is preloaded.
      tags: Object.keys(bundle ?? {})
        .filter((file) => file.endsWith('.woff2'))
        .map((file) => ({
          tag: 'link',
          injectTo: 'head' as const,
          attrs: { rel: 'preload', as: 'font', type: 'font/woff2', href: `./${file}`, crossorigin: true },
        })),
    }),
  }
}

/** One form per filter: a form also sends its empty fields, and the service refuses an empty filter. */
function toFormsPage(language: Language, strings: Strings): string {
  const field = (name: string, label: string, attributes: string): string =>
    `<form class="form plain" action="record"><div class="field"><label for="${name}-${language}">${escapeHtml(label)}</label>` +
    `<div class="entry"><input id="${name}-${language}" name="${name}" required ${attributes}></div></div>` +
    `<button class="primary">${escapeHtml(strings.search)}</button></form>`
  const links = [
    ['docs', strings.linkReference],
    ['openapi.json', strings.linkOpenApi],
    ['municipality', strings.linkMunicipalities],
    ['summary', strings.linkSummary],
    ['catalog', strings.linkCatalog],
  ]
  const heading = language === 'es' ? 'h1' : 'h2'
  return (
    `<section class="wrap plain" lang="${language}"><${heading}>${escapeHtml(strings.name)}</${heading}>` +
    `<p class="notice when-fictional">${escapeHtml(strings.fictional)}</p><p class="lead">${escapeHtml(strings.lead)}</p><p>${escapeHtml(strings.noScript)}</p>` +
    field('search', strings.noScriptWords, 'maxlength="200"') +
    field('municipality', strings.noScriptMunicipality, 'maxlength="200"') +
    field('checkin_date', strings.noScriptYear, 'pattern="[0-9]{4}" inputmode="numeric" maxlength="4"') +
    `<p>${escapeHtml(strings.noScriptLinks)}:</p><ul>` +
    links.map(([href, label = '']) => `<li><a href="${href}">${escapeHtml(label)}</a></li>`).join('') +
    '</ul></section>'
  )
}

function escapeHtml(text: string): string {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`)
}

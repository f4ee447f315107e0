// The frame of the desk's pages: the header, the steps, and a notice if something went wrong. Text is escaped by Hono's
// `html`.
import { html } from 'hono/html'
import { pageIcons, pageStyles } from '../api/page-files.ts'
import { currentLanguage } from '../language.ts'
import { say } from './say.ts'

export type Html = ReturnType<typeof html>

export type StepPath = '/hoja' | '/columnas' | '/filas' | '/documentos' | '/vista' | '/publicar'

const steps: readonly { readonly path: StepPath; readonly name: () => string }[] = [
  { path: '/hoja', name: () => say('Hoja y PDF', 'Spreadsheet and PDFs') },
  { path: '/columnas', name: () => say('Columnas', 'Columns') },
  { path: '/filas', name: () => say('Filas', 'Rows') },
  { path: '/documentos', name: () => say('Documentos', 'Documents') },
  { path: '/vista', name: () => say('Vista previa', 'Preview') },
  { path: '/publicar', name: () => say('Publicar', 'Publish') },
]

export interface PageOptions {
  readonly title: string
  /** The step that the page belongs to; null outside the steps. */
  readonly step: StepPath | null
  /** The last step that can be opened. */
  readonly reached?: StepPath
  readonly main: Html
  /** What went wrong with the last answer. */
  readonly fault?: string | undefined
  /** Whether an import is running: the page then loads itself again. */
  readonly isRunning?: boolean
}

export function toPage({ title, step, reached = '/hoja', main, fault, isRunning = false }: PageOptions): Html {
  const reachedIndex = steps.findIndex(({ path }) => path === reached)
  return html`<!doctype html>
<html lang="${currentLanguage()}">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>${title} – ${say('Asistente de publicación', 'Publishing desk')}</title>
${pageIcons.map((href) => html`<link rel="icon" href="/${href}">`)}
${pageStyles.map((href) => html`<link rel="stylesheet" href="/${href}">`)}
<link rel="stylesheet" href="/desk.css">
${isRunning ? html`<noscript><meta http-equiv="refresh" content="2"></noscript><script type="module" src="/desk.js"></script>` : ''}
</head>
<body>
<header class="top"><div class="wrap"><span class="brand">${say('Asistente de publicación', 'Publishing desk')}</span>
<form method="post" action="/terminar"><button class="quiet end">${say('Terminar', 'End')}</button></form></div></header>
<main class="wrap desk"${isRunning ? html` data-running aria-live="polite"` : ''}>
${step === null ? '' : toStepList(step, reachedIndex)}
<h1>${title}</h1>
${fault === undefined ? '' : html`<p class="failure" role="alert">${fault}</p>`}
${main}
</main>
</body>
</html>`
}

function toStepList(current: StepPath, reachedIndex: number): Html {
  return html`<nav aria-label="${say('Pasos', 'Steps')}"><ol class="steps">${steps.map(({ path, name }, index) => {
    const label = html`<span class="number">${index + 1}</span> ${name()}`
    if (path === current) return html`<li><span aria-current="step">${label}</span></li>`
    return index <= reachedIndex ? html`<li><a href="${path}">${label}</a></li>` : html`<li><span>${label}</span></li>`
  })}</ol></nav>`
}

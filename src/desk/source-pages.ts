// Step 1: the spreadsheet and the folder of PDFs, chosen from the folders of this computer.
import { html } from 'hono/html'
import { toCount } from '../language.ts'
import type { FolderView } from './folders.ts'
import type { Html } from './page.ts'
import { say } from './say.ts'

export function toSourceMain(view: FolderView, roots: readonly string[]): Html {
  return html`
<p>${say(
    'Elija la hoja de cálculo con los expedientes (Excel, CSV o JSON), o el archivo registro.json de otra vez.',
    'Choose the spreadsheet with the records (Excel, CSV or JSON), or the file registro.json of an earlier time.',
  )}</p>
${toFolderNav('/hoja', view, roots)}
<form method="post" action="/hoja"><ul class="entries">
${view.sources.map(({ name, path }) => html`<li><button class="entry-button" name="archivo" value="${path}">${name}</button></li>`)}
</ul></form>
${view.sources.length === 0 ? html`<p>${say('En esta carpeta no hay hojas de cálculo.', 'There are no spreadsheets in this folder.')}</p>` : ''}`
}

export function toDocumentFolderMain(view: FolderView, roots: readonly string[], sourceName: string): Html {
  const { pdfCount, path } = view
  return html`
<p>${say(
    `Hoja elegida: ${sourceName}. Si tiene los PDF de los expedientes en una carpeta, ábrala y elíjala.`,
    `Chosen spreadsheet: ${sourceName}. If you have the PDFs of the records in a folder, open and choose it.`,
  )}</p>
<form method="post" action="/carpeta" class="actions">
<button class="${pdfCount > 0 ? 'primary' : 'secondary'}" name="carpeta" value="${path}">${say('Usar esta carpeta', 'Use this folder')} (${toCount(pdfCount)} PDF)</button>
<button class="${pdfCount > 0 ? 'secondary' : 'primary'}" name="carpeta" value="">${say('Continuar sin PDF', 'Continue without PDFs')}</button>
</form>
${toFolderNav('/carpeta', view, roots)}`
}

/** Where the folder is, and links to the folders in it and above it. */
function toFolderNav(action: '/hoja' | '/carpeta', view: FolderView, roots: readonly string[]): Html {
  const link = (path: string, text: string): Html =>
    html`<li><a class="folder" href="${action}?carpeta=${encodeURIComponent(path)}">${text}</a></li>`
  return html`
<p class="path">${say('Carpeta', 'Folder')}: <strong>${view.path}</strong></p>
<ul class="entries">
${view.parent === null ? '' : link(view.parent, `↑ ${say('Carpeta superior', 'Folder above')}`)}
${view.folders.map(({ name, path }) => link(path, name))}
${view.parent === null ? roots.filter((root) => root !== view.path).map((root) => link(root, root)) : ''}
</ul>
${view.isCut ? html`<p class="notice">${say('La carpeta tiene más archivos de los que se muestran.', 'The folder has more files than are shown.')}</p>` : ''}`
}

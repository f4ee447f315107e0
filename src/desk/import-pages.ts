// Steps 5 and 6: the preview and the publication, while their import runs and when it has ended.
import { html } from 'hono/html'
import type { PlanJson } from './draft.ts'
import type { Html } from './page.ts'
import type { ImportRun } from './run-import.ts'
import { say } from './say.ts'

/** Where the page of the registry is, below the desk. */
export const registryPath = '/registry'

function toProgressMain({ progress }: ImportRun): Html {
  return html`<p class="running">${say('Leyendo la hoja y los documentos…', 'Reading the spreadsheet and the documents…')}</p>
<p class="progress">${progress}</p>`
}

export function toPreviewMain(run: ImportRun | undefined): Html {
  const again = html`<form method="post" action="/vista"><button class="secondary">${say('Preparar de nuevo', 'Prepare it again')}</button></form>`
  if (run === undefined) {
    return html`<form method="post" action="/vista"><p class="actions"><button class="primary">${say('Preparar la vista previa', 'Prepare the preview')}</button></p></form>`
  }
  if (run.status === null) return toProgressMain(run)
  if (run.status !== 0) {
    return html`<p class="failure" role="alert">${say('La vista previa no se ha podido preparar:', 'The preview could not be prepared:')}</p><pre>${run.text}</pre>${again}`
  }
  return html`<p>${say('Así verá el público el registro. Solo se puede abrir en este navegador.', 'This is how the public will see the registry. Only this browser can open it.')}</p>
<p class="actions"><a class="button primary" href="${registryPath}/" target="_blank">${say('Ver la página', 'See the page')}</a> <a class="button secondary" href="/publicar">${say('Continuar', 'Continue')}</a></p>
<details><summary>${say('Resumen de lo que se ha leído', 'Summary of what was read')}</summary><pre>${run.text}</pre></details>${again}`
}

export type Target = 'aqui' | 'carpeta' | 'postgres'

export interface PublishFacts {
  readonly run: ImportRun | undefined
  /** Whether the last publication was refused because records or texts would be gone. */
  readonly isLossRefused: boolean
  readonly database: string
  readonly exportFolder: string
  /** What the timer of every night runs. */
  readonly importCommand: string
  readonly serveCommand: string
}

export function toPublishMain(facts: PublishFacts, json: PlanJson): Html {
  const { run } = facts
  if (run?.status === null) return toProgressMain(run)
  return html`${run === undefined ? '' : toOutcome(run, facts)}
<form method="post" action="/publicar">
${facts.isLossRefused ? html`<p><label><input type="checkbox" name="aunque-falten" value="1"> ${say('Publicar de todos modos: es correcto que falten esos expedientes o textos', 'Publish anyway: it is right that those records or texts are gone')}</label></p>` : ''}
${toTargets(facts, json)}
<p class="actions"><button class="primary">${run?.status === 0 ? say('Publicar de nuevo', 'Publish again') : say('Publicar', 'Publish')}</button></p>
</form>`
}

function toOutcome(run: ImportRun, facts: PublishFacts): Html {
  if (run.status !== 0) {
    return html`<p class="failure" role="alert">${say('No se ha publicado:', 'Not published:')}</p><pre>${run.text}</pre>`
  }
  return html`<p class="done" role="status">${say('El registro está publicado.', 'The registry is published.')} <a href="${registryPath}/" target="_blank">${say('Ver la página', 'See the page')}</a></p>
<details><summary>${say('Resumen', 'Summary')}</summary><pre>${run.text}</pre></details>
<h2>${say('Qué hacer ahora', 'What to do now')}</h2>
<ul class="next">
${facts.exportFolder === '' ? html`<li>${say('Para que otros ordenadores lo vean, su servicio de informática debe ejecutar:', 'For other computers to see it, your IT department must run:')} <pre>${facts.serveCommand}</pre></li>` : html`<li>${say('Suba el contenido de esta carpeta a su servidor web:', 'Upload the content of this folder to your web server:')} <strong>${facts.exportFolder}</strong></li>`}
<li>${say('Sus respuestas están guardadas. Para repetir la publicación cada noche basta esta orden:', 'Your answers are saved. To repeat the publication every night this command is enough:')} <pre>${facts.importCommand}</pre></li>
</ul>`
}

function toTargets({ database, exportFolder }: PublishFacts, json: PlanJson): Html {
  const chosen: Target =
    json.export !== undefined ? 'carpeta' : String(json.database).startsWith('postgres') ? 'postgres' : 'aqui'
  const radio = (value: Target, text: string): Html =>
    html`<label><input type="radio" name="destino" value="${value}"${value === chosen ? html` checked` : ''}> ${text}</label>`
  return html`<fieldset><legend>${say('¿Dónde se publica?', 'Where is it published?')}</legend>
<p>${radio('aqui', say('En este ordenador', 'On this computer'))} <span class="sample">${chosen === 'aqui' ? database : ''}</span></p>
<p>${radio('carpeta', say('En una carpeta para subirla a un servidor web', 'In a folder to upload to a web server'))} <span class="sample">${exportFolder}</span></p>
<p>${radio('postgres', say('En una base de datos PostgreSQL', 'In a PostgreSQL database'))}<br>
<label for="direccion">${say('Dirección', 'Address')}</label> <input id="direccion" name="direccion" class="code" placeholder="postgres://usuario:clave@servidor/base" value="${chosen === 'postgres' ? String(json.database) : ''}"></p>
${
  json['publish-documents'] === true
    ? html`<p><label for="pdf-url">${say('Dirección web en la que estarán los PDF, si no se publica en este ordenador', 'Web address of the PDFs, if it is not published on this computer')}</label>
<input id="pdf-url" name="pdf-url" class="code" placeholder="https://www.ayuntamiento.example/pdf/" value="${String(json['documents-url'] ?? '')}"></p>`
    : ''
}
</fieldset>`
}

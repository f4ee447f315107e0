// Steps 3 and 4: the rows that cannot be published and what to do about them, and what becomes of the PDFs.
import { html } from 'hono/html'
import { toCount, toQuantity } from '../language.ts'
import { withColumnName } from './column-names.ts'
import type { PlanJson } from './draft.ts'
import type { Html } from './page.ts'
import type { CheckedRows } from './rows-check.ts'
import { say } from './say.ts'

export function toRowsMain(rows: CheckedRows, json: PlanJson): Html {
  const { report, goodCount, rejectedCount, duplicateCount, rejected } = rows
  return html`
<p class="counts"><strong>${toQuantity(goodCount, 'record')}</strong> ${say('se pueden publicar', 'can be published')};
<strong>${toQuantity(rejectedCount, 'row')}</strong> ${say('no', 'cannot')}.</p>
${toReasons(rows)}
${report.sources.flatMap(({ notes }) => notes).map((note) => html`<p class="sample">${note}</p>`)}
${report.warnings.map((warning) => html`<p class="notice">${warning}</p>`)}
${rejected.length === 0 ? '' : toRejectedTable(rows)}
<form method="post" action="/filas">
${duplicateCount > 0 || (json.duplicates ?? 'refuse') !== 'refuse' ? toDuplicateChoice(duplicateCount, json) : ''}
${rejectedCount === 0 ? '' : toRejectsChoice(rows, json)}
<p class="actions"><button class="primary" name="accion" value="seguir">${say('Continuar', 'Continue')}</button>
<button class="secondary" name="accion" value="comprobar">${say('Comprobar de nuevo', 'Check again')}</button></p>
</form>`
}

/** Asks whether the other rows are published; a greater share that was accepted before stays accepted. */
function toRejectsChoice({ rejectedCount, report }: CheckedRows, json: PlanJson): Html {
  const needed = Math.max(1, Math.ceil((rejectedCount * 100) / report.rows_read))
  const accepted = Number(/^(\d+)%$/.exec(String(json['max-rejects']))?.[1] ?? 0)
  const share = `${Math.max(needed, accepted)}%`
  return html`<fieldset><legend>${say('Filas que no se pueden publicar', 'Rows that cannot be published')}</legend>
<p>${say('Corríjalas en la hoja, guárdela y compruebe de nuevo. O publique las demás:', 'Correct them in the spreadsheet, save it and check again. Or publish the others:')}</p>
<p><label><input type="checkbox" name="sin-filas" value="${share}"${accepted >= needed ? html` checked` : ''}> ${say(
    `Publicar sin esas filas, también en adelante mientras no pasen del ${share} de la hoja`,
    `Publish without those rows, from now on too while they are no more than ${share} of the spreadsheet`,
  )}</label></p></fieldset>`
}

function toReasons({ report }: CheckedRows): Html | '' {
  const reasons = Object.entries(report.refused_by_reason)
  if (reasons.length === 0) return ''
  return html`<ul class="reasons">${reasons.map(([reason, count]) => html`<li><strong>${toCount(count)}</strong> ${withColumnName(reason)}</li>`)}</ul>`
}

function toRejectedTable({ headings, rejected, rejectedCount }: CheckedRows): Html {
  // Columns without a value in these rows are left out.
  const shown = headings.flatMap((heading, index) => {
    return heading.trim() !== '' || rejected.some(({ cells }) => cells[index]?.text.trim()) ? [index] : []
  })
  return html`
${rejectedCount > rejected.length ? html`<p>${say(`Se muestran las primeras ${rejected.length}.`, `The first ${rejected.length} are shown.`)}</p>` : ''}
<div class="rejected-rows" role="region" tabindex="0" aria-label="${say('Filas que no se pueden publicar', 'Rows that cannot be published')}"><table>
<thead><tr><th>${say('Fila', 'Row')}</th><th>${say('Qué ocurre y qué hacer', 'What is wrong and what to do')}</th>${shown.map((index) => html`<th>${headings[index]}</th>`)}</tr></thead>
<tbody>${rejected.map(
    ({ line, messages, nextSteps, cells }) =>
      html`<tr><td>${toCount(line)}</td><td class="problem">${messages.join('; ')}. <strong>${nextSteps.join(' ')}</strong></td>${shown.map(
        (index) => {
          const { text = '', isMarked = false } = cells[index] ?? {}
          return isMarked
            ? html`<td class="wrong"><mark>${text.trim() === '' ? say('(vacía)', '(empty)') : toShort(text)}</mark></td>`
            : html`<td>${toShort(text)}</td>`
        },
      )}</tr>`,
  )}</tbody></table></div>`
}

/** A longer cell is cut. */
const cellCharactersMax = 80

function toShort(text: string): string {
  return text.length > cellCharactersMax ? `${text.slice(0, cellCharactersMax)}…` : text
}

function toDuplicateChoice(count: number, { duplicates = 'refuse' }: PlanJson): Html {
  const rules = [
    [
      'refuse',
      say(
        'Rechazar las repetidas: las corregiré en la hoja',
        'Reject the repeated ones: I will correct them in the spreadsheet',
      ),
    ],
    ['merge', say('Unir en un expediente las filas del mismo código', 'Join the rows of one code to one record')],
    ['first', say('Quedarse con la primera fila de cada código', 'Keep the first row of each code')],
    ['last', say('Quedarse con la última fila de cada código', 'Keep the last row of each code')],
  ] as const
  return html`<fieldset><legend>${say('Códigos repetidos', 'Repeated codes')} (${toQuantity(count, 'row')})</legend>
${rules.map(([value, text]) => html`<p><label><input type="radio" name="duplicados" value="${value}"${value === duplicates ? html` checked` : ''}> ${text}</label></p>`)}
</fieldset>`
}

export interface DocumentFacts {
  /** The folder of the PDFs; undefined if none was chosen. */
  readonly folder: string | undefined
  readonly pdfCount: number
  /** Whether a column has the names of the files. */
  readonly hasNames: boolean
  /** Whether text recognition is installed. */
  readonly canRecognise: boolean
}

export function toDocumentsMain({ folder, pdfCount, hasNames, canRecognise }: DocumentFacts, json: PlanJson): Html {
  const isPublished = json['publish-documents'] === true
  const change = html`<a href="/carpeta">${say('Elegir otra carpeta', 'Choose another folder')}</a>`
  if (folder === undefined) {
    return html`<p>${say('No ha elegido ninguna carpeta de PDF: se busca solo en los datos de la hoja.', 'You have chosen no folder of PDFs: only the data of the spreadsheet are searched.')} ${change}</p>
<form method="post" action="/documentos"><p class="actions"><button class="primary">${say('Preparar la vista previa', 'Prepare the preview')}</button></p></form>`
  }
  return html`<p>${say('Carpeta', 'Folder')}: <strong>${folder}</strong> (${toCount(pdfCount)} PDF). ${change}</p>
<form method="post" action="/documentos">
${
  hasNames
    ? ''
    : html`<p class="notice">${say('Ninguna columna dice qué PDF es de cada expediente.', 'No column says which PDF belongs to each record.')}
<label><input type="checkbox" name="por-codigo" value="1" checked> ${say('Cada PDF se llama como el código de su expediente', 'Each PDF has the code of its record as its name')}</label></p>`
}
<fieldset><legend>${say('¿Puede el público abrir los PDF?', 'May the public open the PDFs?')}</legend>
<p><label><input type="radio" name="publicar" value="no"${isPublished ? '' : html` checked`}> ${say('No: solo se busca en su texto, y se muestran fragmentos', 'No: only their text is searched, and passages are shown')}</label></p>
<p><label><input type="radio" name="publicar" value="si"${isPublished ? html` checked` : ''}> ${say('Sí: compruebe antes que no contengan datos personales', 'Yes: first check that they hold no personal data')}</label></p>
</fieldset>
${
  canRecognise
    ? html`<p><label><input type="checkbox" name="ocr" value="1"${json.ocr === true ? html` checked` : ''}> ${say('Reconocer el texto de las páginas escaneadas (unos 6 segundos por página)', 'Recognise the text of scanned pages (about 6 seconds a page)')}</label></p>`
    : ''
}
<p class="actions"><button class="primary">${say('Preparar la vista previa', 'Prepare the preview')}</button></p>
</form>`
}

// Step 2: which heading of the spreadsheet became which column, the own columns that are published, and the form of the
// codes.
import { html } from 'hono/html'
import type { InspectedHeading, Inspection } from '../import/inspect.ts'
import { type Column, requiredColumns } from '../import/rows/columns.ts'
import { columnNames } from './column-names.ts'
import type { PlanJson } from './draft.ts'
import type { Html } from './page.ts'
import { say } from './say.ts'

/** The value of a list that keeps a form which no list can show, such as a join of headings. */
const keptForm = '='

export function toColumnsMain(inspection: Inspection, json: PlanJson): Html {
  const { headings, mapping, missing } = inspection
  const mappable = headings.filter(({ canBeMapped }) => canBeMapped)
  return html`
<form method="post" action="/columnas">
<p>${say(
    'Compruebe de qué encabezado de su hoja sale cada dato. Los marcados con * son obligatorios.',
    'Check from which heading of your spreadsheet each value is read. Those marked with * are required.',
  )}</p>
<div class="choices">${columnNames().map(([column, name]) => {
    const isMissing = missing.includes(column)
    return html`<div class="choice"><label for="columna-${column}">${name}${requiredColumns.includes(column) ? ' *' : ''}</label>
<select id="columna-${column}" name="columna-${column}"${isMissing ? html` aria-invalid="true"` : ''}>
<option value="">${say('— ninguno —', '— none —')}</option>
${toFormOption(column, mapping[column])}
${mappable.map(({ heading }) => html`<option value="h${heading}"${heading === headingOf(mapping[column]) ? html` selected` : ''}>${heading}</option>`)}
</select>
${column === 'municipality' ? toMunicipalityField(mapping.municipality, isMissing) : html`<span class="sample">${isMissing ? say('falta: elija un encabezado', 'missing: choose a heading') : toSample(headings, mapping[column])}</span>`}</div>`
  })}
</div>
${toFieldChoices(inspection)}
${toPatternChoice(inspection, json)}
<p class="actions"><button class="primary">${say('Guardar y comprobar las filas', 'Save and check the rows')}</button></p>
</form>`
}

/** An option for a form that is no heading: it can be kept or replaced. */
function toFormOption(column: Column, form: unknown): Html | '' {
  if (form === undefined || headingOf(form) !== undefined || constantOf(form) === '') return ''
  if (column === 'municipality' && constantOf(form) !== undefined) return ''
  return html`<option value="${keptForm}" selected>${say('como dice registro.json', 'as registro.json says')}</option>`
}

/** Registries of one municipality have no column for it. */
function toMunicipalityField(form: unknown, isMissing: boolean): Html {
  return html`<label class="sample">${say('O el mismo en todas las filas:', 'Or the same in all rows:')}
<input name="municipio" value="${constantOf(form) ?? ''}" maxlength="200"${isMissing ? html` aria-invalid="true"` : ''}></label>`
}

function toSample(headings: readonly InspectedHeading[], form: unknown): string {
  const heading = headingOf(form)
  return headings.find((each) => each.heading === heading)?.values.join(' · ') ?? ''
}

/** The headings that no column is read from, as own columns; those that may hold personal data apart. */
function toFieldChoices({ headings, mapping }: Inspection): Html | '' {
  const mapped = Object.entries(mapping).flatMap(([name, form]) => (name === 'fields' ? [] : [headingOf(form)]))
  const free = headings.filter(({ heading, canBeMapped }) => canBeMapped && !mapped.includes(heading))
  if (free.length === 0) return ''
  const kept = Object.values(fieldsOf(mapping)).map(headingOf)
  const toCheckbox = ({ heading, values }: InspectedHeading): Html =>
    html`<li><label><input type="checkbox" name="campo" value="h${heading}"${kept.includes(heading) ? html` checked` : ''}> <strong>${heading}</strong> <span class="sample">${values.join(' · ')}</span></label></li>`
  const [harmless, personal] = [false, true].map((wanted) => free.filter(({ isPersonal }) => isPersonal === wanted))
  return html`<fieldset><legend>${say('Otras columnas que también se publican', 'Further columns that are published too')}</legend>
<p class="notice">${say(
    'Se publica solo lo que marque. Compruebe que no contenga datos personales, como nombres, DNI, teléfonos o domicilios de particulares.',
    'Only what you tick is published. Check that it holds no personal data, such as names, identity numbers, telephones or private addresses.',
  )}</p>
<ul class="checks">${harmless?.map(toCheckbox)}</ul>
${personal === undefined || personal.length === 0 ? '' : html`<details><summary>${say('Columnas que parecen contener datos personales', 'Columns that seem to hold personal data')} (${personal.length})</summary><ul class="checks">${personal.map(toCheckbox)}</ul></details>`}
</fieldset>`
}

function toPatternChoice({ codePattern }: Inspection, json: PlanJson): Html | '' {
  const kept = json['code-pattern']
  const pattern = typeof kept === 'string' ? kept : codePattern
  if (pattern === undefined) return ''
  return html`<fieldset><legend>${say('Forma de los códigos', 'Form of the codes')}</legend>
<p>${say(
    'Sus códigos no terminan en guion y número. Se aceptan los que tienen esta forma, que se ha deducido de los suyos:',
    'Your codes do not end with a hyphen and a number. Those of this form, which was derived from yours, are accepted:',
  )}</p>
<p><label for="forma">${say('Expresión', 'Expression')}</label> <input id="forma" name="forma" value="${pattern}" maxlength="200" class="code"></p></fieldset>`
}

/** The answers as changes of the plan. `inspected` is the mapping that the page has shown. */
export function readColumns(
  form: ReadonlyMap<string, readonly string[]>,
  inspected: Inspection['mapping'],
): Record<string, unknown> {
  const mapping: Record<string, unknown> = {}
  if (inspected.prefix !== undefined) mapping.prefix = inspected.prefix
  for (const [column] of columnNames()) {
    const [chosen = ''] = form.get(`columna-${column}`) ?? []
    if (chosen === keptForm) mapping[column] = inspected[column]
    else if (chosen !== '') mapping[column] = chosen.slice(1)
    // A column without a form would be recognised again by its heading. A record without an id has its code.
    else if (inspected[column] !== undefined && !requiredColumns.includes(column))
      mapping[column] = column === 'id' ? 'code' : { value: '' }
  }
  const municipality = form.get('municipio')?.[0]?.trim() ?? ''
  const isChosen = (form.get('columna-municipality')?.[0] ?? '') !== ''
  if (!isChosen && municipality !== '') mapping.municipality = { value: municipality }
  else if (!isChosen) delete mapping.municipality
  if (mapping.id === 'code') {
    delete mapping.id
    if (mapping.code !== undefined) mapping.id = mapping.code
  }
  const labels = Object.entries(fieldsOf(inspected))
  const ticked = form.get('campo')?.map((value) => value.slice(1)) ?? []
  const fields = Object.fromEntries([
    // Forms that the page does not show are kept.
    ...labels.filter(([, field]) => headingOf(field) === undefined),
    ...ticked.map((heading) => labels.find(([, field]) => headingOf(field) === heading) ?? [heading, heading]),
  ])
  const pattern = form.get('forma')?.[0]?.trim() ?? ''
  return {
    mapping,
    fields: Object.keys(fields).length === 0 ? undefined : fields,
    'code-pattern': pattern === '' ? undefined : pattern,
  }
}

/** The own columns in the mapping, by label. */
function fieldsOf({ fields }: Inspection['mapping']): Readonly<Record<string, unknown>> {
  return typeof fields === 'object' && fields !== null ? { ...fields } : {}
}

/** The heading of a form that is a heading alone. */
function headingOf(form: unknown): string | undefined {
  return typeof form === 'string' ? form : undefined
}

/** The text of a form that is a constant alone. */
function constantOf(form: unknown): string | undefined {
  if (typeof form !== 'object' || form === null || Object.keys(form).join() !== 'value') return undefined
  return String(Object.values(form)[0])
}

// Spanish translations of the report of `import`, and of the reasons why nothing is published. spanish.ts includes
// them.

/** By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text. */
export const spanishImport: Readonly<Record<string, string>> = {
  // The first line of the report. {0} is `3 records`, and {1} the address of the registry.
  'published {0} to {1}': 'publicado en {1}: {0}',
  'nothing to publish: {0} has the same {1} already': 'no hay nada que publicar: {0} ya contiene lo mismo ({1})',
  'dry run, nothing published: {0} could be published to {1}':
    'ensayo: no se ha publicado nada; es posible publicar {0} en {1}',
  // {0} is the address, and {1} the reason: the next text, or one of those about `--max-rejects` and other limits.
  'nothing published to {0}: {1}': 'no se ha publicado nada en {0}: {1}',
  'the import did not finish': 'la importación se ha interrumpido',
  // An import or `--inspect` that stops. {0} is the reason; in the third text {0} is the address, and {1} the reason.
  '{0}; nothing is published': '{0}; no se publica nada',
  // {0} says why the report could not be written.
  '{0}; the records are published': '{0}; los expedientes sí se han publicado',
  'Cannot inspect the source: {0}': 'No se puede examinar el origen: {0}',
  'Cannot import into {0}: {1}; nothing is published': 'No se puede importar en {0}: {1}; no se publica nada',
  // Rejected rows. {0} is `3 rows`, {1} the limit, and {2} the number of rejected rows.
  '{0} rejected, but --max-rejects is {1}; fix it, or publish the others with --max-rejects {2}':
    '{0} rechazada y el máximo es {1} (--max-rejects); corríjala, o publique las demás con --max-rejects {2}',
  '{0} rejected, but --max-rejects is {1}; fix them, or publish the others with --max-rejects {2}':
    '{0} rechazadas y el máximo es {1} (--max-rejects); corríjalas, o publique las demás con --max-rejects {2}',
  // {0} is one of the two messages above, {1} and {3} are the rejects file, {2} is the source, and {4} is a number.
  '{0}; or correct {1} and repeat the command with {2} {3} --max-rejects {4}':
    '{0}; o corrija {1} y repita la orden con {2} {3} --max-rejects {4}',
  'the earlier file {0} is now called {1}': 'el archivo anterior {0} se llama ahora {1}',
  'every row was rejected, so there is no record to publish; fix the rows':
    'se han rechazado todas las filas y no queda nada que publicar; corríjalas',
  // Records that would be gone. The last value is the limit. {1} of the first text and {0} of the last are `3 records`.
  '{0} of the {1} in service would be missing, but --max-gone is {2}':
    'la importación dejaría fuera {0} de los {1} publicados, pero --max-gone es {2}',
  'the only record in service would be missing, but --max-gone is {0}':
    'faltaría el único expediente publicado, pero --max-gone es {0}',
  'the only record in service would be missing, but --max-gone is {0} (is this the file of another registry?)':
    'faltaría el único expediente publicado, pero --max-gone es {0} (¿es el archivo de otro registro?)',
  'all {0} in service would be missing, but --max-gone is {1} (is this the file of another registry?)':
    'faltarían todos los expedientes publicados ({0}), pero --max-gone es {1} (¿es el archivo de otro registro?)',
  // A warning. {0} is `3 records`, and {1} and {2} are days.
  '{0} in service missing in the source, whose newest record is of {1}, while one in service is of {2}: is this an old file?':
    'el origen no contiene todos los expedientes publicados; no figuran en él: {0}; el más reciente del origen es ' +
    'de {1}, pero hay uno publicado de {2}: ¿es un archivo antiguo?',
  // Texts that would be lost. The last value is the limit, and {1} is `3 records`.
  '{0} of the {1} with text would lose it, but --max-texts-gone is {2}':
    'la importación quitaría el texto a {0} de los {1} con texto, pero --max-texts-gone es {2}',
  'the only record with text would lose it, but --max-texts-gone is {0}':
    'el único expediente con texto lo perdería, pero --max-texts-gone es {0}',
  '{0} of the {1} with text of documents would lose it, but --max-texts-gone is {2} (was --documents or --fetch-documents forgotten?)':
    'la importación quitaría el texto a {0} de los {1} con texto de documentos, pero --max-texts-gone es {2} (¿falta ' +
    '--documents o --fetch-documents?)',
  'the only record with text of documents would lose it, but --max-texts-gone is {0} (was --documents or --fetch-documents forgotten?)':
    'el único expediente con texto de documentos lo perdería, pero --max-texts-gone es {0} (¿falta --documents o ' +
    '--fetch-documents?)',
  // {0} is one or more of the messages about records and texts, and {1} is the rejects files.
  '{0}; check the source, or raise the limit if this is intended':
    '{0}; revise el origen o, si es lo que quiere, aumente el límite',
  '{0}; import the corrected rows together with their source: import SOURCE {1} --max-rejects N':
    '{0}; importe las filas corregidas junto con su origen: import ORIGEN {1} --max-rejects N',
  // The lines of the report. A single word is the label of a line, and the texts after it are for that line. A number
  // of rows, records, names or values comes with its noun: `3 rows`.
  read: 'leídas',
  '{0} lines above the headings skipped: {1}': 'omitidas {0} líneas anteriores a los encabezados: {1}',
  'one line above the headings skipped: {0}': 'omitida una línea anterior a los encabezados: {0}',
  'headings recognised: {0}': 'encabezados reconocidos: {0}',
  'the last line has no line break; if the file was cut off, its last cell is incomplete':
    'la última línea no acaba en salto de línea; si el archivo está cortado, su última celda está incompleta',
  'records found at {0}': 'expedientes encontrados en {0}',
  'sheet {0} read, not {1}': 'leída la hoja {0}, no {1}',
  '{0} has more sheets with headings of records, which are not read: {1}; choose one with --sheet, or save the others as CSV and import all files together':
    '{0} tiene más hojas con encabezados de expedientes, que no se leen: {1}; elija una con --sheet, o guarde las demás ' +
    'como CSV e importe todos los archivos juntos',
  rejected: 'rechazadas',
  '{0}, saved in {1}': '{0}, en {1}',
  '… and {0} more': '… y {0} más',
  'and {0} more': 'y {0} más',
  duplicates: 'repetidas',
  '{0} merged into the record with the same code': 'unidas al expediente del mismo código: {0}',
  '{0} left out, because another row has the same code': 'omitidas, porque otra fila tiene el mismo código: {0}',
  'a record has one address in links and one in agreement_link: {0} more of merged rows are not kept':
    'direcciones de filas unidas que no se conservan: {0} (un expediente admite una en links y otra en agreement_link)',
  'merged rows of {0} are too long: text after {1} characters, or area after {2}, is not kept':
    'las filas unidas de {0} son demasiado largas: no se conserva el texto a partir de {1} caracteres, ni el ámbito ' +
    'a partir de {2}',
  '{0} with the code of another row; --duplicates merge joins the rows of a code, first or last keeps one of them':
    '{0} con un código que ya figura en otra; con --duplicates merge se unen; con first o last se conserva solo la ' +
    'primera o la última',
  '{0} with the code of another row, but another title; correct one of the two codes':
    '{0} con un código que ya figura en otra, pero con otro título; corrija uno de los dos códigos',
  // {0} is `3 rows`, {1} a number.
  '{0} with the code of another row, {1} of them with another title: correct one of the two codes there':
    '{0} con un código que ya figura en otra; de ellas, con otro título: {1}; corrija ahí uno de los dos códigos',
  municipalities: 'municipios',
  '{0} with an INE code, {1} without': 'con código INE: {0}; sin código INE: {1}',
  'without: {0}': 'sin código INE: {0}',
  documents: 'documentos',
  '{0} text, {1} scan, {2} unreadable, {3} missing':
    'con texto: {0}; escaneados: {1}; ilegibles: {2}; no encontrados: {3}',
  'no file in {0} is read: no source has a column document, which names the files of a record':
    'no se lee ningún archivo de {0}: ningún origen tiene la columna document, que nombra los archivos de un ' +
    'expediente',
  'HTML entities': 'entidades HTML',
  '{0} decoded': 'descodificadas: {0}',
  encoding: 'codificación',
  '{0} such as OrdenaciÃ³n repaired': 'reparados (estaban escritos como OrdenaciÃ³n): {0}',
  damaged: 'dañados',
  '{0} with lost letters (\ufffd)': '{0} con letras perdidas (\ufffd)',
  warning: 'aviso',
  'not imported': 'sin importar',
  changes: 'cambios',
  '{0} new, {1} changed, {2} gone': 'nuevos: {0}; modificados: {1}; retirados: {2}',
  new: 'nuevos',
  changed: 'modificados',
  gone: 'retirados',
  time: 'duración',
}

// Spanish translations of the messages of `import` about its sources and its rows, and of its report. spanish.ts
// includes them.

/**
 * By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text. After `Cannot read` or
 * `Cannot import`, {0} is the name of the source. A translation may add what to do, where the English text does not say
 * it.
 */
export const spanishImport: Readonly<Record<string, string>> = {
  // The mapping, which is the JSON object of `--mapping`, from column names to the headings of the source.
  // {0} is the path of its file.
  'Cannot read mapping {0}: it is not in UTF-8; save it as UTF-8':
    'No se puede leer la correspondencia {0}: no está en UTF-8; guárdela como UTF-8',
  'Cannot read mapping {0}: {1}': 'No se puede leer la correspondencia {0}: {1}',
  // The next texts are values {1} of the text above. Most follow the name of a column: `title: with: expected a text`.
  'there is no such file': 'no existe ese archivo',
  // {0} is `line 3, column 1`.
  'it is not JSON: the error is at {0}; expected an object such as {"title": "Denominación"}':
    'no es JSON (error en {0}); debe ser un objeto como {"title": "Denominación"}',
  'expected an object such as {"title": "Denominación"}': 'debe ser un objeto como {"title": "Denominación"}',
  'there is no column {0}; did you mean {1}?': 'no existe la columna {0}; ¿quiso decir {1}?',
  'expected a heading of the source as text, got {0}':
    'debe ser un encabezado del origen, como texto; se ha indicado {0}',
  // The examples that end the next two texts.
  '{"value": "Madrid"}, {"join": ["A", "B"], "with": " "} or {"from": "N", "match": "^(\\d+)$", "to": "$1"}':
    '{"value": "Madrid"}, {"join": ["A", "B"], "with": " "} o {"from": "N", "match": "^(\\d+)$", "to": "$1"}',
  'expected a heading, {0}': 'debe ser un encabezado, {0}',
  // {0} and {1} are names in an object of the mapping.
  'there is no {0} beside {1}; expected {2}': '{0} no se puede usar junto con {1}; use {2}',
  'value: expected a text': 'value debe ser un texto',
  'join: expected a list of headings': 'join debe ser una lista de encabezados',
  'with: expected a text': 'with debe ser un texto',
  'from: expected a heading of the source': 'from debe ser un encabezado del origen',
  'expected match and to, both as text': 'indique match y to, ambos como texto',
  // {0} is a reference such as "$2", and {1} a number of groups.
  'to: {0} is not a group of match, which has {1}; $& is the whole match, and $$ a dollar':
    'to: {0} no es un grupo de match, que tiene {1}; $& es todo el texto que coincide y $$ es un dólar',
  // {0} is the regular expression, and {1} is one of the next texts after a colon, or nothing.
  'match: {0} is not a valid regular expression{1}': 'match: {0} no es una expresión regular válida{1}',
  'Unterminated group': 'falta el paréntesis de cierre',
  "Unmatched ')'": 'falta el paréntesis de apertura',
  'Unterminated character class': 'falta el corchete de cierre',
  'Nothing to repeat': 'no hay nada que repetir',
  'Lone quantifier brackets': 'hay un corchete o una llave sin pareja',
  'Invalid escape': 'hay una barra invertida que no corresponde',
  'Invalid group': 'hay un grupo no válido',
  // A warning. {0} is a column, and {1} the heading in the mapping.
  '{0} is mapped to {1}, which no source has as a heading':
    '{0} corresponde a {1}, pero ningún origen tiene ese encabezado',
  // Files that cannot be read.
  'Cannot read {0}: {1}': 'No se puede leer {0}: {1}',
  'Cannot read {0}: there is no such file': 'No se puede leer {0}: no existe ese archivo',
  'Cannot read {0}: it is a folder; choose a file in it':
    'No se puede leer {0}: es una carpeta; elija un archivo de ella',
  'Cannot read {0}: permission denied; change its permissions':
    'No se puede leer {0}: permiso denegado; cambie sus permisos',
  'Cannot read {0}: it changed while it was being read; import it again':
    'No se puede leer {0}: cambió durante la lectura; impórtelo de nuevo',
  'Cannot read {0}: the file is empty; export it again':
    'No se puede leer {0}: el archivo está vacío; expórtelo de nuevo',
  'Cannot import {0}: the query returns no rows; fix --query':
    'No se puede importar {0}: la consulta no devuelve filas; corrija --query',
  // {1} is one of the two texts that follow.
  'Cannot import {0}: {1}; export it again': 'No se puede importar {0}: {1}; expórtelo de nuevo',
  'it has no content': 'no tiene contenido',
  'it has headings but no records': 'tiene encabezados, pero ningún expediente',
  // The name of the source `-`.
  'standard input': 'la entrada estándar',
  // Formats that are refused: values {1} of `Cannot read {0}: {1}`.
  'it is a workbook in the old .xls format or with a password; save it as .xlsx or .csv, without a password':
    'es un libro en el antiguo formato .xls o con contraseña; guarde la hoja como .xlsx o .csv, sin contraseña',
  'it is a web page with a table, not a workbook; open it in Excel or LibreOffice and save it as .xlsx or .csv':
    'es una página web con una tabla, no un libro; ábrala en Excel o LibreOffice y guarde la hoja como .xlsx o .csv',
  'it is a web page, perhaps an error or a login; download the data again and open the file to check it':
    'es una página web, quizá de error o de inicio de sesión; descargue los datos de nuevo y abra el archivo ' +
    'para comprobarlo',
  'it is XML, not a table; open it in Excel or LibreOffice and save it as .xlsx or .csv':
    'es XML, no una tabla; ábralo en Excel o LibreOffice y guarde la hoja como .xlsx o .csv',
  'it is a text document (RTF); save its table as .xlsx or .csv':
    'es un documento de texto (RTF); guarde su tabla como .xlsx o .csv',
  'it is compressed; decompress it first, or use a pipe: zcat FILE | planning-registry import -':
    'está comprimido; descomprímalo antes, o use zcat ARCHIVO | planning-registry import -',
  'it is a PDF; import records from CSV, JSON, NDJSON or XLSX':
    'es un PDF; importe los expedientes de CSV, JSON, NDJSON o XLSX',
  'the workbook is damaged or empty; open it in Excel and save it again':
    'el libro está dañado o vacío; ábralo en Excel y guárdelo de nuevo',
  // Further formats that are refused.
  'Cannot read {0}: it is a binary file, such as a database, or a damaged text; export it again as CSV in UTF-8':
    'No se puede leer {0}: es un archivo binario, como una base de datos, o un texto dañado; expórtelo de nuevo como CSV ' +
    'en UTF-8',
  'Cannot read {0}: it is a workbook in the binary format; save it as .xlsx':
    'No se puede leer {0}: es un libro en formato binario; guárdelo como .xlsx',
  'Cannot read {0}: this is not a workbook: part {1} is missing':
    'No se puede leer {0}: no es un libro: falta la parte {1}',
  'Cannot read {0}: it is an Office file without sheets; save the table as .xlsx or .csv':
    'No se puede leer {0}: es un archivo de Office sin hojas; guarde la tabla como .xlsx o .csv',
  'Cannot read {0}: it is an OpenDocument file; save it as .xlsx or .csv':
    'No se puede leer {0}: es un archivo OpenDocument; guarde la hoja como .xlsx o .csv',
  // A query. {1} is the message of PostgreSQL, the repeated name of a column, or the reason of the failure.
  'Cannot read {0}: the database reports: {1}; fix --query or the address':
    'No se puede leer {0}: la base de datos responde: {1}; corrija --query o la dirección',
  'Cannot read {0}: the query returns two columns {1}; rename one with AS, or leave it out':
    'No se puede leer {0}: la consulta devuelve dos columnas {1}; cambie el nombre de una con AS o quítela',
  'Cannot reach {0}: {1}; check the address and the server':
    'No se puede acceder a {0}: {1}; compruebe la dirección y el servidor',
  // Headings. {1} is the largest number of headings.
  'Cannot read {0}: it has more than {1} headings':
    'No se puede leer {0}: tiene más de {1} encabezados; quite las columnas que no se importan',
  // {1} and {2} are headings, and {3} is the column that both mean.
  'Cannot read {0}: headings {1} and {2} both mean {3}; rename or remove one':
    'No se puede leer {0}: los encabezados {1} y {2} corresponden ambos a {3}; cambie el nombre de uno o quítelo',
  'Cannot read {0}: the quotes in its headings do not match; fix the first line':
    'No se puede leer {0}: las comillas de los encabezados no están emparejadas; corrija la primera línea',
  // Required columns are missing. {1} is one of the texts that follow or, for several columns, a list of them.
  'Cannot read {0}: {1} (--inspect shows what was understood)':
    'No se puede leer {0}: {1} (--inspect muestra lo que se ha entendido)',
  // {0} is a list of the headings, and {1} a list of the required columns.
  'none of its headings is known: {0}; put the column names ({1}) in its first line, or map its headings with --mapping':
    'no se reconoce ningún encabezado: {0}; ponga los nombres de las columnas ({1}) en la primera línea o ' +
    'indique la correspondencia con --mapping',
  // The missing column is {0} of the three texts that begin with `{0} is missing`: one of the next two texts. In them,
  // {0} is the name of the column. {1} is a hint, which only the column `code` has, or the heading in the mapping.
  'column {0}{1}': 'la columna {0}{1}',
  'column {0}, mapped to {1},': 'la columna {0} (que corresponde a {1})',
  // The hint for the column `code`.
  ' (or prefix and registration_number)': ' (o prefix y registration_number)',
  // A hint that may end a text about the column `municipality`: {1} of the next text, and {2} of the last.
  '; if all records are of one municipality, map it to a value: {"municipality": {"value": "Madrid"}}':
    '; si todos los expedientes son de un mismo municipio, indíquelo en la correspondencia: {"municipality": ' +
    '{"value": "Madrid"}}',
  '{0} is missing; add it, or map it with --mapping{1}':
    'falta {0}; añádala o indique la correspondencia con --mapping{1}',
  '{0} is missing; the nearest heading is {1}: map it with --mapping':
    'falta {0}; el encabezado más parecido es {1}: indique la correspondencia con --mapping',
  '{0} is missing; the nearest heading is {1}: rename it, or map it with --mapping{2}':
    'falta {0}; el encabezado más parecido es {1}: cámbielo o indique la correspondencia con --mapping{2}',
  // CSV and JSON.
  'Cannot read {0}: the record at line {1} is longer than {2} characters; close its quote, or shorten its text':
    'No se puede leer {0}: el expediente de la línea {1} tiene más de {2} caracteres; cierre sus comillas o ' +
    'acorte el texto',
  // A place in a JSON file: {1} or {2} of the three texts that follow.
  'line {0}, column {1}': 'línea {0}, columna {1}',
  'Cannot read {0}: the JSON is cut off at {1}; export it again':
    'No se puede leer {0}: el JSON está cortado ({1}); expórtelo de nuevo',
  'Cannot read {0}: invalid JSON at {1}; fix it, or export the file again':
    'No se puede leer {0}: el JSON no es válido ({1}); corríjalo o exporte el archivo de nuevo',
  'Cannot read {0}: the JSON has more than {1} nested levels at {2}; export the records as a plain array':
    'No se puede leer {0}: el JSON tiene más de {1} niveles anidados ({2}); exporte los expedientes como una lista ' +
    'simple',
  // {1} is the path of `--records-at`, and {2} one of the two texts that follow.
  'Cannot read {0}: there is no array at {1}; {2}': 'No se puede leer {0}: no hay ninguna lista en {1}; {2}',
  'it has no array': 'no tiene ninguna lista',
  'its arrays are {0}': 'sus listas son {0}',
  'Cannot read {0}: it has several arrays: {1}; choose one with --records-at':
    'No se puede leer {0}: tiene varias listas: {1}; elija una con --records-at',
  // {1} is one of the two texts that follow.
  'Cannot read {0}: expected an array of records, or an object with that array; {1}':
    'No se puede leer {0}: debe ser una lista de expedientes o un objeto que la contenga; {1}',
  'it has no properties': 'no tiene propiedades',
  'its properties are {0}': 'sus propiedades son {0}',
  // {1} is the text that follows or, in a file without line breaks, `record 812`.
  'Cannot read {0}: {1} is longer than {2} characters':
    'No se puede leer {0}: {1} tiene más de {2} caracteres; acorte su texto',
  'the record at line {0}': 'el expediente de la línea {0}',
  'Cannot read {0}: line {1} is longer than {2} characters; export one record per line, or an array of records':
    'No se puede leer {0}: la línea {1} tiene más de {2} caracteres; exporte un expediente por línea o una lista ' +
    'de expedientes',
  // Workbooks and zip archives. `part {1}` is the name of a file in the archive.
  'Cannot read {0}: part {1} has a text of more than {2} characters, which no cell has; save it as CSV':
    'No se puede leer {0}: la parte {1} contiene un texto de más de {2} caracteres, más de lo que cabe en una celda; ' +
    'guarde la hoja como CSV',
  'Cannot read {0}: row {1} has more than {2} characters; save it as CSV':
    'No se puede leer {0}: la fila {1} tiene más de {2} caracteres; guarde la hoja como CSV',
  'Cannot read {0}: part {1} has elements in elements more than {2} deep, which no sheet has; save it as CSV':
    'No se puede leer {0}: la parte {1} anida elementos a más de {2} niveles, lo que no ocurre en ninguna hoja; ' +
    'guarde la hoja como CSV',
  'Cannot read {0}: part {1} is damaged; open the workbook in Excel and save it again':
    'No se puede leer {0}: la parte {1} está dañada; abra el libro en Excel y guárdelo de nuevo',
  'Cannot read {0}: it has no visible sheet; unhide the one to import':
    'No se puede leer {0}: no tiene ninguna hoja visible; muestre la que quiere importar',
  'Cannot read {0}: it has more than {1} cell styles; save it as CSV':
    'No se puede leer {0}: tiene más de {1} estilos de celda; guarde la hoja como CSV',
  'Cannot read {0}: there is no sheet {1}; its visible sheets are {2}':
    'No se puede leer {0}: no existe la hoja {1}; sus hojas visibles son {2}',
  'Cannot read {0}: a row has the number {1}, but rows are numbered from 1 to {2}; open the workbook in Excel and save it again':
    'No se puede leer {0}: una fila tiene el número {1}, pero las filas van de 1 a {2}; abra el libro en Excel y ' +
    'guárdelo de nuevo',
  'Cannot read {0}: it has more than {1} parts; save a workbook as CSV, or extract an archive and import its files with records':
    'No se puede leer {0}: tiene más de {1} partes; si es un libro, guarde la hoja como CSV; si no, descomprímalo e ' +
    'importe los archivos con expedientes',
  'Cannot read {0}: the archive is damaged; compress it again':
    'No se puede leer {0}: el archivo comprimido está dañado; comprímalo de nuevo',
  'Cannot read {0}: the workbook is damaged; open it in Excel and save it again':
    'No se puede leer {0}: el libro está dañado; ábralo en Excel y guárdelo de nuevo',
  'Cannot read {0}: the archive has no file with records':
    'No se puede leer {0}: el archivo comprimido no contiene ningún archivo con expedientes',
  'Cannot read {0}: the archive has several files: {1}; extract it and import the files with records':
    'No se puede leer {0}: el archivo comprimido contiene varios archivos: {1}; descomprímalo e importe los que ' +
    'tengan expedientes',
  'Cannot read {0}: it is an archive in an archive; extract it first':
    'No se puede leer {0}: es un archivo comprimido dentro de otro; descomprímalo antes',
  'Cannot read {0}: {1} is damaged; compress it again': 'No se puede leer {0}: {1} está dañado; comprímalo de nuevo',
  // {2} and {3} are numbers, and {4} is one of the two texts that follow.
  'Cannot read {0}: part {1} inflates from {2} to {3} bytes, which is too much; {4}':
    'No se puede leer {0}: la parte {1} pasa de {2} a {3} bytes al descomprimirla, que son demasiados; {4}',
  'extract it and import the file itself': 'extraiga ese archivo e impórtelo directamente',
  'save the sheet as CSV': 'guarde la hoja como CSV',
  // Rejected rows: the parts of messages such as `line 3, title: expected a title, got ""`.
  'line {0}': 'línea {0}',
  'record {0}': 'expediente {0}',
  // {0} is one of the texts further below: what the value or the row should be.
  'expected {0}': 'se esperaba {0}',
  // {0} is the text above, for a value after the name of its column: `title: expected a title`. {1} is what was read.
  '{0}, got {1}': '{0}; se ha leído {1}',
  // {0} of the second text is `code: duplicate code`, {1} the code, and {2} the place of the first row: `line 5`, or
  // `line 5 of FILE`.
  'duplicate code': 'código repetido',
  '{0} {1} (first on {2})': '{0} {1} (primera aparición: {2})',
  // What `--inspect` says of rows with the same code.
  'code: another row with another title has the same one; correct one of the two':
    'code: otra fila con otro título tiene el mismo; corrija uno de los dos',
  // `line 5 of FILE`, `3 rows of FILE`, headings of a file, or progress (`1,200 of 3,000`).
  '{0} of {1}': '{0} de {1}',
  // What a value should be. {0} is the pattern of codes.
  '<prefix>-<number>, such as 03082-1101': '<prefijo>-<número>, como 03082-1101',
  'a code of the form {0}': 'un código de la forma {0}',
  'the id of the record': 'el identificador del expediente',
  'a title': 'un título',
  'the name of a municipality': 'el nombre de un municipio',
  'digits, which follow the prefix in the code': 'un número, que sigue al prefijo en el código',
  // {0} is a number.
  'at most {0} characters': 'un máximo de {0} caracteres',
  'a day that exists': 'una fecha que exista',
  'a date (every record needs one)': 'una fecha (todo expediente la necesita)',
  'YYYY-MM-DD or DD/MM/YYYY': 'AAAA-MM-DD o DD/MM/AAAA',
  'a single address (put the address of the agreement in agreement_link)':
    'una sola dirección (ponga la del acuerdo en agreement_link)',
  'an address starting with http:// or https://': 'una dirección que empezara por http:// o https://',
  'file names under --documents, separated by ;': 'una lista de nombres de archivos de --documents, separados por ;',
  // What is wrong with a date, in place of `expected {0}`. {0} is a month such as 13, a year, or a day, whose month is
  // {1}.
  'there is no month {0}': 'no existe el mes {0}',
  'there is no 29 February in {0}': 'no existe el 29 de febrero de {0}',
  'there is no {0} {1}': 'no existe el {0} de {1}',
  'January,February,March,April,May,June,July,August,September,October,November,December':
    'enero,febrero,marzo,abril,mayo,junio,julio,agosto,septiembre,octubre,noviembre,diciembre',
  // What the row as a whole should be. {0} is a number.
  '{0} fields (quote a field that contains a separator)':
    'un total de {0} campos (ponga entre comillas el campo que contiene un separador)',
  '{0} fields before the file ends': 'un total de {0} campos antes del final del archivo',
  'a closing quote': 'una comilla de cierre',
  'doubled quotes inside a quoted field':
    'que las comillas dentro de un campo entre comillas estuvieran duplicadas ("")',
  'text in UTF-8, like the rest of the file': 'texto en UTF-8, como el resto del archivo',
  'every record to be an object': 'que cada expediente fuera un objeto',
  'one JSON object per line': 'un objeto JSON por línea',
  'keys that name columns': 'que cada clave fuera el nombre de una columna',
  // What was read instead.
  'a list': 'una lista',
  // {0} is a heading.
  '{0} to be text': 'que {0} fuera texto',
  'the corrected value in {0}': 'el valor corregido en {0}',
  'a value in {0}': 'un valor en {0}',
  'text in {0}, because so long a number loses digits (format the column as text and enter it again)':
    'texto en {0}, porque un número tan largo pierde cifras (dé a la columna formato de texto y vuelva a escribirlo)',
  'text in {0}, of which Excel has made a date (format the column as text and enter the value again)':
    'texto en {0}, que Excel ha convertido en fecha (dé a la columna formato de texto y vuelva a escribir el valor)',
  'the formula in {0} to have a stored result (save the workbook in Excel)':
    'que la fórmula de {0} tuviera un resultado guardado (guarde el libro en Excel)',
  // Warnings about codes. {0} is a code, and {1} is one of the two texts that follow.
  'codes such as {0} are not <prefix>-<number>, but most codes are; correct their rows':
    'los códigos como {0} no tienen la forma <prefijo>-<número>, que es la de la mayoría; corrija esas filas',
  'codes such as {0} are not <prefix>-<number>; {1}': 'los códigos como {0} no tienen la forma <prefijo>-<número>; {1}',
  "accept them with --code-pattern '{0}'": "admítalos con --code-pattern '{0}'",
  'rewrite them with "match" and "to" in a mapping, or accept them with --code-pattern':
    'transfórmelos con "match" y "to" en una correspondencia, o admítalos con --code-pattern',
  // Warnings about dates. {0} is `3 rows`, and {1} the place of the first: `line 5 of FILE`.
  '{0} with a checkin_date more than a year in the future, first on {1}; check the year':
    '{0} con una fecha de entrada más de un año en el futuro (la primera: {1}); compruebe el año',
  '{0} with a checkin_date before 1850, first on {1}; check the year':
    '{0} con una fecha de entrada anterior a 1850 (la primera: {1}); compruebe el año',
  '{0} with an inscription_date before its checkin_date, first on {1}; check both dates':
    '{0} con una fecha de inscripción anterior a la de entrada (la primera: {1}); compruebe ambas fechas',
  // {0} is the name of the source, and {1} a word of it.
  'letters of {0} are probably wrong, such as in {1}: if it was written by a DOS or old Macintosh program, save it as UTF-8':
    'es probable que haya letras equivocadas en {0}, como en {1}: si lo escribió un programa de MS-DOS o de un ' +
    'Macintosh antiguo, guárdelo como UTF-8',
  // The first line of the report. {0} is `3 records`, and {1} the address of the registry.
  'published {0} to {1}': 'publicado en {1}: {0}',
  'dry run, nothing published: {0} could be published to {1}':
    'ensayo: no se ha publicado nada; es posible publicar {0} en {1}',
  // {0} is the address, and {1} the reason: the next text, or one of those about `--max-rejects` and other limits.
  'nothing published to {0}: {1}': 'no se ha publicado nada en {0}: {1}',
  'the import did not finish': 'la importación se ha interrumpido',
  // An import or `--inspect` that stops. {0} is the reason; in the third text {0} is the address, and {1} the reason.
  '{0}; nothing is published': '{0}; no se publica nada',
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
  'a record has room for two addresses: {0} more of merged rows are not kept':
    'direcciones de filas unidas que no se conservan: {0} (un expediente admite dos)',
  'merged rows of {0} are too long: text after {1} characters, or area after {2}, is not kept':
    'las filas unidas de {0} son demasiado largas: no se conserva el texto a partir de {1} caracteres, ni el ámbito ' +
    'a partir de {2}',
  '{0} with the code of another row; --duplicates merge joins the rows of a code, first or last keeps one of them':
    '{0} con un código que ya figura en otra; con --duplicates merge se unen; con first o last se conserva solo la ' +
    'primera o la última',
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

// Spanish translations of the messages of `import` about a mapping or a source that it cannot read. spanish.ts includes
// them.

/**
 * By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text. After `Cannot read` or
 * `Cannot import`, {0} is the name of the source. A translation may add what to do, where the English text does not say
 * it.
 */
export const spanishSources: Readonly<Record<string, string>> = {
  // The mapping, which is the JSON object of `--mapping`, from column names to the headings of the source.
  // {0} is the path of its file.
  'Cannot read mapping {0}: it is not in UTF-8; save it as UTF-8':
    'No se puede leer la correspondencia {0}: no está en UTF-8; guárdela como UTF-8',
  'Cannot read mapping {0}: {1}': 'No se puede leer la correspondencia {0}: {1}',
  // What is wrong with the mapping: `Cannot read mapping m.json: title: with: expected a text`.
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
  // `Cannot import a.csv: it has no content; export it again`
  'Cannot import {0}: {1}; export it again': 'No se puede importar {0}: {1}; expórtelo de nuevo',
  'it has no content': 'no tiene contenido',
  'it has headings but no records': 'tiene encabezados, pero ningún expediente',
  // The name of the source `-`.
  'standard input': 'la entrada estándar',
  // Formats that are refused: `Cannot read a.pdf: it is a PDF; import records from …`.
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
  // A missing column: `column code (or prefix and registration_number) is missing; add it, or map it with --mapping`.
  // First come its names, which begin the texts.
  'column {0}{1}': 'la columna {0}{1}',
  ' (or prefix and registration_number)': ' (o prefix y registration_number)',
  // `column title, mapped to "Nombre",`
  'column {0}, mapped to {1},': 'la columna {0} (que corresponde a {1})',
  // A hint that ends the texts about the column `municipality`.
  '; if all records are of one municipality, map it to a value: {"municipality": {"value": "Madrid"}}':
    '; si todos los expedientes son de un mismo municipio, indíquelo en la correspondencia: {"municipality": ' +
    '{"value": "Madrid"}}',
  // {0} is one of the names, and the last value is the hint or nothing.
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
  // The place of an error: `Cannot read a.json: invalid JSON at line 3, column 1; …`.
  'line {0}, column {1}': 'línea {0}, columna {1}',
  'Cannot read {0}: the JSON is cut off at {1}; export it again':
    'No se puede leer {0}: el JSON está cortado ({1}); expórtelo de nuevo',
  'Cannot read {0}: invalid JSON at {1}; fix it, or export the file again':
    'No se puede leer {0}: el JSON no es válido ({1}); corríjalo o exporte el archivo de nuevo',
  'Cannot read {0}: the JSON has more than {1} nested levels at {2}; export the records as a plain array':
    'No se puede leer {0}: el JSON tiene más de {1} niveles anidados ({2}); exporte los expedientes como una lista ' +
    'simple',
  // `Cannot read a.json: there is no array at "rows"; its arrays are data (3 elements)`
  'Cannot read {0}: there is no array at {1}; {2}': 'No se puede leer {0}: no hay ninguna lista en {1}; {2}',
  'it has no array': 'no tiene ninguna lista',
  'its arrays are {0}': 'sus listas son {0}',
  'Cannot read {0}: it has several arrays: {1}; choose one with --records-at':
    'No se puede leer {0}: tiene varias listas: {1}; elija una con --records-at',
  // `Cannot read a.json: expected an array …; its properties are "name", "type"`
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
}

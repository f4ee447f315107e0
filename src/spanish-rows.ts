// Spanish translations of what is wrong with a row, and of the warnings about the values of a source. spanish.ts
// includes them.

/** By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text. */
export const spanishRows: Readonly<Record<string, string>> = {
  // The parts of `line 3, title: expected a title, got ""`.
  'line {0}': 'línea {0}',
  'record {0}': 'expediente {0}',
  // {0} is what the value or the row should be. The texts for it are further below. Their Spanish follows
  // `se esperaba`, so it is a noun (`un título`) or a clause (`que {0} fuera texto`).
  'expected {0}': 'se esperaba {0}',
  '{0}, got {1}': '{0}; se ha leído {1}',
  // `code: duplicate code "05019-1" (first on line 5 of FILE)`
  'duplicate code': 'código repetido',
  '{0} {1} (first on {2})': '{0} {1} (primera aparición: {2})',
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
  // What is wrong with a date, in place of `expected {0}`: `there is no 31 February`.
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
}

// Spanish translations of the messages of `check`, `search`, `sample`, `completion` and `serve`, and of those of
// `import` about `--inspect`, progress, documents and databases. spanish.ts includes them.

/** By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text. */
export const spanishCommands: Readonly<Record<string, string>> = {
  // Values of flags. {0} is the flag or the environment variable, and {1} is one of the texts that follow.
  'Cannot read {0}: expected {1}, got "{2}"': '{0} debe ser {1}; se ha indicado «{2}»',
  'a whole number from {0} to {1}': 'un número entero de {0} a {1}',
  'one of {0}': 'uno de estos valores: {0}',
  'a path such as /registry': 'una ruta como /registry',
  'an address such as https://example.org/registry': 'una dirección como https://example.org/registry',
  'a DIR3 code of nine characters, such as L01280796': 'un código DIR3 de nueve caracteres, como L01280796',
  'a complete address (https:… or mailto:…)': 'una dirección completa (https:… o mailto:…)',
  'Cannot read --url: expected an address such as http://127.0.0.1:8080/registry, got "{0}"':
    '--url debe ser una dirección como http://127.0.0.1:8080/registry; se ha indicado «{0}»',
  'Cannot print a completion script: expected one shell, bash, zsh or fish':
    'No se puede mostrar el código de autocompletado: indique un intérprete, bash, zsh o fish',
  'Cannot print a completion script for "{0}": expected bash, zsh or fish':
    'No se puede mostrar el código de autocompletado para «{0}»: el intérprete debe ser bash, zsh o fish',
  // `--inspect`. {0} is the encoding of the file.
  'CSV, {0}, separator {1}': 'CSV, {0}, separador {1}',
  tab: 'tabulación',
  // {0} is a number of rows, such as `200 rows`, here and in the two messages about rejected ones.
  'the first {0}': 'solo el principio: {0}',
  'proposed mapping (--write-mapping FILE writes it):':
    'correspondencia propuesta (--write-mapping ARCHIVO la guarda):',
  'proposed mapping, saved in {0}:': 'correspondencia propuesta, guardada en {0}:',
  'to import it, add these flags:': 'para importarlo, añada estas opciones:',
  // A value in the proposed mapping, and {0} of the next text.
  'YOUR MUNICIPALITY': 'SU MUNICIPIO',
  'replace {0} with the name of the municipality': 'escriba el nombre del municipio en lugar de {0}',
  // {0} is the file of a mapping.
  'first add the municipality to {0}': 'antes, añada el municipio a {0}',
  '{0} would still be rejected': 'aun así se rechazarían: {0}',
  '{0} would be rejected': 'se rechazarían: {0}',
  'missing: municipality; for a registry of one municipality add "municipality": {"value": "Madrid"}':
    'falta municipality; en un registro de un solo municipio añada "municipality": {"value": "Madrid"}',
  'missing: {0}; add the heading that has it': 'falta {0}; añada el encabezado que lo contiene',
  // Progress.
  'reading {0}': 'leyendo {0}',
  'reading documents': 'leyendo documentos',
  'writing records': 'escribiendo expedientes',
  // The stages of a publication: the index is built, and the tables are loaded into PostgreSQL.
  index: 'índice',
  load: 'carga',
  // {0} is a time, such as `4.5 s`.
  '{0} left': 'faltan {0}',
  // The end of a stage: {0} is its name, {1} how many items it has processed, and {2} the time.
  '{0}: {1} in {2}': '{0}: {1} en {2}',
  // `import`: its documents, its temporary folder, and a database as its source.
  'Cannot use --ocr-languages without --ocr': 'No se puede usar --ocr-languages sin --ocr',
  // {0} is the value of the flag, and {1} is one of the three texts that follow.
  'Cannot read --ocr-languages {0}: {1}': 'No se entiende --ocr-languages {0}: {1}',
  // {0} is a package, such as `tesseract.js`, and {1} the packages to install.
  '{0} is not installed; run npm install {1}': '{0} no está instalado; ejecute npm install {1}',
  'expected codes of three letters separated by commas: spa,cat':
    'indique códigos de tres letras separados por comas: spa,cat',
  // {0} and {1} are the code of a language, such as `cat`.
  'the model of {0} is not installed; run npm install @tesseract.js-data/{1}':
    'el modelo de {0} no está instalado; ejecute npm install @tesseract.js-data/{1}',
  'Cannot recognise text: {0}': 'No se puede reconocer el texto: {0}',
  'Cannot import: the temporary folder is full; free some space, or set TMPDIR to another folder':
    'No se puede importar: la carpeta temporal está llena; libere espacio o indique otra carpeta en TMPDIR',
  // {1} is the next text, or what the system says.
  'Cannot read documents from {0}: {1}': 'No se pueden leer documentos de {0}: {1}',
  'there is no such folder': 'no existe esa carpeta',
  'Cannot read the documents cache {0}: it was changed during the import; import again, or choose another folder with --document-cache':
    'No se pueden leer los textos guardados en {0}: han cambiado durante la importación; importe de nuevo o elija otra ' +
    'carpeta con --document-cache',
  'Cannot read {0}: expected postgres://USER@HOST/NAME; in a password, / : ? # and @ must be percent-encoded':
    'No se puede leer {0}: la dirección debe ser postgres://USUARIO@SERVIDOR/NOMBRE; en la contraseña, / : ? # y @ ' +
    'deben codificarse (@ como %40)',
  'Cannot recognise text: {0} cannot be loaded: {1}; install it again':
    'No se puede reconocer el texto: no se puede cargar {0}: {1}; instálelo de nuevo',
  'Cannot read --allow-host {0}: expected HOST or HOST:PORT, without a scheme or path':
    '--allow-host debe ser SERVIDOR o SERVIDOR:PUERTO, sin https:// ni ruta; se ha indicado {0}',
  'Cannot read documents: the reader does not start ({0}); reinstall the packages with npm ci':
    'No se pueden leer documentos: el lector no arranca ({0}); reinstale los paquetes con npm ci',
  'Cannot write the texts of the documents to {0}: the disk is full; free some space, or choose another folder with --document-cache':
    'No se pueden guardar los textos de los documentos en {0}: el disco está lleno; libere espacio o elija otra carpeta ' +
    'con --document-cache',
  // {1} is what the system says.
  'Cannot use {0} for the texts of the documents: {1}; choose another folder with --document-cache':
    'No se puede usar {0} para los textos de los documentos: {1}; elija otra carpeta con --document-cache',
  // What the system says (system-reason.ts).
  'permission denied': 'permiso denegado',
  'disk quota exceeded': 'se ha superado el espacio asignado en el disco',
  'too many open files': 'demasiados archivos abiertos',
  'there is no such file or folder': 'no existe ese archivo o carpeta',
  'there is already a file with this name': 'ya existe un archivo con ese nombre',
  'a part of the path is not a folder': 'una parte de la ruta no es una carpeta',
  'no space left on device': 'el disco está lleno',
  'read-only file system': 'el disco es de solo lectura',
  'the certificate has expired': 'el certificado ha caducado',
  'the certificate is not trusted': 'el certificado no es de confianza',
  'the certificate is for another host name': 'el certificado es de otro servidor',
  // `check`. {0} is the address of the registry.
  '{0} is sound': '{0} está en buen estado',
  // {0} is the reason why they could not be stored.
  'The pages will not show the dead links: {0}': 'La web no señalará los enlaces rotos: {0}',
  '{0} is not sound': '{0} está dañado',
  fault: 'fallo',
  'to fix': 'solución',
  'import the registry again with --rebuild, or restore a backup; do not trust its records until then':
    'importe de nuevo los datos con --rebuild o restaure una copia de seguridad; hasta entonces, no dé por válidos los expedientes',
  snapshot: 'publicación',
  // {0} is the id of the snapshot.
  '{0}, published {1}': '{0}, publicada el {1}',
  records: 'expedientes',
  // {0} is the number of records in the registry.
  '{0}, fictional': '{0}, ficticios',
  'without text': 'sin texto',
  // {0} is a number of documents, such as `2 documents`.
  '{0} without text': '{0} sin texto',
  // {0} is a number of records, such as `3 records`.
  '{0} searchable by title and area only': '{0} (búsqueda solo por el título y el ámbito)',
  // {0} is a number of pages, such as `3,000 pages`.
  '{0}: {1} read, {2} recognised, {3} unread': '{0}: {1} con texto, {2} con texto reconocido (OCR), {3} sin leer',
  links: 'enlaces',
  '{0} checked, {1} dead': 'comprobados: {0}; rotos: {1}',
  '{0} checked, {1} dead, {2} not checked (no network, or a busy host)':
    'comprobados: {0}; rotos: {1}; sin comprobar (no hay red o el servidor está ocupado): {2}',
  'Cannot check links: there is no network, or all hosts are busy; try again later (the dead links of the last check are kept)':
    'No se pueden comprobar los enlaces: no hay red o todos los servidores están ocupados; inténtelo más tarde (se ' +
    'conservan los enlaces rotos de la última comprobación)',
  'dead at the last check, and not checked now': 'roto en la última comprobación y sin comprobar ahora',
  'checking links': 'comprobando enlaces',
  // Why a link is dead.
  'it is not a valid address': 'no es una dirección válida',
  '{0} is not supported, only http: and https:': 'no se admite {0}, solo http: y https:',
  '{0} is not a public address': '{0} no es una dirección pública',
  'the host responded with {0}': 'el servidor ha respondido {0}',
  'it redirects to an invalid address': 'redirige a una dirección no válida',
  'it redirects more than {0} times': 'redirige más de {0} veces',
  'no response: {0}': 'sin respuesta: {0}',
  // `search`, and the output of other commands.
  'Cannot write the result: {0}': 'No se puede escribir el resultado: {0}',
  // {0} is two or more flags with ` and --` between them: `Cannot combine --json and --csv`.
  'Cannot combine --{0}: choose one': 'No se pueden combinar --{0}: elija una opción',
  ' and ': ' y ',
  'Cannot show passages: give the words to look for, as in search molinos --passages':
    'No se pueden mostrar fragmentos: indique las palabras que busca, por ejemplo search molinos --passages',
  'This is the bundled sample: every record in it is fictional':
    'Son los datos de ejemplo: todos los expedientes son ficticios',
  'Showing the first {0}; use --limit for more': 'Se muestran los {0} primeros; para ver más, use --limit',
  ENTERED: 'ENTRADA',
  MUNICIPALITY: 'MUNICIPIO',
  TITLE: 'TÍTULO',
  AREA: 'ÁMBITO',
  DOCUMENT: 'DOCUMENTO',
  PASSAGES: 'FRAGMENTOS',
  // The link to the agreement, after the title.
  ' [agreement]': ' [acuerdo]',
  // Where a passage is: in a text without pages, or on a page of a document.
  text: 'texto',
  'page {0}': 'página {0}',
  'page {0} of {1}': 'página {0} de {1}',
  // `sample` and the first start.
  'Cannot write a sample: expected one directory, planning-registry sample DIR':
    'No se puede escribir el ejemplo: indique una carpeta, planning-registry sample CARPETA',
  'Cannot write {0} documents: a record has at most {1}; raise --records, or lower --documents':
    'No se pueden escribir {0} documentos: un expediente tiene {1} como máximo; aumente --records o reduzca --documents',
  'Cannot write a sample: {0} exists and is not a sample; choose another directory':
    'No se puede escribir un ejemplo: {0} existe y no es un ejemplo; elija otra carpeta',
  'Cannot write the sample to {0}: {1}': 'No se puede escribir el ejemplo en {0}: {1}',
  // {0} is the file of records, {1} their number, {2} the number of documents, and {3} their folder.
  'Wrote {0}: {1}, {2} in {3}': 'Se ha creado {0}: {1}, {2} en {3}',
  'No registry at {0}: building one from the bundled sample of fictional records':
    'No hay ningún registro en {0}: se crea uno con los expedientes ficticios de ejemplo',
  'Built a fictional registry of {0} records': 'Se ha creado un registro ficticio de {0} expedientes',
  // `serve`. The first text is the reason why a request for changes gets 503.
  'another process has newer records': 'otro proceso tiene expedientes más recientes',
  // {0} and {1} are flags or variables.
  'Cannot use {0} without {1}: give both': 'No se puede usar {0} sin {1}: indique ambos',
  // {0} is the port, {1} and {2} are flags or variables.
  'Cannot use port {0} for both {1} and {2}: choose two ports':
    'No se puede usar el puerto {0} a la vez para {1} y {2}: elija dos puertos distintos',
  'an address or a network such as 10.0.0.0/8': 'una dirección o una red como 10.0.0.0/8',
  // The reasons why the file of a certificate or of a key cannot be read. Another is `there is no such file`.
  'this user may not read it': 'este usuario no tiene permiso para leerlo',
  'it is a folder': 'es una carpeta',
  'reading it failed ({0})': 'ha fallado la lectura ({0})',
  'Cannot use {0} with {1}: expected a certificate chain and its key, both in PEM':
    'No se puede usar {0} con {1}: deben ser una cadena de certificados y su clave, ambas en PEM',
  'Cannot listen on {0}:{1}': 'No se puede iniciar el servicio en {0}:{1}',
  // {0} is the message above, and {1} a flag.
  '{0}: the port is taken; choose another with {1}': '{0}: el puerto está ocupado; elija otro con {1}',
  '{0}: this user may not use the port; choose another with {1}, from 1024 on':
    '{0}: este usuario no puede usar ese puerto; elija otro con {1}, a partir de 1024',
  '{0}: this machine has no such address; choose another with {1}':
    '{0}: este ordenador no tiene esa dirección; elija otra con {1}',
}

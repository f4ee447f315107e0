// Spanish translations of the messages about a registry in a file or in PostgreSQL: it cannot be opened, read or
// written, or it is damaged. spanish.ts includes them.

/**
 * By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text: mostly the address of
 * the registry, then the reason, which is another text of this file or a message of the system. A translation may add
 * what to do, where the English text does not say it.
 */
export const spanishStorage: Readonly<Record<string, string>> = {
  'Cannot write to {0}: {1}': 'No se puede escribir en {0}: {1}',
  // {0} is the message above, and {1} are hosts.
  '{0}; add the primary to the address': '{0}; añada el servidor primario a la dirección',
  // Addresses.
  'Cannot open {0}: expected sqlite:PATH, postgres://HOST/NAME or https://HOST/PATH':
    'No se puede abrir {0}: la dirección debe ser sqlite:RUTA, postgres://SERVIDOR/NOMBRE o https://SERVIDOR/RUTA',
  'Cannot open sqlite: the path of the file is missing, as in sqlite:data/registry.db':
    'No se puede abrir sqlite: falta la ruta del archivo, por ejemplo sqlite:data/registry.db',
  'Cannot open {0}: it is a folder; give the path of a file':
    'No se puede abrir {0}: es una carpeta; indique la ruta de un archivo',
  'Cannot open {0}: it is not a file; give the path of a file':
    'No se puede abrir {0}: no es un archivo; indique la ruta de un archivo',
  'Cannot open {0}: {1}': 'No se puede abrir {0}: {1}',
  'expected postgres://USER@HOST/NAME': 'la dirección debe ser postgres://USUARIO@SERVIDOR/NOMBRE',
  'an @ in the password must be written as %40': 'en la contraseña, @ debe escribirse como %40',
  'unknown parameter {0}; expected one of {1}': 'no existe el parámetro {0}; debe ser uno de estos: {1}',
  'the name of the database is missing, as in …HOST/NAME':
    'falta el nombre de la base de datos, por ejemplo …SERVIDOR/NOMBRE',
  'expected HOST or HOST:PORT; in a password, / : ? and @ must be percent-encoded':
    'debe ser SERVIDOR o SERVIDOR:PUERTO; en una contraseña, / : ? y @ deben codificarse (@ como %40)',
  'expected sslmode to be one of {0}, got {1}': 'sslmode debe ser uno de estos valores: {0}; se ha indicado {1}',
  'cannot use the files of sslrootcert, sslcert and sslkey: {0}; name a certificate and its key, both in PEM':
    'no se pueden usar los archivos de sslrootcert, sslcert y sslkey: {0}; indique un certificado y su clave, ambos ' +
    'en PEM',
  'cannot read {0}, the file of {1}': 'no se puede leer {0}, el archivo de {1}',
  'expected {0} to be a number from 1, got {1}': '{0} debe ser un número mayor o igual que 1; se ha indicado {1}',
  'expected {0} to be true or false, got {1}': '{0} debe ser true o false; se ha indicado {1}',
  'expected port to be a number from 1 to {0}, got {1}': 'port debe ser un número de 1 a {0}; se ha indicado {1}',
  'the percent-encoding is invalid': 'la codificación con % no es válida',
  // Files.
  'there is no such file; create it with planning-registry import':
    'no existe ese archivo; créelo con planning-registry import',
  '{0}; correct the path or its permissions': '{0}; corrija la ruta o sus permisos',
  'Cannot open {0}: the file is empty; create it with planning-registry import':
    'No se puede abrir {0}: el archivo está vacío; créelo con planning-registry import',
  'Cannot open {0}: it is not a planning registry; choose another file, or create one with planning-registry import':
    'No se puede abrir {0}: no es un registro de planeamiento; indique otro archivo o cree uno con ' +
    'planning-registry import',
  'Cannot open {0}: another version wrote it (format {1}, this one reads {2}); import it again':
    'No se puede abrir {0}: lo escribió otra versión del programa (formato {1}; esta lee el {2}); importe de nuevo ' +
    'los datos',
  'Cannot open {0}: {1}; restore it from a backup or import it again':
    'No se puede abrir {0}: {1}; recupérelo de una copia de seguridad o importe de nuevo los datos',
  'Cannot read {0}: {1}; restore it from a backup or import it again':
    'No se puede leer {0}: {1}; recupérelo de una copia de seguridad o importe de nuevo los datos',
  'Cannot open {0}: {1}; check its permissions, the disk and the memory':
    'No se puede abrir {0}: {1}; compruebe sus permisos, el disco y la memoria',
  'Cannot read {0}: {1}; check the disk and the memory': 'No se puede leer {0}: {1}; compruebe el disco y la memoria',
  'Cannot read {0}: the registry has been closed': 'No se puede leer {0}: el registro está cerrado',
  'Cannot read {0}: the file was changed while it was in service':
    'No se puede leer {0}: el archivo se ha modificado mientras estaba en servicio; recupere una copia o importe de ' +
    'nuevo los datos',
  'Cannot check {0}: there is no such file': 'No se puede comprobar {0}: no existe ese archivo',
  'Cannot copy {0} to {1}: copy the file itself instead': 'No se puede copiar {0} en {1}: copie el propio archivo',
  'Cannot copy {0}: there is no such file': 'No se puede copiar {0}: no existe ese archivo',
  'Cannot import into {0}: another import is writing to it; wait until it has finished':
    'No se puede importar en {0}: otra importación está escribiendo en él; espere a que termine',
  'Cannot import into {0}: {1}; the folder must exist and be writable':
    'No se puede importar en {0}: {1}; la carpeta debe existir y permitir la escritura',
  'Cannot import into {0}: that file is not a planning registry; name another one':
    'No se puede importar en {0}: ese archivo no es un registro de planeamiento; indique otro',
  'Cannot import into {0}: {1}': 'No se puede importar en {0}: {1}',
  'Cannot import into {0}: {1}; import again': 'No se puede importar en {0}: {1}; vuelva a importar',
  'Cannot publish {0}: {1}': 'No se puede publicar {0}: {1}',
  // Copies of a registry that a store keeps. {0} is a folder or an address.
  'Cannot write to {0}: {1}; correct --data-dir': 'No se puede escribir en {0}: {1}; corrija --data-dir',
  'the file from the store has the SHA-256 {0}, expected {1}':
    'el archivo recibido tiene el SHA-256 {0} y debería tener {1}',
  'the file from the store is longer than {0} bytes': 'el archivo recibido tiene más de {0} bytes',
  'the transfer broke off after {0} of {1} bytes': 'la transferencia se interrumpió tras {0} de {1} bytes',
  'the file from the store is not a registry of format {0}': 'el archivo recibido no es un registro del formato {0}',
  'Cannot read {0}: {1}': 'No se puede leer {0}: {1}',
  'Cannot open {0}: an earlier version wrote it; import it again':
    'No se puede abrir {0}: lo escribió una versión anterior; importe de nuevo los datos',
  'Cannot read {0}: piece {1} of the registry file is missing':
    'No se puede leer {0}: falta la parte {1} del archivo del registro',
  'Cannot publish: another import has published meanwhile; import again':
    'No se puede publicar: entretanto ha publicado otra importación; vuelva a importar',
  'The local copy was not renewed: {0}': 'La copia local no se ha renovado: {0}',
  'The registry of an older version was removed from the database (its schemas registry_NUMBER_ID); the view registry.expediente stays, without values in its column position':
    'Se ha eliminado de la base de datos el registro de una versión anterior (sus esquemas registry_NÚMERO_ID); la ' +
    'vista registry.expediente sigue, sin valores en su columna position',
  'Cannot import into {0}: a web server only hands a registry out; import with --export DIR and upload that folder':
    'No se puede importar en {0}: un servidor web solo entrega el registro; importe con --export CARPETA y suba esa ' +
    'carpeta',
  // What SQLite says.
  'file is not a database': 'el archivo está dañado o no es una base de datos',
  'database disk image is malformed': 'el archivo está dañado',
  'unable to open database file': 'no se puede abrir el archivo',
  'attempt to write a readonly database': 'no hay permiso para escribir en él',
  'out of memory': 'no hay memoria suficiente',
  'disk I/O error': 'error de lectura o escritura en el disco',
  'database or disk is full': 'el disco está lleno',
  // Damage that `check` finds.
  // {2} is what was counted, such as `years`.
  'expected {0} records, found {1} by counting {2}': 'debería haber {0} expedientes y hay {1} según {2}',
  'the record at position {0} is missing': 'falta el expediente de la posición {0}',
  // {0} is an inscription code.
  'the record {0} is damaged': 'el expediente {0} está dañado',
  'a search does not find the record {0} by its words': 'al buscar las palabras del expediente {0}, no se encuentra',
  // PostgreSQL. At the start of a text, {0} is the name of a host or an error message.
  'a session keeps registry.expediente locked; end it and import again':
    'una sesión mantiene bloqueada registry.expediente; ciérrela y repita la importación',
  'Cannot open {0}: {1}; start the database or correct --database':
    'No se puede abrir {0}: {1}; inicie la base de datos o corrija --database',
  '{0}; see docs/postgres.md for the privileges of the role':
    '{0}; los permisos que necesita el usuario están en docs/postgres.md',
  '{0}; the previous snapshot is read': '{0}; se lee la publicación anterior',
  'The registry in service is damaged and was not compared: {0}':
    'El registro publicado está dañado y no se ha comparado: {0}',
  'The registry in service is damaged, and its change log is not continued: {0}':
    'El registro publicado está dañado y su historial de cambios se interrumpe: {0}',
  'it has no registry yet; create it with planning-registry import':
    'todavía no contiene ningún registro; créelo con planning-registry import',
  'it was written by another version (format {0}, this one reads {1}); import it again':
    'lo escribió otra versión del programa (formato {0}; esta lee el {1}); importe de nuevo los datos',
  'it is a standby': 'es una réplica',
  'this role may only read; use the role for imports, registry_import in docs/postgres.md':
    'este usuario solo puede leer; use el de las importaciones, registry_import en docs/postgres.md',
  'it is PostgreSQL {0}, 15 is needed': 'es PostgreSQL {0} y se necesita la versión 15 o posterior',
  'the database is encoded in {0}, UTF8 is needed': 'la base de datos usa {0} y se necesita UTF8',
  '{0}; behind PgBouncer add pgbouncer=true to the address':
    '{0}; detrás de PgBouncer, añada pgbouncer=true a la dirección',
  'no reason given': 'sin más detalles',
  'connection refused': 'conexión rechazada',
  'connection reset; if sslmode requires TLS, check that the server has it':
    'conexión interrumpida; si sslmode exige TLS, compruebe que el servidor lo tiene',
  'host name not found': 'no se encuentra el nombre del servidor',
  'host name lookup failed': 'no se ha podido resolver el nombre del servidor',
  'no answer': 'sin respuesta',
  'host unreachable': 'servidor inaccesible',
  'network unreachable': 'red inaccesible',
  'no server listens at that socket': 'ningún servidor escucha en ese socket',
  'no answer in time': 'sin respuesta a tiempo',
  'the server closed the connection': 'el servidor ha cerrado la conexión',
  'the connection was closed': 'se ha cerrado la conexión',
}

// Spanish translations of the messages that the code marks with `t` or passes to `translate` (language.ts), and of
// `--help`. test/cli/language.test.ts fails if a message marked with `t` or a text of `--help` has no translation, or
// if a translation is unused.
import { spanishCommands } from './spanish-commands.ts'
import { spanishHelp } from './spanish-help.ts'
import { spanishImport } from './spanish-import.ts'
import { spanishRows } from './spanish-rows.ts'
import { spanishSources } from './spanish-sources.ts'
import { spanishStorage } from './spanish-storage.ts'
import { spanishStores } from './spanish-stores.ts'

/** By the English text. `{0}`, `{1}`, … stand for the values, in the order of the English text. */
export const spanish: Readonly<Record<string, string>> = {
  ...spanishHelp,
  ...spanishCommands,
  ...spanishSources,
  ...spanishRows,
  ...spanishImport,
  ...spanishStorage,
  ...spanishStores,
  // The command line, and the flags of `import`. The first four texts are hints that end a message.
  'see planning-registry --help': 'consulte planning-registry --help',
  'did you mean {0}?': '¿quiso decir {0}?',
  'did you mean --{0}?': '¿quiso decir --{0}?',
  'see planning-registry {0} --help': 'consulte planning-registry {0} --help',
  // {0} is what was typed; at the end comes a hint.
  'Cannot run "{0}": there is no such command; {1}': 'No se puede ejecutar «{0}»: no existe esa orden; {1}',
  // {1} and {2} are the command.
  'Cannot read "{0}": {1} takes only flags; see planning-registry {2} --help':
    'No se entiende «{0}»: {1} solo admite opciones; consulte planning-registry {2} --help',
  // {0} is the flag, {1} the command, and {2} a hint.
  'Cannot read {0}: {1} has no such flag; {2}': 'No se entiende {0}: {1} no tiene esa opción; {2}',
  // {0} and {2} are the flag, and {1} is its value, as in `--help=yes`.
  'Cannot read {0}={1}: {2} takes no value': 'No se entiende {0}={1}: {2} no lleva valor',
  // {0} and {1} are the flag, and {2} stands for a value: `--port NUMBER`.
  'Cannot read {0}: it needs a value, as in {1} {2}': 'No se entiende {0}: indique un valor, como en {1} {2}',
  'Cannot read --lang: expected es or en, got "{0}"': '--lang debe ser «es» o «en»; se ha indicado «{0}»',
  'Cannot import: no source given; use planning-registry import FILE (- for standard input)':
    'No se puede importar: falta el archivo; use planning-registry import ARCHIVO (- para la entrada estándar)',
  'Cannot import: - (standard input) can be given only once':
    'No se puede importar: - (entrada estándar) solo puede indicarse una vez',
  'Cannot use --query: no source is a PostgreSQL address (postgres://…)':
    'No se puede usar --query: ningún origen es una dirección de PostgreSQL (postgres://…)',
  'Cannot use --sheet: every source is named .csv or .tsv; leave it out, or rename the workbook':
    'No se puede usar --sheet: el nombre de todos los orígenes acaba en .csv o .tsv; quite esa opción o cambie el ' +
    'nombre del libro',
  'Cannot use --records-at: every source is named .csv or .tsv; leave it out, or rename the JSON file':
    'No se puede usar --records-at: el nombre de todos los orígenes acaba en .csv o .tsv; quite esa opción o cambie ' +
    'el nombre del archivo JSON',
  'Cannot read {0}: give a query with --query SQL': 'No se puede leer {0}: indique la consulta con --query SQL',
  'Cannot read --duplicates: expected {0}, got "{1}"':
    '--duplicates debe ser uno de estos valores: {0}; se ha indicado «{1}»',
  'Cannot read --time-zone: expected a name such as Europe/Madrid, got "{0}"':
    '--time-zone debe ser un nombre como Europe/Madrid; se ha indicado «{0}»',
  // {0} is `max-gone` or `max-texts-gone`.
  'Cannot read --{0}: expected a share such as 10% or a number of records, got "{1}"':
    '--{0} debe ser un porcentaje como 10% o un número de expedientes; se ha indicado «{1}»',
  'Cannot read --allow-host: expected HOST or HOST:PORT, got "{0}"':
    '--allow-host debe ser SERVIDOR o SERVIDOR:PUERTO; se ha indicado «{0}»',
  'Cannot use --allow-host without --fetch-documents': 'No se puede usar --allow-host sin --fetch-documents',
  'Cannot fetch documents: allow every host they come from with --allow-host HOST':
    'No se pueden descargar documentos: autorice cada servidor con --allow-host SERVIDOR',
  // {0} is a flag that names a file to write, such as --rejects. {2} is one of the next three texts, such as
  // `the registry`.
  'Cannot write the file of {0} to {1}: it is {2}; choose another file':
    'No se puede escribir el archivo de {0} en {1}: es {2}; elija otro archivo',
  'a source of this import': 'un origen de esta importación',
  'the registry': 'el registro',
  'the file of {0}': 'el archivo de {0}',
  'Cannot use --write-mapping without --inspect; add --inspect, which imports nothing':
    'No se puede usar --write-mapping sin --inspect; añada --inspect, que no importa nada',
  'Cannot write the file of {0} to {1}: {2}': 'No se puede escribir el archivo de {0} en {1}: {2}',
  'Cannot write rejects to {0}: {1}; choose another file with --rejects':
    'No se pueden escribir las filas rechazadas en {0}: {1}; elija otro archivo con --rejects',
  // {0} is the pattern, and {1} is one of the texts that follow.
  'Cannot use --code-pattern {0}: {1}': 'No se puede usar --code-pattern {0}: {1}',
  'it is longer than 200 characters': 'tiene más de 200 caracteres',
  'it is not a regular expression': 'no es una expresión regular',
  'groups that repeat must not contain repetitions or alternatives, and there must be no lookaround or back reference':
    'los grupos que se repiten no pueden contener repeticiones ni alternativas, y no se admiten aserciones ' +
    '(lookaround) ni retrorreferencias',
  'some texts would take too long; separate its repetitions by a character that they do not match, as in \\d+/\\d+, or limit them, as in \\d{1,8}':
    'comprobar algunos textos llevaría demasiado tiempo; separe sus repeticiones con un carácter que ellas no ' +
    'admitan, como en \\d+/\\d+, o limítelas, como en \\d{1,8}',
  'it also matches an empty code': 'también admite un código vacío',
}

/** Nouns that follow a number, by the English singular. */
export const spanishPlurals: Readonly<Record<string, readonly [singular: string, plural: string]>> = {
  document: ['documento', 'documentos'],
  element: ['elemento', 'elementos'],
  field: ['campo', 'campos'],
  'fictional record': ['expediente ficticio', 'expedientes ficticios'],
  group: ['grupo', 'grupos'],
  name: ['nombre', 'nombres'],
  record: ['expediente', 'expedientes'],
  page: ['página', 'páginas'],
  'replaced snapshot': ['publicación sustituida', 'publicaciones sustituidas'],
  row: ['fila', 'filas'],
  value: ['valor', 'valores'],
}

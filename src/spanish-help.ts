// Spanish translations of `--help`: the texts of the tables in cli/commands.ts, and those around them (cli/help.ts).
// The settings of `serve` have theirs in cli/serve-settings.ts. spanish.ts includes this table.
import { filterNames, filters, toFlag } from './domain/parameters.ts'

/** By the English text. `{0}` stands for a value. `{base}` stands for none: `--help` prints it as it is. */
export const spanishHelp: Readonly<Record<string, string>> = {
  // The flags of the filters.
  ...Object.fromEntries(
    filterNames
      .filter((name) => toFlag(name) !== null)
      .flatMap((name) => [filters[name].meaning, filters[name].placeholder].map(({ en, es }) => [en, es])),
  ),
  // The text around the tables, and the commands.
  'planning-registry: read access to the urban-planning records of a registry':
    'planning-registry: consulta de los expedientes de planeamiento urbanístico de un registro',
  'Usage: planning-registry COMMAND [FLAGS]': 'Uso: planning-registry ORDEN [OPCIONES]',
  'planning-registry COMMAND --help prints the flags of a command; --version prints the version.':
    'planning-registry ORDEN --help muestra las opciones de una orden; --version muestra la versión.',
  ' [FLAGS]': ' [OPCIONES]',
  'Examples:': 'Ejemplos:',
  ' (default {0})': ' (por defecto, {0})',
  'Print the flags': 'Muestra las opciones',
  'Starts the service; if the default database does not exist, first builds it from the bundled sample':
    'Inicia el servicio; si no existe la base de datos por defecto, antes la crea con los datos de ejemplo',
  'Imports records (CSV, JSON, NDJSON, XLSX, - or postgres://…) and documents as a new snapshot':
    'Importa expedientes (CSV, JSON, NDJSON, XLSX, - (entrada estándar) o postgres://…) y documentos y los publica',
  'Checks a registry: integrity, counts, records without text, dead links':
    'Comprueba un registro: integridad, recuentos, expedientes sin texto, enlaces rotos',
  'Writes a fictional registry to DIR/records.csv and DIR/documents/*.pdf':
    'Escribe un registro ficticio en CARPETA/records.csv y CARPETA/documents/*.pdf',
  'Searches a database or a running service; exit status 0: found, 1: nothing found, 2: error':
    'Busca en una base de datos o en un servicio en marcha; código de salida 0: hay resultados, 1: no los hay, ' +
    '2: error',
  'Runs a Model Context Protocol (MCP) server on standard input and output':
    'Ejecuta un servidor MCP (Model Context Protocol) en la entrada y la salida estándar',
  'Prints the completion script for bash, zsh or fish': 'Muestra el código de autocompletado para bash, zsh o fish',
  // Placeholders of the values of flags, and operands.
  ADDRESS: 'DIRECCIÓN',
  CODE: 'CÓDIGO',
  CODES: 'CÓDIGOS',
  DIR: 'CARPETA',
  FILE: 'ARCHIVO',
  'HOST[:PORT]': 'SERVIDOR[:PUERTO]',
  LANGUAGE: 'IDIOMA',
  LEVEL: 'NIVEL',
  NAME: 'NOMBRE',
  NUMBER: 'NÚMERO',
  PATH: 'RUTA',
  REGEX: 'EXPRESIÓN',
  RULE: 'REGLA',
  SHARE: 'PORCENTAJE',
  SHELL: 'INTÉRPRETE',
  'SOURCE…': 'ORIGEN…',
  SQL: 'SQL',
  TEXT: 'TEXTO',
  URL: 'URL',
  '[TERM…]': '[PALABRAS…]',
  // Flags. Most texts that begin in lower case are details of the flag before them: `--help` prints both in one line.
  'Base address of a running service to use instead of a database':
    'Dirección base de un servicio en marcha, en lugar de una base de datos',
  "JSON object from column names to the source's headings":
    'Objeto JSON con la correspondencia entre las columnas del programa y los encabezados del origen',
  'Where the array of records is in a JSON file, such as result.records':
    'Dónde está la lista de expedientes en un archivo JSON, por ejemplo result.records',
  'Sheet of a workbook to read, by name or number': 'Hoja del libro que se lee, por nombre o número',
  'Time zone that decides on which day a time with a zone is':
    'Zona horaria con la que se calcula el día si la fecha incluye hora y zona',
  'Show what is understood of a source and propose a mapping; import nothing':
    'Muestra lo que se entiende de un origen y propone una correspondencia; no importa nada',
  'Write the mapping that --inspect proposes to this file':
    'Guarda en este archivo la correspondencia que propone --inspect',
  'Form of the codes of this registry, if it is not <prefix>-<number>':
    'Forma de los códigos de este registro, si no es <prefijo>-<número>',
  'Rows with the same code: refuse, keep the first or last, or merge':
    'Filas con el mismo código: rechazarlas (refuse), quedarse con la primera (first) o la última (last), o ' +
    'unirlas (merge)',
  'Query to run on a postgres:// source': 'Consulta que se ejecuta en un origen postgres://',
  'Folder of the files that the document column names': 'Carpeta de los archivos que nombra la columna document',
  'Download the documents of links and agreement_link from allowed hosts':
    'Descarga los documentos de links y agreement_link de los servidores autorizados',
  'Host to download documents from; repeatable': 'Servidor del que se descargan documentos; puede repetirse',
  'Recognise the text of scanned pages; about 6 s per page':
    'Reconoce el texto de las páginas escaneadas; unos 6 s por página',
  'Languages of the scans, such as spa,cat; spa by default':
    'Idiomas de los documentos escaneados, por ejemplo spa,cat; spa por defecto',
  'spa is always installed; others are npm packages: @tesseract.js-data/CODE':
    'spa está siempre instalado; los demás son paquetes de npm: @tesseract.js-data/CÓDIGO',
  'Index the text of documents without storing it, so that results show no passages':
    'Indexa el texto de los documentos sin guardarlo; los resultados no muestran fragmentos',
  'Cache of document texts, for the next import':
    'Carpeta en la que se guardan los textos leídos, para la próxima importación',
  'document-texts next to the database by default': 'por defecto, document-texts junto a la base de datos',
  'File for rejected rows; SOURCE.rejects.csv by default':
    'Archivo para las filas rechazadas; por defecto, ORIGEN.rejects.csv',
  'Publish nothing if more rows than this are rejected': 'Máximo de filas rechazadas; si se supera, no se publica nada',
  'Publish nothing if more records than this would be gone':
    'Máximo de expedientes publicados que pueden faltar; si se supera, no se publica nada',
  'Publish nothing if more records than this would lose their text':
    'Máximo de expedientes que pueden perder su texto; si se supera, no se publica nada',
  'Build the registry anew, although nothing has changed': 'Vuelve a construir el registro aunque nada haya cambiado',
  'Also write the registry as a file for a web server': 'Escribe además el registro como archivo, para un servidor web',
  'Do everything except publish': 'Lo hace todo salvo publicar',
  'Also write the report as JSON to this file': 'Guarda además el informe en este archivo, en JSON',
  'Compare every record with the index, and not only some':
    'Compara todos los expedientes con el índice, y no solo algunos',
  'Also request the address of every document and list dead links':
    'Solicita además la dirección de cada documento y muestra los enlaces rotos',
  'Number of records to write': 'Número de expedientes que se escriben',
  'Number of PDF documents to write': 'Número de documentos PDF que se escriben',
  'Random seed; the same seed writes the same bytes': 'Semilla aleatoria; con la misma semilla se escribe lo mismo',
  'Maximum number of records; by default 50 on a terminal, else all':
    'Número máximo de expedientes; por defecto, 50 en un terminal y, si no, todos',
  'Show where the words stand in the documents: page and text around them':
    'Muestra dónde aparecen las palabras en los documentos: página y texto que las rodea',
  'Print the JSON of the service': 'Muestra el JSON del servicio',
  'Print one JSON object per line': 'Muestra un objeto JSON por línea',
  'Print comma-separated values': 'Muestra valores separados por comas (CSV)',
}

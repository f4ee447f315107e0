// The table of all problems that a response can report: status, title and explanation in English and Spanish, and an
// example. The `type` of a problem (RFC 9457) is the address of its page {base}/problems/<code>, which
// api/problem-pages.ts makes from this table.
import { changesMax } from './domain/change.ts'
import type { BilingualText } from './domain/parameters.ts'
import {
  limitMax,
  passageRecordsMax,
  termCharactersMax,
  termWordsMax,
  valueCharactersMax,
} from './domain/query-limits.ts'
import { headerBytesMax, headersMax, urlCharactersMax } from './limits.ts'

/** What all problems with one code have in common. */
export interface ProblemKind {
  /** The status of the HTTP response. */
  readonly status: number
  readonly title: BilingualText
  /**
   * When it happens, and what to do about it. Text in backquotes is code. The first sentence says what happened in
   * words that need no knowledge of the API: the web page and the command `search` show it alone (`toSentence`).
   */
  readonly explanation: BilingualText
  /** A GET request that always causes it, relative to the base address; absent if there is no short one. */
  readonly example?: string
}

/** The first sentence of a text, with its full stop. */
export function toSentence(text: string): string {
  const [sentence = text] = /^.*?\.(?= |$)/.exec(text) ?? []
  return sentence
}

const kinds = {
  'malformed-request': {
    status: 400,
    title: { en: 'Malformed request', es: 'Petición no válida' },
    explanation: {
      en: 'The bytes received are not a valid HTTP request (RFC 9112). Examples are a folded header, two `Host` headers, `Content-Length` together with `Transfer-Encoding`, and an address with characters that must be percent-encoded. Use an HTTP library to build the request.',
      es: 'Lo recibido no es una petición HTTP válida (RFC 9112). Por ejemplo, tiene una cabecera partida en varias líneas, dos cabeceras `Host`, `Content-Length` junto con `Transfer-Encoding` o una dirección con caracteres sin codificar. Utilice una biblioteca de HTTP para construir la petición.',
    },
  },
  'malformed-encoding': {
    status: 400,
    title: { en: 'Malformed encoding', es: 'Codificación no válida' },
    explanation: {
      en: 'The path or a parameter is not percent-encoded UTF-8. A space is `%20` (or `+` in the query), ñ is `%C3%B1`, a percent sign is `%25`. Latin-1 bytes such as `%F1` are refused.',
      es: 'La ruta o un parámetro no está en UTF-8 codificado con %. Un espacio es `%20` (o `+` en los parámetros), la ñ es `%C3%B1` y el signo de porcentaje es `%25`. No se admiten bytes de Latin-1 como `%F1`.',
    },
    example: 'record?search=Espa%F1a',
  },
  'control-character': {
    status: 400,
    title: { en: 'Control character', es: 'Carácter de control' },
    explanation: {
      en: 'The text contains invisible characters: please type it again. A control character is, for example, NUL or, except in `search`, a line break or a tab. No record can match it.',
      es: 'El texto contiene caracteres no visibles: escríbalo de nuevo. Un carácter de control es, por ejemplo, NUL o, salvo en `search`, un salto de línea o una tabulación. Ningún expediente puede coincidir.',
    },
    example: 'record?search=a%00b',
  },
  'unknown-parameter': {
    status: 400,
    title: { en: 'Unknown parameter', es: 'Parámetro desconocido' },
    explanation: {
      en: 'The address has no parameter with this name. The request is refused because ignoring a misspelt filter would return the wrong records. `suggestions` contains the parameter with the most similar name.',
      es: 'La dirección no tiene ningún parámetro con ese nombre. La petición se rechaza porque, si se pasara por alto un filtro mal escrito, los expedientes no serían los pedidos. La propiedad `suggestions` contiene el parámetro de nombre más parecido.',
    },
    example: 'record?checking_date=2004',
  },
  'unknown-field': {
    status: 400,
    title: { en: 'Unknown field', es: 'Campo desconocido' },
    explanation: {
      en: 'The registry has no field with this name. Fields are the columns of its own that the office publishes; `suggestions` contains their names, the most similar first.',
      es: 'El registro no tiene ningún campo con ese nombre. Los campos son las columnas propias que la oficina publica; la propiedad `suggestions` contiene sus nombres, primero el más parecido.',
    },
    example: 'record?field.zzz=1',
  },
  'repeated-parameter': {
    status: 400,
    title: { en: 'Repeated parameter', es: 'Parámetro repetido' },
    explanation: {
      en: 'A parameter is given twice. Give each parameter once, or send two requests.',
      es: 'Un parámetro aparece dos veces. Indique cada parámetro una sola vez o envíe dos peticiones.',
    },
    example: 'record?checkin_date=2004&checkin_date=2005',
  },
  'incomplete-request': {
    status: 400,
    title: { en: 'Incomplete request', es: 'Petición incompleta' },
    explanation: {
      en: 'A parameter is empty or blank, or no inscription code follows `record/`. Give the parameter a value or leave it out. All parameters are optional.',
      es: 'Un parámetro está vacío o en blanco, o falta el código de inscripción después de `record/`. Dé un valor al parámetro o quítelo. Todos los parámetros son opcionales.',
    },
    example: 'record?municipality=',
  },
  'malformed-code': {
    status: 400,
    title: { en: 'Malformed inscription code', es: 'Código de inscripción no válido' },
    explanation: {
      en: 'The inscription code does not have the form of the codes of this registry. Usually that is `<prefix>-<number>`, for example `03082-1101`. The prefix consists of letters, digits, full stops, underscores, hyphens and slashes (sent as `%2F`); the number consists of digits. A registry may set another form; then `openapi.json` has its pattern.',
      es: 'El código de inscripción no tiene la forma de los códigos de este registro. Normalmente es `<prefijo>-<número>`, por ejemplo `03082-1101`. El prefijo consta de letras, cifras, puntos, guiones bajos, guiones y barras (enviadas como `%2F`); el número consta de cifras. Un registro puede fijar otra forma; en ese caso `openapi.json` contiene el patrón.',
    },
    example: 'record/03082',
  },
  'malformed-year': {
    status: 400,
    title: { en: 'Malformed year', es: 'Año no válido' },
    explanation: {
      en: 'Write the year with four digits, for example 2004. `checkin_date` is the year of entry, written with exactly four digits.',
      es: 'Escriba el año con cuatro cifras, por ejemplo 2004. El parámetro `checkin_date` es el año de entrada, con cuatro cifras exactamente.',
    },
    example: 'record?checkin_date=2004-05',
  },
  'malformed-date': {
    status: 400,
    title: { en: 'Malformed date', es: 'Fecha no válida' },
    explanation: {
      en: 'The date is not valid: write a year (2015), a month (2015-06) or a day that exists (2015-06-30). `checkin_from` and `checkin_to` are dates.',
      es: 'La fecha no es válida: escriba un año (2015), un mes (2015-06) o un día que exista (2015-06-30). Los parámetros `checkin_from` y `checkin_to` son fechas.',
    },
    example: 'record?checkin_from=2015-02-30',
  },
  'malformed-value': {
    status: 400,
    title: { en: 'Malformed value', es: 'Valor no válido' },
    explanation: {
      en: 'The value is not one of those that the filter takes. For example, `agreement` is `yes` or `no`: `detail` says which values there are.',
      es: 'El valor no es uno de los que admite el filtro. Por ejemplo, `agreement` es `yes` o `no`: la propiedad `detail` indica los valores que hay.',
    },
    example: 'record?agreement=true',
  },
  'reversed-dates': {
    status: 400,
    title: { en: 'Reversed dates', es: 'Fechas invertidas' },
    explanation: {
      en: 'The first date may not be later than the last one. `checkin_to` ends before `checkin_from` begins. Both days are included, so they may be the same day.',
      es: 'La fecha inicial no puede ser posterior a la final. El período de `checkin_to` termina antes de que empiece el de `checkin_from`. Ambos días se incluyen, así que pueden ser el mismo.',
    },
    example: 'record?checkin_from=2020&checkin_to=2015',
  },
  'malformed-limit': {
    status: 400,
    title: { en: 'Malformed limit', es: 'Límite no válido' },
    explanation: {
      en: `The limit is not a whole number from 1 to ${limitMax}. \`limit\` is written in digits without a sign or leading zeros. Without it, the response contains the whole result.`,
      es: `El límite no es un número entero de 1 a ${limitMax}. El parámetro \`limit\` se escribe con cifras, sin signo ni ceros a la izquierda. Sin él, la respuesta contiene el resultado completo.`,
    },
    example: 'record?limit=0',
  },
  'malformed-cursor': {
    status: 400,
    title: { en: 'Malformed cursor', es: 'Cursor no válido' },
    explanation: {
      en: 'The address of this page of the list is not valid: go back to the start of the list. `cursor` is opaque. Copy it unchanged from the address in the `Link` header of the previous page.',
      es: 'La dirección de esta página de la lista no es válida: vuelva al principio de la lista. El valor de `cursor` se copia sin modificarlo de la dirección de la cabecera `Link` de la página anterior.',
    },
    example: 'record?limit=10&cursor=abc',
  },
  'malformed-since': {
    status: 400,
    title: { en: 'Malformed token', es: 'Valor de since no válido' },
    explanation: {
      en: 'The place in the list of changes is not valid. `since` is an opaque token. Copy the address from the `Link` header of the previous response unchanged, or leave `since` out to list every record.',
      es: 'El punto indicado de la lista de cambios no es válido. Copie el valor de `since` sin modificarlo de la cabecera `Link` de la respuesta anterior, o quite `since` para obtener la lista de todos los expedientes.',
    },
    example: 'changes?since=yesterday',
  },
  'malformed-include': {
    status: 400,
    title: { en: 'Malformed include', es: 'Valor de include no válido' },
    explanation: {
      en: 'The service does not have this additional information. `include` is a list of names separated by commas, without spaces, for example `include=cod_archivo,place`. Each adds a property to every record. `summary` takes `documents` only. `suggestions` contains the most similar name.',
      es: 'El servicio no tiene esa información adicional. El parámetro `include` es una lista de nombres separados por comas, sin espacios, por ejemplo `include=cod_archivo,place`. Cada nombre añade una propiedad a cada expediente. `summary` solo admite `documents`. La propiedad `suggestions` contiene el nombre más parecido.',
    },
    example: 'record?include=code',
  },
  'malformed-language': {
    status: 400,
    title: { en: 'Malformed language', es: 'Idioma no válido' },
    explanation: {
      en: 'The language is not known. `lang` is `es` or `en`. Without it, the page is in the language that the browser prefers.',
      es: 'El idioma no se reconoce. El parámetro `lang` es `es` o `en`. Sin él, la página está en el idioma que prefiere el navegador.',
    },
    example: 'docs?lang=fr',
  },
  'passages-unavailable': {
    status: 400,
    title: { en: 'Passages unavailable', es: 'Fragmentos no disponibles' },
    explanation: {
      en: `Passages of the documents cannot be shown for this search, or in this registry. \`include=passages\` shows where the words of \`search\` stand in the documents. It needs \`search\`, and \`limit\` of at most ${passageRecordsMax} or an inscription code in the path. A registry that was imported with \`--no-passages\` has none.`,
      es: `No se pueden mostrar fragmentos de los documentos en esta búsqueda o en este registro. Con \`include=passages\` se muestra dónde están las palabras de \`search\` en los documentos. Hace falta \`search\` y, además, un \`limit\` de ${passageRecordsMax} como máximo o un código de inscripción en la ruta. Un registro importado con \`--no-passages\` no tiene fragmentos.`,
    },
    example: 'record?search=plan&include=passages',
  },
  'value-too-long': {
    status: 400,
    title: { en: 'Value too long', es: 'Valor demasiado largo' },
    explanation: {
      en: `Text too long: write only the most important words. \`search\` has more than ${termCharactersMax} characters, or another parameter or an inscription code more than ${valueCharactersMax}.`,
      es: `Texto demasiado largo: escriba solo las palabras más importantes. El valor de \`search\` tiene más de ${termCharactersMax} caracteres, o el de otro parámetro o un código de inscripción, más de ${valueCharactersMax}.`,
    },
  },
  'too-many-words': {
    status: 400,
    title: { en: 'Too many words', es: 'Demasiadas palabras' },
    explanation: {
      en: `Too many words: write at most ${termWordsMax}. Every word of \`search\` must occur in a record, so fewer words find more records.`,
      es: `Demasiadas palabras: escriba ${termWordsMax} como máximo. Todas las de \`search\` deben aparecer en el expediente, así que con menos palabras se encuentran más expedientes.`,
    },
    example: `record?search=${Array(termWordsMax + 1)
      .fill('a')
      .join('+')}`,
  },
  'unknown-address': {
    status: 404,
    title: { en: 'Unknown address', es: 'Dirección desconocida' },
    explanation: {
      en: 'There is nothing at this address. The API consists of `record`, `record/{cod_archivo}`, `municipality`, `summary` and `changes`. `docs` describes it.',
      es: 'La dirección no existe. La API consta de `record`, `record/{cod_archivo}`, `municipality`, `summary` y `changes`; su documentación está en `docs`.',
    },
    example: 'records',
  },
  'unknown-record': {
    status: 404,
    title: { en: 'Unknown record', es: 'Expediente desconocido' },
    explanation: {
      en: 'No record has this inscription code. Upper and lower case do not matter.',
      es: 'Ningún expediente tiene ese código de inscripción. No se distinguen las mayúsculas de las minúsculas. Compruebe el código.',
    },
    example: 'record/NOWHERE-1',
  },
  'record-filtered-out': {
    status: 404,
    title: { en: 'Record filtered out', es: 'Expediente excluido por los filtros' },
    explanation: {
      en: 'A record has this inscription code, but it does not match the other filters. Remove the filters to get the record. For a search, `suggestions` contains terms that the record contains.',
      es: 'Un expediente tiene ese código de inscripción, pero no cumple los demás filtros. Quite los filtros para obtenerlo. Si la petición busca un texto, la propiedad `suggestions` contiene términos que sí están en el expediente.',
    },
  },
  'unknown-municipality': {
    status: 404,
    title: { en: 'Unknown municipality', es: 'Municipio desconocido' },
    explanation: {
      en: 'No municipality with records has this name or INE code. Give the full name in any of its official spellings. Case, accents, punctuation and the position of the article do not matter. `suggestions` contains the most similar names, and `municipality` lists all municipalities with records. If the municipality exists but has no records, `detail` says so.',
      es: 'Ningún municipio con expedientes tiene ese nombre o código INE. Escriba el nombre completo en cualquiera de sus formas oficiales. No importan las mayúsculas, los acentos, la puntuación ni la posición del artículo. La propiedad `suggestions` contiene los nombres más parecidos y la dirección `municipality` enumera los municipios con expedientes. Si el municipio existe pero no tiene expedientes, la propiedad `detail` lo indica.',
    },
    example: 'record?municipality=Atlantis',
  },
  'unknown-province': {
    status: 404,
    title: { en: 'Unknown province', es: 'Provincia desconocida' },
    explanation: {
      en: 'No province has this name or code. Give the name in any of its official spellings, or the two-digit INE code, for example `province=05`. `suggestions` contains the most similar names.',
      es: 'Ninguna provincia tiene ese nombre o código. Escriba el nombre en cualquiera de sus formas oficiales, o el código INE de dos cifras, por ejemplo `province=05`. La propiedad `suggestions` contiene los nombres más parecidos.',
    },
    example: 'record?province=Avlia',
  },
  'unknown-community': {
    status: 404,
    title: { en: 'Unknown autonomous community', es: 'Comunidad autónoma desconocida' },
    explanation: {
      en: 'No autonomous community has this name or code. Give the name in any of its official spellings, or the two-digit INE code, for example `community=07`. `suggestions` contains the most similar names.',
      es: 'Ninguna comunidad autónoma tiene ese nombre o código. Escriba el nombre en cualquiera de sus formas oficiales, o el código INE de dos cifras, por ejemplo `community=07`. La propiedad `suggestions` contiene los nombres más parecidos.',
    },
    example: 'record?community=Castila',
  },
  'contradictory-places': {
    status: 404,
    title: { en: 'Contradictory places', es: 'Lugares contradictorios' },
    explanation: {
      en: 'The places (municipality, province or autonomous community) do not belong together: remove one of them. The municipality does not lie in the province or in the community of the request, or the province does not lie in the community.',
      es: 'Los lugares indicados (municipio, provincia o comunidad autónoma) no se corresponden: quite uno de ellos. El municipio no pertenece a la provincia o a la comunidad autónoma de la petición, o la provincia no pertenece a la comunidad.',
    },
    example: 'record?province=Madrid&community=Galicia',
  },
  'no-match-in-municipality': {
    status: 404,
    title: { en: 'No match in the municipality', es: 'Sin resultados en el municipio' },
    explanation: {
      en: 'The municipality has records, but none matches all the criteria. Remove or change a filter.',
      es: 'El municipio tiene expedientes, pero ninguno coincide con todos los criterios. Quite o cambie alguno de los filtros.',
    },
  },
  'no-match': {
    status: 404,
    title: { en: 'No match', es: 'Sin resultados' },
    explanation: {
      en: 'No record matches all the criteria: each word must occur in the title, the area, the content or the documents. The request is valid, but every word of `search` must occur, and every filter must match.',
      es: 'Ningún expediente coincide con todos los criterios: cada palabra debe aparecer en el título, el ámbito, el contenido o los documentos. La petición es válida, pero deben aparecer todas las palabras de `search` y cumplirse todos los filtros.',
    },
    example: 'record?checkin_date=0001',
  },
  'nothing-after-cursor': {
    status: 404,
    title: { en: 'Nothing after the cursor', es: 'No hay más resultados' },
    explanation: {
      en: 'There are no records left on this page. No matching record follows the cursor. This happens if the registry has been updated since the previous page and the remaining records were removed, or if the cursor is used with other filters. Leave `cursor` out to start again.',
      es: 'En esta página ya no quedan expedientes. Ningún expediente que coincida sigue al cursor. Ocurre si el registro se ha actualizado desde la página anterior y se han retirado los expedientes que quedaban por mostrar, o si el cursor se usa con otros filtros. Para empezar de nuevo, quite `cursor`.',
    },
  },
  'method-not-allowed': {
    status: 405,
    title: { en: 'Method not allowed', es: 'Método no permitido' },
    explanation: {
      en: 'The service is read-only. It allows GET, HEAD and OPTIONS, which the `Allow` header lists.',
      es: 'El servicio es de solo lectura. Admite GET, HEAD y OPTIONS, que la cabecera `Allow` enumera.',
    },
  },
  'request-timeout': {
    status: 408,
    title: { en: 'Request timeout', es: 'Tiempo de espera agotado' },
    explanation: {
      en: 'The request did not arrive completely in time, and the connection was closed. Send it again.',
      es: 'La petición no llegó completa a tiempo y se cerró la conexión. Envíela de nuevo.',
    },
  },
  'expired-since': {
    status: 410,
    title: { en: 'Expired token', es: 'Valor de since caducado' },
    explanation: {
      en: `The change log does not reach back to this token. It keeps the last ${changesMax.toLocaleString('en')} changes, and starts again when a registry is replaced by another. Copy the registry again: send \`changes\` without \`since\`, and delete the records that it does not list.`,
      es: `El historial de cambios no llega hasta ese valor de \`since\`. Conserva los últimos ${changesMax.toLocaleString('es')} cambios y vuelve a empezar cuando un registro se sustituye por otro. Copie el registro de nuevo: pida \`changes\` sin \`since\` y borre los expedientes que no figuren en la lista.`,
    },
    example: 'changes?since=0000000000000000.1.1',
  },
  'address-too-long': {
    status: 414,
    title: { en: 'Address too long', es: 'Dirección demasiado larga' },
    explanation: {
      en: `The address has more than ${urlCharactersMax} characters. No valid request is that long.`,
      es: `La dirección tiene más de ${urlCharactersMax} caracteres. Ninguna petición válida es tan larga: quite parámetros o acorte sus valores.`,
    },
  },
  'too-many-requests': {
    status: 429,
    title: { en: 'Too many requests', es: 'Demasiadas peticiones' },
    explanation: {
      en: 'The client has sent more requests than the operator of this service allows. Wait for the number of seconds in `Retry-After`.',
      es: 'Desde su conexión se han hecho más peticiones de las que permite el responsable del registro. Espere los segundos que indica la cabecera `Retry-After`.',
    },
  },
  'headers-too-large': {
    status: 431,
    title: { en: 'Request headers too large', es: 'Cabeceras demasiado grandes' },
    explanation: {
      en: `The request line and the headers together are larger than ${headerBytesMax / 1024} KB, or there are more than ${headersMax} headers. Send fewer or shorter headers.`,
      es: `La línea de petición y las cabeceras ocupan más de ${headerBytesMax / 1024} KB, o hay más de ${headersMax} cabeceras. Envíe menos cabeceras o más cortas.`,
    },
  },
  'internal-error': {
    status: 500,
    title: { en: 'Internal error', es: 'Error interno' },
    explanation: {
      en: 'The service has a bug. Please report it to the operator of the service: say what you were doing, and quote the `X-Request-Id` of the response, which identifies the error in the log.',
      es: 'Se ha producido un error en el servicio. Comuníquelo al responsable del registro: explique qué estaba haciendo e indique el `X-Request-Id` de la respuesta, que identifica el error en el registro de actividad del servicio.',
    },
  },
  'registry-unavailable': {
    status: 503,
    title: { en: 'Registry unavailable', es: 'Registro no disponible' },
    explanation: {
      en: 'The registry database cannot be reached at the moment. Send the same request again after the number of seconds in `Retry-After`.',
      es: 'En este momento no se puede acceder a la base de datos del registro. Repita la misma petición pasados los segundos que indica la cabecera `Retry-After`.',
    },
  },
  overloaded: {
    status: 503,
    title: { en: 'Service overloaded', es: 'Servicio saturado' },
    explanation: {
      en: 'The service has too much work and refuses new requests for a short time. Send the same request again after the number of seconds in `Retry-After`. Several small pages (`limit`) cost the service less than one long response.',
      es: 'El servicio tiene demasiado trabajo y rechaza peticiones nuevas durante un momento. Repita la misma petición pasados los segundos que indica la cabecera `Retry-After`. Varias páginas pequeñas (`limit`) suponen menos carga para el servicio que una respuesta larga.',
    },
  },
}

/** The last path segment of the problem's `type`. */
export type ProblemCode = keyof typeof kinds

export const problemKinds: Readonly<Record<ProblemCode, ProblemKind>> = kinds

export const problemCodes: readonly ProblemCode[] = Object.keys(problemKinds) as ProblemCode[]

/** Whether the text is the code of a problem. A service of another version may send others. */
export function isProblemCode(code: string): code is ProblemCode {
  return Object.hasOwn(problemKinds, code)
}

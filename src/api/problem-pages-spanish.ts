// The problems in Spanish, for their pages (problem-pages.ts). An error response itself is in English, because programs
// read it.
import type { ProblemCode, ProblemKind } from '../problems.ts'

export type ProblemText = Pick<ProblemKind, 'title' | 'explanation'>

/** Text in backquotes is shown as code. */
export const spanishProblems: Readonly<Record<ProblemCode, ProblemText>> = {
  'malformed-request': {
    title: 'Petición no válida',
    explanation:
      'Lo recibido no es una petición HTTP válida (RFC 9112): por ejemplo, tiene una cabecera partida en varias ' +
      'líneas, dos cabeceras `Host`, `Content-Length` junto con `Transfer-Encoding` o una dirección con caracteres ' +
      'sin codificar. Utilice una biblioteca de HTTP para construir la petición.',
  },
  'malformed-encoding': {
    title: 'Codificación no válida',
    explanation:
      'La ruta o un parámetro no está en UTF-8 codificado con %. Un espacio es `%20` (o `+` en los parámetros), la ñ ' +
      'es `%C3%B1` y el signo de porcentaje es `%25`. No se admiten bytes de Latin-1 como `%F1`.',
  },
  'control-character': {
    title: 'Carácter de control',
    explanation:
      'Un valor contiene un carácter de control, por ejemplo NUL o, salvo en `search`, un salto de línea o una ' +
      'tabulación. Ningún expediente puede coincidir. Quite el carácter.',
  },
  'unknown-parameter': {
    title: 'Parámetro desconocido',
    explanation:
      'La dirección no tiene ningún parámetro con ese nombre. La petición se rechaza porque, si se pasara por alto ' +
      'un filtro mal escrito, los expedientes no serían los pedidos. La propiedad `suggestions` contiene el ' +
      'parámetro de nombre más parecido.',
  },
  'repeated-parameter': {
    title: 'Parámetro repetido',
    explanation: 'Un parámetro aparece dos veces. Indique cada parámetro una sola vez o envíe dos peticiones.',
  },
  'incomplete-request': {
    title: 'Petición incompleta',
    explanation:
      'Un parámetro está vacío o en blanco, o falta el código de inscripción después de `record/`. Dé un valor al ' +
      'parámetro o quítelo. Todos los parámetros son opcionales.',
  },
  'malformed-code': {
    title: 'Código de inscripción no válido',
    explanation:
      'Un código de inscripción tiene la forma `<prefijo>-<número>`, por ejemplo `03082-1101`. El prefijo consta de ' +
      'letras, cifras, puntos, guiones bajos, guiones y barras (enviadas como `%2F`); el número consta de cifras. Un ' +
      'registro puede fijar otra forma; en ese caso `openapi.json` contiene el patrón.',
  },
  'malformed-year': {
    title: 'Año no válido',
    explanation:
      'El parámetro `checkin_date` es el año de entrada, con cuatro cifras exactamente, por ejemplo ' +
      '`checkin_date=2004`.',
  },
  'malformed-date': {
    title: 'Fecha no válida',
    explanation:
      'Los parámetros `checkin_from` y `checkin_to` son un año, un mes o un día, por ejemplo `2015`, `2015-06` o ' +
      '`2015-06-30`. El mes y el día deben existir.',
  },
  'malformed-value': {
    title: 'Valor no válido',
    explanation:
      'Un parámetro que solo admite ciertos valores tiene otro. La propiedad `detail` indica los que admite, por ' +
      'ejemplo `agreement=yes` o `agreement=no`.',
  },
  'reversed-dates': {
    title: 'Fechas invertidas',
    explanation:
      'El período de `checkin_to` termina antes de que empiece el de `checkin_from`. Ambos días se incluyen, así que ' +
      'pueden ser el mismo.',
  },
  'malformed-limit': {
    title: 'Límite no válido',
    explanation:
      'El parámetro `limit` es un número entero de 1 a 1000, escrito con cifras, sin signo ni ceros a la izquierda. ' +
      'Sin él, la respuesta contiene el resultado completo.',
  },
  'malformed-cursor': {
    title: 'Cursor no válido',
    explanation:
      'El valor de `cursor` no es válido. Cópielo sin modificarlo de la dirección de la cabecera `Link` de la página ' +
      'anterior.',
  },
  'malformed-since': {
    title: 'Valor de since no válido',
    explanation:
      'El valor de `since` no es válido. Cópielo sin modificarlo de la cabecera `Link` de la respuesta anterior, o ' +
      'quite `since` para obtener la lista de todos los expedientes.',
  },
  'malformed-include': {
    title: 'Valor de include no válido',
    explanation:
      'El parámetro `include` es una lista de nombres separados por comas, sin espacios, por ejemplo ' +
      '`include=cod_archivo,place`. Cada nombre añade una propiedad a cada expediente. `summary` solo admite ' +
      '`documents`. La propiedad `suggestions` contiene el nombre más parecido.',
  },
  'passages-unavailable': {
    title: 'Fragmentos no disponibles',
    explanation:
      'Con `include=passages` se muestra dónde están las palabras de `search` en los documentos. Hace falta `search` ' +
      'y, además, un `limit` de 100 como máximo o un código de inscripción en la ruta. Un registro importado con ' +
      '`--no-passages` no tiene fragmentos.',
  },
  'value-too-long': {
    title: 'Valor demasiado largo',
    explanation:
      'El valor de `search` tiene más de 500 caracteres, o el de otro parámetro o un código de inscripción, más de ' +
      '200. Acórtelo.',
  },
  'too-many-words': {
    title: 'Demasiadas palabras',
    explanation:
      'El término de búsqueda tiene más de 40 palabras. Todas deben aparecer en el expediente, así que con menos ' +
      'palabras se encuentran más expedientes. Quite algunas.',
  },
  'unknown-address': {
    title: 'Dirección desconocida',
    explanation:
      'La dirección no existe. La API consta de `record`, `record/{cod_archivo}`, `municipality`, `summary` y ' +
      '`changes`; su documentación está en `docs`.',
  },
  'unknown-record': {
    title: 'Expediente desconocido',
    explanation:
      'Ningún expediente tiene ese código de inscripción. No se distinguen las mayúsculas de las minúsculas. ' +
      'Compruebe el código.',
  },
  'record-filtered-out': {
    title: 'Expediente excluido por los filtros',
    explanation:
      'Un expediente tiene ese código de inscripción, pero no cumple los demás filtros de la petición. Quite los ' +
      'filtros para obtenerlo. Si la petición busca un texto, la propiedad `suggestions` contiene términos que sí ' +
      'están en el expediente.',
  },
  'unknown-municipality': {
    title: 'Municipio desconocido',
    explanation:
      'Ningún municipio con expedientes tiene ese nombre o código INE. Escriba el nombre completo en cualquiera de ' +
      'sus formas oficiales. No importan las mayúsculas, los acentos, la puntuación ni la posición del artículo. La ' +
      'propiedad `suggestions` contiene los nombres más parecidos y la dirección `municipality` enumera los ' +
      'municipios con expedientes. Si el municipio existe pero no tiene expedientes, la propiedad `detail` lo indica.',
  },
  'unknown-province': {
    title: 'Provincia desconocida',
    explanation:
      'Ninguna provincia tiene ese nombre o código. Escriba el nombre en cualquiera de sus formas oficiales, o el ' +
      'código INE de dos cifras, por ejemplo `province=05`. La propiedad `suggestions` contiene los nombres más ' +
      'parecidos.',
  },
  'unknown-community': {
    title: 'Comunidad autónoma desconocida',
    explanation:
      'Ninguna comunidad autónoma tiene ese nombre o código. Escriba el nombre en cualquiera de sus formas ' +
      'oficiales, o el código INE de dos cifras, por ejemplo `community=07`. La propiedad `suggestions` contiene los ' +
      'nombres más parecidos.',
  },
  'contradictory-places': {
    title: 'Lugares contradictorios',
    explanation:
      'El municipio no pertenece a la provincia o a la comunidad autónoma de la petición, o la provincia no ' +
      'pertenece a la comunidad. Quite uno de los filtros.',
  },
  'no-match-in-municipality': {
    title: 'Sin resultados en el municipio',
    explanation:
      'El municipio tiene expedientes, pero ninguno cumple los demás filtros. Quite o cambie alguno de los filtros.',
  },
  'no-match': {
    title: 'Sin resultados',
    explanation:
      'La petición es válida, pero ningún expediente coincide. Todas las palabras de `search` deben aparecer en el ' +
      'título, el ámbito, el contenido o los documentos, y todos los filtros deben cumplirse.',
  },
  'nothing-after-cursor': {
    title: 'No hay más resultados',
    explanation:
      'Ningún expediente que coincida sigue al cursor. Ocurre si el registro se ha actualizado desde la página ' +
      'anterior y se han retirado los expedientes que quedaban por mostrar, o si el cursor se usa con otros filtros. ' +
      'Para empezar de nuevo, quite `cursor`.',
  },
  'method-not-allowed': {
    title: 'Método no permitido',
    explanation: 'El servicio es de solo lectura. Admite GET, HEAD y OPTIONS, que la cabecera `Allow` enumera.',
  },
  'expired-since': {
    title: 'Valor de since caducado',
    explanation:
      'El historial de cambios no llega hasta ese valor de `since`: conserva los últimos 10 millones de cambios y ' +
      'vuelve a empezar cuando un registro se sustituye por otro. Copie el registro de nuevo: pida `changes` sin ' +
      '`since` y borre los expedientes que no figuren en la lista.',
  },
  'request-timeout': {
    title: 'Tiempo de espera agotado',
    explanation: 'La petición no llegó completa a tiempo y se cerró la conexión. Envíela de nuevo.',
  },
  'address-too-long': {
    title: 'Dirección demasiado larga',
    explanation:
      'La dirección tiene más de 8192 caracteres. Ninguna petición válida es tan larga: quite parámetros o acorte ' +
      'sus valores.',
  },
  'too-many-requests': {
    title: 'Demasiadas peticiones',
    explanation:
      'El cliente ha enviado más peticiones de las que permite el responsable del registro. Espere los segundos que ' +
      'indica la cabecera `Retry-After`.',
  },
  'headers-too-large': {
    title: 'Cabeceras demasiado grandes',
    explanation:
      'La línea de petición y las cabeceras ocupan más de 16 KB, o hay más de 128 cabeceras. Envíe menos cabeceras o ' +
      'más cortas.',
  },
  'internal-error': {
    title: 'Error interno',
    explanation:
      'Se ha producido un error en el servicio. Comuníquelo al responsable del registro: explique qué estaba ' +
      'haciendo e indique el `X-Request-Id` de la respuesta, que identifica el error en el registro de actividad del ' +
      'servicio.',
  },
  'registry-unavailable': {
    title: 'Registro no disponible',
    explanation:
      'En este momento no se puede acceder a la base de datos del registro. Repita la misma petición pasados los ' +
      'segundos que indica la cabecera `Retry-After`.',
  },
  overloaded: {
    title: 'Servicio saturado',
    explanation:
      'El servicio tiene demasiado trabajo y rechaza peticiones nuevas durante un momento. Repita la misma petición ' +
      'pasados los segundos que indica la cabecera `Retry-After`. Varias páginas pequeñas (`limit`) suponen menos ' +
      'carga para el servicio que una respuesta larga.',
  },
}

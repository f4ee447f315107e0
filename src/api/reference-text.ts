// The texts of the reference page (reference.ts), and the Spanish of the OpenAPI description that it shows: the
// compiler checks that no parameter is missing, and a test that no operation is.
import { limitMax } from '../domain/query.ts'
import type { OperationParameterName, ParameterName } from './parameter-schemas.ts'

/** The texts that the OpenAPI description has in English only. */
interface Translation {
  readonly title: string
  readonly description: string
  /** By `operationId`. */
  readonly operations: Readonly<Record<string, { readonly summary: string; readonly description: string }>>
  /**
   * What each parameter means, by name. A key such as `listChanges.limit` is for one operation, in which the parameter
   * `limit` has another meaning.
   */
  readonly parameters: Readonly<Record<string, string>>
}

/** The labels and paragraphs of the page. `pagingParagraphs` are about pages of results and caching. */
export const labels = {
  en: {
    pageKind: 'reference',
    fictional: 'This registry is the bundled sample: every record in it is fictional.',
    baseAddress: 'Base address',
    openApi: 'Machine-readable',
    version: 'version',
    tutorial: 'A complete script',
    tutorialText:
      'Prints the records of a municipality since 2015 that contain a word. An empty result is a 404, which the script does not treat as an error.',
    paging: 'Pages and caching',
    pagingParagraphs: [
      'With `limit`, a response has the header `Link: <…>; rel="next"` while there are more records. Request that address as it is. Its cursor stays valid when the registry is updated between two pages. Without `limit`, the response contains the whole result.',
      'Every 200 has an `ETag`. Send it back in `If-None-Match`: while nothing has changed, the response is 304 without a body.',
    ],
    problems: 'Problems',
    tryIt: 'Try it',
    exampleResponse: 'Response to this request',
    statuses: 'Statuses: {0}; errors are explained under',
  },
  es: {
    pageKind: 'documentación',
    fictional: 'Registro de ejemplo: todos los expedientes son ficticios.',
    baseAddress: 'Dirección base',
    openApi: 'Descripción OpenAPI',
    version: 'versión',
    tutorial: 'Un programa completo',
    tutorialText:
      'Muestra los expedientes de un municipio desde 2015 que contienen una palabra. Un resultado vacío es un 404, que el programa no trata como error.',
    paging: 'Páginas y caché',
    pagingParagraphs: [
      'Con `limit`, la respuesta lleva la cabecera `Link: <…>; rel="next"` mientras haya más expedientes. Solicite esa dirección tal cual. Su cursor sigue siendo válido aunque el registro se actualice entre dos páginas. Sin `limit`, la respuesta contiene el resultado completo.',
      'Toda respuesta 200 lleva un `ETag`. Envíelo en `If-None-Match`: mientras nada haya cambiado, la respuesta es 304, sin cuerpo.',
    ],
    problems: 'Errores',
    tryIt: 'Probar',
    exampleResponse: 'Respuesta a esta petición',
    statuses: 'Códigos de estado: {0}; los errores se explican en',
  },
} as const

export const spanish: Translation = {
  title: 'API de expedientes de planeamiento',
  description:
    'Busca expedientes con filtros opcionales, enumera municipios, cuenta expedientes y enumera cambios. Las ' +
    'respuestas son JSON o CSV. No hace falta crear una cuenta y se admiten peticiones desde cualquier origen (CORS). ' +
    'Un expediente debe cumplir todos los filtros; un resultado vacío es un 404 que indica el motivo. Toda respuesta ' +
    '200 lleva un `ETag`. Los errores son `application/problem+json` (RFC 9457).',
  operations: {
    searchRecords: {
      summary: 'Buscar expedientes',
      description:
        'Devuelve los expedientes que cumplen todos los filtros, del más reciente al más antiguo. Con `search`, ' +
        'aparecen primero los que tienen las palabras seguidas en el título y después los que las tienen todas en él. ' +
        'Sin filtros, el resultado son todos los expedientes. Sin `limit`, se envía el resultado completo.',
    },
    getRecord: {
      summary: 'Obtener un expediente por su código de inscripción',
      description:
        'Devuelve un expediente con la misma estructura que una búsqueda. Si hay filtros y el expediente no los ' +
        'cumple, la respuesta es 404.',
    },
    exportRecords: {
      summary: 'Exportar expedientes en CSV',
      description:
        'Devuelve los mismos expedientes que una búsqueda, en el mismo orden: UTF-8 con marca de orden de bytes, `;` ' +
        'entre celdas y un apóstrofo delante de las que empiezan como una fórmula. Se envía el resultado completo.',
    },
    listMunicipalities: {
      summary: 'Enumerar los municipios que tienen expedientes',
      description: 'Devuelve los municipios por orden alfabético, con los demás nombres con los que se pueden buscar.',
    },
    summariseRecords: {
      summary: 'Contar expedientes por año y municipio',
      description: 'Cuenta los expedientes que cumplen los filtros, que son los mismos que en la búsqueda.',
    },
    listChanges: {
      summary: 'Enumerar los cambios, para mantener una copia',
      description:
        'Devuelve los expedientes nuevos, modificados o retirados desde el punto que indica `since`, del más antiguo ' +
        `al más reciente; sin \`since\`, todos como nuevos. Cada página tiene hasta ${limitMax} cambios. Para ` +
        'mantener una copia exacta, obtenga los nuevos y modificados y elimine los retirados; con filtros, la copia es ' +
        'de los que los cumplen.',
    },
  },
  parameters: {
    municipality:
      'Nombre completo del municipio. No importan las mayúsculas, los acentos, la puntuación ni la posición del ' +
      'artículo. Sirve cualquiera de las dos partes de un nombre bilingüe y los nombres oficiales anteriores. El ' +
      'código INE de cinco cifras distingue municipios con el mismo nombre.',
    province: 'Provincia: su nombre en cualquier forma oficial o su código INE de dos cifras.',
    community: 'Comunidad autónoma: su nombre en cualquier forma oficial o su código INE de dos cifras.',
    checkin_date: 'Año de entrada en el registro, con cuatro cifras.',
    checkin_from: 'Primer día de entrada, incluido: `AAAA-MM-DD`, o bien `AAAA-MM` o `AAAA`.',
    checkin_to: 'Último día de entrada, incluido: `AAAA-MM-DD`, o bien `AAAA-MM` o `AAAA`.',
    registration_number:
      'Número de registro completo, sin distinguir mayúsculas. Varios expedientes pueden compartirlo.',
    id: 'Identificador completo del expediente, sin distinguir mayúsculas. Varios expedientes pueden compartirlo.',
    search:
      'Palabras que deben aparecer en el título, el ámbito, el contenido o los documentos, en cualquiera de sus ' +
      'formas. Como máximo 40. `"entre comillas"` es una frase; `*` tras al menos tres letras busca el comienzo de ' +
      'una palabra. No se admiten otros operadores.',
    limit:
      'Número de expedientes por página. La cabecera `Link` lleva la dirección de la página siguiente. Sin `limit`, ' +
      'la respuesta contiene todos los expedientes.',
    cursor: 'Comienzo de la página: un valor de la cabecera `Link` de la página anterior.',
    include:
      'Propiedades que se añaden a cada expediente, separadas por comas: `cod_archivo` (código de inscripción), ' +
      '`place` (código INE, provincia y comunidad autónoma), `documents` (en qué parte de cada documento se ' +
      'puede buscar) y `passages` (dónde aparecen las palabras de `search`; necesita `search` y, ' +
      'además, `limit` de 100 como máximo o el código de un expediente en la dirección).',
    cod_archivo:
      'Código de inscripción del expediente, `<prefijo>-<número>`. No importan las mayúsculas. Una barra se envía ' +
      'como `%2F`.',
    since:
      'Desde dónde continuar: un valor de la cabecera `Link` de la respuesta anterior. Sin él se enumeran todos los ' +
      'expedientes como nuevos.',
    'summariseRecords.include':
      '`documents` añade las páginas de los documentos: cuántas hay y en cuántas se puede buscar.',
    'listChanges.limit':
      'Número de cambios por página. La cabecera `Link` lleva la dirección de la página siguiente. Sin `limit`, una ' +
      'página tiene hasta 1000 cambios.',
  } satisfies Readonly<Record<ParameterName | OperationParameterName, string>>,
}

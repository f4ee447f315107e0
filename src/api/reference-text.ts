// The texts of the reference page (reference.ts), besides those of operations (operations.ts) and of parameters
// (domain/parameters.ts).

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

// The texts of the reference page (reference.ts) in Spanish and English, besides those of operations (operations.ts)
// and parameters (domain/parameters.ts).

export interface ReferenceText {
  readonly language: 'es' | 'en'
  /** The end of the page's title: `reference` in `Planning Registry Records API: reference`. */
  readonly pageKind: string
  /** The notice above the reference of a fictional registry. */
  readonly fictional: string
  /** The label of the base address. */
  readonly baseAddress: string
  /** The label of the link to openapi.json. */
  readonly openApiLabel: string
  readonly version: (version: string) => string
  /** The heading of the section with a complete script. */
  readonly tutorial: string
  readonly tutorialText: string
  /** The heading of the section about pages of results and caching. */
  readonly paging: string
  readonly pagingParagraphs: readonly string[]
  /** The text of the links to the pages of the problems. */
  readonly problems: string
  /** The label of the button that sends the request. */
  readonly tryIt: string
  readonly exampleResponse: string
  /** The sentence about the statuses (`200, 304, 400`) of an operation. The page adds a link to the problems to it. */
  readonly statuses: (statuses: string) => string
}

const en: ReferenceText = {
  language: 'en',
  pageKind: 'reference',
  fictional: 'This registry is the bundled sample: every record in it is fictional.',
  baseAddress: 'Base address',
  openApiLabel: 'Machine-readable',
  version: (version) => `version ${version}`,
  tutorial: 'A complete script',
  tutorialText:
    'Prints the records of a municipality since 2015 that contain a word. An empty result is a 404, which the script ' +
    'does not treat as an error.',
  paging: 'Pages and caching',
  pagingParagraphs: [
    'With `limit`, a response has the header `Link: <…>; rel="next"` while there are more records. Request that ' +
      'address as it is. Its cursor stays valid when the registry is updated between two pages. Without `limit`, the ' +
      'response contains the whole result.',
    'Every 200 has an `ETag`. Send it back in `If-None-Match`: while nothing has changed, the response is 304 ' +
      'without a body.',
  ],
  problems: 'Problems',
  tryIt: 'Try it',
  exampleResponse: 'Response to this request',
  statuses: (statuses) => `Statuses: ${statuses}; errors are explained under`,
}

const es: ReferenceText = {
  language: 'es',
  pageKind: 'documentación',
  fictional: 'Registro de ejemplo: todos los expedientes son ficticios.',
  baseAddress: 'Dirección base',
  openApiLabel: 'Descripción OpenAPI',
  version: (version) => `versión ${version}`,
  tutorial: 'Un programa completo',
  tutorialText:
    'Muestra los expedientes de un municipio desde 2015 que contienen una palabra. Un resultado vacío es un 404, que ' +
    'el programa no trata como error.',
  paging: 'Páginas y caché',
  pagingParagraphs: [
    'Con `limit`, la respuesta lleva la cabecera `Link: <…>; rel="next"` mientras haya más expedientes. Solicite esa ' +
      'dirección tal cual. Su cursor sigue siendo válido aunque el registro se actualice entre dos páginas. Sin ' +
      '`limit`, la respuesta contiene el resultado completo.',
    'Toda respuesta 200 lleva un `ETag`. Envíelo en `If-None-Match`: mientras nada haya cambiado, la respuesta es ' +
      '304, sin cuerpo.',
  ],
  problems: 'Errores',
  tryIt: 'Probar',
  exampleResponse: 'Respuesta a esta petición',
  statuses: (statuses) => `Códigos de estado: ${statuses}; los errores se explican en`,
}

export const referenceTexts: Readonly<Record<'es' | 'en', ReferenceText>> = { es, en }

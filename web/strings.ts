// All text of the page in Spanish and English. Callers pass numbers and dates already formatted (locale.ts). The build
// takes the text shown without JavaScript from here too (static-text-plugin.ts).

export type Language = 'es' | 'en'

const es = {
  name: 'Registro de planeamiento urbanístico',
  description:
    'Busque expedientes de planeamiento urbanístico por palabras, municipio y año, y acceda a sus documentos y acuerdos.',
  otherLanguage: 'English',
  skip: 'Ir a los resultados',
  reference: 'API',
  heading: 'Consulta de expedientes de planeamiento',
  lead: 'Planes generales, planes parciales, estudios de detalle y sus modificaciones: busque en los títulos y en el texto de los documentos.',
  fictional: 'Registro de demostración: todos los expedientes que aparecen aquí son ficticios.',
  facts: (records: string, municipalities: string, years: string): string =>
    `${records} expedientes de ${municipalities} municipios, ${years}`,
  refreshed: (date: string): string => `Actualizado el ${date}`,

  words: 'Palabras',
  wordsHint: 'Por ejemplo, un lugar, un tipo de plan, un sector o un código de inscripción',
  municipality: 'Municipio',
  municipalityHint: 'Todos',
  municipalityCount: (count: number, formattedCount: string): string => {
    if (count === 0) return 'Ningún municipio coincide con ese nombre'
    return count === 1 ? '1 municipio encontrado' : `${formattedCount} municipios encontrados`
  },
  municipalityMore: (formattedCount: string): string => `y ${formattedCount} más; siga escribiendo`,
  year: 'Año de entrada',
  anyYear: 'Todos',
  search: 'Buscar',
  clearWords: 'Borrar las palabras',
  clearMunicipality: 'Quitar el municipio',
  clearAll: 'Quitar todos los filtros',

  examplesHeading: 'Por ejemplo',
  exampleWords: 'plan parcial',
  examplePhrase: '"estudio de detalle"',
  newest: 'Últimas entradas',
  records: (count: number, formattedCount: string): string =>
    count === 1 ? '1 expediente' : `${formattedCount} expedientes`,
  uncountedRecords: 'Expedientes',
  quote: (words: string): string => `«${words}»`,
  withWords: (words: string): string => `con «${words}»`,
  inMunicipality: (name: string): string => `en ${name}`,
  inYears: (from: number, to: number): string => (from === to ? `de ${from}` : `de ${from} a ${to}`),
  prefixNote: (word: string): string =>
    `Ningún expediente contiene la palabra «${word}»; estos contienen palabras que empiezan por «${word}».`,
  recordByCode: 'Expediente con ese código de inscripción',
  recordsByWords: 'Expedientes que contienen esas palabras',
  searching: 'Buscando…',
  entered: (date: string): string => `Entrada: ${date}`,
  inscribed: (date: string): string => `Inscripción: ${date}`,
  notInscribed: 'Sin fecha de inscripción',
  number: (number: string): string => `N.º ${number}`,
  document: 'Documento técnico',
  agreement: 'Acuerdo',
  noDocument: 'Sin documentos en línea',
  documentOf: (title: string): string => `Documento técnico: ${title}`,
  agreementOf: (title: string): string => `Acuerdo: ${title}`,
  more: 'Ver más resultados',
  loadingMore: 'Cargando más resultados…',
  endOfList: (records: string): string => `Fin de la lista: ${records}.`,

  charts: 'Años y mapa',
  yearChart: 'Expedientes por año de entrada',
  yearChartHint: 'Haga clic en un año o arrastre para seleccionar varios.',
  yearChartSummary: (first: string, last: string, peak: string, records: string): string =>
    `De ${first} a ${last}. El año con más expedientes es ${peak}: ${records}.`,
  from: 'Desde',
  to: 'Hasta',
  allYears: 'Todos los años',
  showTable: 'Ver como tabla',
  tableYear: 'Año',
  tableMunicipality: 'Municipio',
  tableRecords: 'Expedientes',
  showMoreRows: (count: number, formattedCount: string): string =>
    count === 1 ? 'Mostrar 1 municipio más' : `Mostrar ${formattedCount} municipios más`,
  map: 'Expedientes por municipio',
  mapHint: 'Haga clic en un municipio para ver sus expedientes.',
  mapSummary: (count: number, formattedCount: string, name: string, records: string): string =>
    `${count === 1 ? '1 municipio' : `${formattedCount} municipios`}. El municipio con más expedientes es ${name}: ${records}.`,
  mapLoading: 'Cargando el mapa…',
  mapMissing: 'No se ha podido cargar el mapa. La tabla contiene los mismos datos.',
  mapUnplaced: (count: number, formattedCount: string): string =>
    count === 1
      ? '1 municipio no figura en el mapa, pero sí en la tabla.'
      : `${formattedCount} municipios no figuran en el mapa, pero sí en la tabla.`,
  mapSource: 'Límites: © Instituto Geográfico Nacional (CC BY 4.0), simplificados',
  allMunicipalities: 'Todos los municipios',

  request: 'Consulta a la API de esta página',
  requestHint:
    'Los datos de esta página proceden de esta dirección. La API es abierta, responde en JSON y no requiere crear una cuenta.',
  requestYears: 'La API filtra por un solo año: para varios años se hace una consulta por cada uno.',
  address: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  copyOf: (what: string): string => `Copiar: ${what}`,
  notCopied: 'No se ha podido copiar. Seleccione el texto y cópielo manualmente.',
  download: 'Descargar',
  downloadAll: (format: string): string => `Descargar todos los resultados en ${format}`,
  downloading: (done: string, total: string): string => `${done} de ${total} expedientes`,
  downloadDone: (file: string): string => `Descarga completada: ${file}`,
  downloadFailed: 'La descarga se ha interrumpido y no se ha guardado ningún archivo. Inténtelo de nuevo.',
  cancel: 'Cancelar',
  /** The separator that Excel expects in a CSV file in this language. */
  csvSeparator: ';',

  emptyHeading: 'No se han encontrado expedientes',
  emptyReasons: {
    'unknown-municipality': 'Ningún municipio con ese nombre tiene expedientes.',
    'no-match-in-municipality': 'El municipio tiene expedientes, pero ninguno coincide con todos los criterios.',
    'no-match':
      'Ningún expediente coincide con todos los criterios. Cada palabra debe aparecer en el título o en el texto de los documentos.',
  },
  didYouMean: 'Quizá quiso decir',
  alternatives: 'También puede',
  withoutYear: (records: string): string => `Buscar en todos los años (${records})`,
  withoutMunicipality: (records: string): string => `Buscar en todos los municipios (${records})`,
  withoutWord: (word: string, records: string): string => `Buscar sin «${word}» (${records})`,
  withoutWords: (records: string): string => `Buscar sin palabras (${records})`,

  refusedHeading: 'Búsqueda no válida',
  refusals: {
    'too-many-words': 'Demasiadas palabras: se admiten 40 como máximo. Con menos palabras se obtienen más resultados.',
    'value-too-long': 'Texto demasiado largo: se admiten 500 caracteres como máximo.',
    'control-character': 'El texto contiene caracteres no visibles. Escríbalo de nuevo.',
    'malformed-year': 'Escriba el año con cuatro cifras, por ejemplo 2004.',
  },
  refused: 'El servicio no admite esta búsqueda.',
  slow: 'La respuesta está tardando más de lo habitual. Espere, por favor.',
  offlineHeading: 'Sin conexión',
  offline: 'No se ha podido conectar con el servicio. La búsqueda se repetirá cuando se restablezca la conexión.',
  busyHeading: 'El servicio está saturado',
  busy: (seconds: string): string => `Se volverá a intentar dentro de ${seconds} s.`,
  failedHeading: 'Se ha producido un error en el servicio',
  failed:
    'Inténtelo de nuevo. Si el error se repite, comunique al responsable del registro qué estaba buscando y este identificador.',
  requestId: 'Identificador de la consulta',
  retry: 'Intentarlo de nuevo',

  noScript:
    'Esta página funciona mejor con JavaScript. Sin JavaScript, estos formularios consultan directamente la API, que responde en JSON.',
  noScriptWords: 'Buscar por palabras',
  noScriptMunicipality: 'Buscar por municipio (nombre completo)',
  noScriptYear: 'Buscar por año de entrada (cuatro cifras)',
  noScriptLinks: 'Para desarrolladores',
  linkReference: 'Documentación de la API',
  linkOpenApi: 'Descripción OpenAPI',
  linkMunicipalities: 'Municipios con expedientes',
  linkSummary: 'Número de expedientes por año y municipio',
  linkCatalog: 'Descripción del conjunto de datos (DCAT)',
  footer: 'Consulta abierta: no hace falta crear una cuenta.',
}

export type Strings = typeof es

const en: Strings = {
  name: 'Urban planning registry',
  description: 'Find urban-planning records by words, municipality and year, and open their documents and agreements.',
  otherLanguage: 'Español',
  skip: 'Skip to results',
  reference: 'API',
  heading: 'Find a planning record',
  lead: 'General plans, partial plans, detail studies and their amendments in Spain: search the titles and the text of the documents.',
  fictional: 'Sample registry: every record you see here is fictional.',
  facts: (records: string, municipalities: string, years: string): string =>
    `${records} records from ${municipalities} municipalities, ${years}`,
  refreshed: (date: string): string => `Updated on ${date}`,

  words: 'Words',
  wordsHint: 'For example, a place, a kind of plan, a sector or an inscription code',
  municipality: 'Municipality',
  municipalityHint: 'All',
  municipalityCount: (count: number, formattedCount: string): string => {
    if (count === 0) return 'No municipality matches that name'
    return count === 1 ? '1 municipality found' : `${formattedCount} municipalities found`
  },
  municipalityMore: (formattedCount: string): string => `and ${formattedCount} more; keep typing`,
  year: 'Year of entry',
  anyYear: 'All',
  search: 'Search',
  clearWords: 'Clear the words',
  clearMunicipality: 'Remove the municipality',
  clearAll: 'Remove all filters',

  examplesHeading: 'For example',
  exampleWords: 'plan parcial',
  examplePhrase: '"estudio de detalle"',
  newest: 'Latest entries',
  records: (count: number, formattedCount: string): string => (count === 1 ? '1 record' : `${formattedCount} records`),
  uncountedRecords: 'Records',
  quote: (words: string): string => `“${words}”`,
  withWords: (words: string): string => `with “${words}”`,
  inMunicipality: (name: string): string => `in ${name}`,
  inYears: (from: number, to: number): string => (from === to ? `from ${from}` : `from ${from} to ${to}`),
  prefixNote: (word: string): string =>
    `No record contains the word “${word}”; these contain words starting with “${word}”.`,
  recordByCode: 'Record with that inscription code',
  recordsByWords: 'Records that contain those words',
  searching: 'Searching…',
  entered: (date: string): string => `Entered: ${date}`,
  inscribed: (date: string): string => `Registered: ${date}`,
  notInscribed: 'No registration date',
  number: (number: string): string => `No. ${number}`,
  document: 'Technical document',
  agreement: 'Agreement',
  noDocument: 'No documents online',
  documentOf: (title: string): string => `Technical document: ${title}`,
  agreementOf: (title: string): string => `Agreement: ${title}`,
  more: 'Show more results',
  loadingMore: 'Loading more results…',
  endOfList: (records: string): string => `End of the list: ${records}.`,

  charts: 'Years and map',
  yearChart: 'Records by year of entry',
  yearChartHint: 'Click a year, or drag to select several.',
  yearChartSummary: (first: string, last: string, peak: string, records: string): string =>
    `From ${first} to ${last}. The year with the most records is ${peak}: ${records}.`,
  from: 'From',
  to: 'To',
  allYears: 'All years',
  showTable: 'Show as a table',
  tableYear: 'Year',
  tableMunicipality: 'Municipality',
  tableRecords: 'Records',
  showMoreRows: (count: number, formattedCount: string): string =>
    count === 1 ? 'Show 1 more municipality' : `Show ${formattedCount} more municipalities`,
  map: 'Records by municipality',
  mapHint: 'Click a municipality to see its records.',
  mapSummary: (count: number, formattedCount: string, name: string, records: string): string =>
    `${count === 1 ? '1 municipality' : `${formattedCount} municipalities`}. The one with the most records is ${name}: ${records}.`,
  mapLoading: 'Loading the map…',
  mapMissing: 'The map could not be loaded. The table contains the same figures.',
  mapUnplaced: (count: number, formattedCount: string): string =>
    count === 1
      ? '1 municipality is not on the map; it is in the table.'
      : `${formattedCount} municipalities are not on the map; they are in the table.`,
  mapSource: 'Boundaries: © Instituto Geográfico Nacional (CC BY 4.0), simplified',
  allMunicipalities: 'All municipalities',

  request: 'API request of this page',
  requestHint: 'The data on this page comes from this address. The API is open, returns JSON and needs no account.',
  requestYears: 'The API filters by a single year: a range of years takes one request per year.',
  address: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  copyOf: (what: string): string => `Copy: ${what}`,
  notCopied: 'Could not copy. Select the text and copy it yourself.',
  download: 'Download',
  downloadAll: (format: string): string => `Download all results as ${format}`,
  downloading: (done: string, total: string): string => `${done} of ${total} records`,
  downloadDone: (file: string): string => `Download finished: ${file}`,
  downloadFailed: 'The download was interrupted and no file was saved. Please try again.',
  cancel: 'Cancel',
  csvSeparator: ',',

  emptyHeading: 'No records found',
  emptyReasons: {
    'unknown-municipality': 'No municipality with that name has records.',
    'no-match-in-municipality': 'The municipality has records, but none matches all the criteria.',
    'no-match':
      'No record matches all the criteria. Each word must occur in the title or in the text of the documents.',
  },
  didYouMean: 'Did you mean',
  alternatives: 'You can also',
  withoutYear: (records: string): string => `Search all years (${records})`,
  withoutMunicipality: (records: string): string => `Search all municipalities (${records})`,
  withoutWord: (word: string, records: string): string => `Search without “${word}” (${records})`,
  withoutWords: (records: string): string => `Search without words (${records})`,

  refusedHeading: 'Invalid search',
  refusals: {
    'too-many-words': 'Too many words: the maximum is 40. Fewer words give more results.',
    'value-too-long': 'Text too long: the maximum is 500 characters.',
    'control-character': 'The text contains invisible characters. Please type it again.',
    'malformed-year': 'Write the year with four digits, for example 2004.',
  },
  refused: 'The service does not accept this search.',
  slow: 'The response is taking longer than usual. Please wait.',
  offlineHeading: 'No connection',
  offline: 'The service could not be reached. The search will be repeated when the connection is restored.',
  busyHeading: 'The service is busy',
  busy: (seconds: string): string => `Trying again in ${seconds} s.`,
  failedHeading: 'The service has failed',
  failed:
    'Please try again. If the error persists, tell the operator of the registry what you were searching for and give this identifier.',
  requestId: 'Request identifier',
  retry: 'Try again',

  noScript:
    'This page works best with JavaScript. Without JavaScript, these forms query the API directly, which returns JSON.',
  noScriptWords: 'Search by words',
  noScriptMunicipality: 'Search by municipality (full name)',
  noScriptYear: 'Search by year of entry (four digits)',
  noScriptLinks: 'For developers',
  linkReference: 'API documentation',
  linkOpenApi: 'OpenAPI description',
  linkMunicipalities: 'Municipalities with records',
  linkSummary: 'Number of records by year and municipality',
  linkCatalog: 'Description of the dataset (DCAT)',
  footer: 'Open access: no account needed.',
}

export const stringsByLanguage: Readonly<Record<Language, Strings>> = { es, en }

// All text of the page in Spanish and English. Callers pass numbers and dates already formatted (locale.ts).

export type Language = 'es' | 'en'

const es = {
  name: 'Registro de planeamiento urbanístico',
  description:
    'Busque expedientes de planeamiento urbanístico por palabras, municipio y año, y acceda a sus documentos y acuerdos.',
  otherLanguage: 'English',
  skip: 'Ir al contenido',
  navigation: 'Servicio',
  reference: 'API',
  heading: 'Consulta de expedientes de planeamiento',
  lead: 'Planes generales, planes parciales, estudios de detalle y sus modificaciones: busque en los títulos y en el texto de los documentos.',
  fictional: 'Registro de demostración: todos los expedientes que aparecen aquí son ficticios.',
  facts: (records: string, municipalities: string, years: string): string =>
    `${records} expedientes de ${municipalities} municipios, ${years}`,
  refreshed: (date: string): string => `Actualizado el ${date}`,

  offers: 'O quizá busca',
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
  inProvince: (name: string): string => `en la provincia de ${name}`,
  inPeriod: (from: string, to: string): string => {
    if (to === '') return `desde ${from}`
    if (from === '') return `hasta ${to}`
    return from === to ? `de ${from}` : `de ${from} a ${to}`
  },
  period: (from: string, to: string): string => {
    if (to === '') return `Desde ${from}`
    return from === '' ? `Hasta ${to}` : `${from}–${to}`
  },
  withNumber: (number: string): string => `con el número de registro ${number}`,
  withId: (id: string): string => `con el identificador ${id}`,
  provinceFilter: (name: string): string => `Provincia: ${name}`,
  recordId: (id: string): string => `Identificador ${id}`,
  removeFilter: (label: string): string => `Quitar el filtro: ${label}`,
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
  namesakes: (count: string): string => `Hay ${count} municipios con ese nombre. Elija uno:`,
  continued: 'La lista continúa desde la página anterior.',
  firstPage: 'Ir al principio',

  charts: 'Años y mapa',
  yearChart: 'Expedientes por año de entrada',
  yearChartHint: 'Haga clic en un año o arrastre para seleccionar varios.',
  yearChartSummary: (first: string, last: string, peak: string, records: string): string =>
    `De ${first} a ${last}. El año con más expedientes es ${peak}: ${records}.`,
  from: 'Desde',
  to: 'Hasta',
  applyYears: 'Aplicar',
  allYears: 'Todos los años',
  showTable: 'Ver como tabla',
  tableYear: 'Año',
  tableMunicipality: 'Municipio',
  tableProvince: 'Provincia',
  tableRecords: 'Expedientes',
  showMoreRows: (formattedCount: string): string => `Ver los ${formattedCount} restantes`,
  map: 'Mapa',
  mapOfProvinces: 'Expedientes por provincia',
  mapOfMunicipalities: (province: string): string => `Expedientes por municipio: ${province}`,
  mapProvinceHint: 'Haga clic en una provincia para ver sus municipios.',
  mapHint: 'Haga clic en un municipio para ver sus expedientes.',
  mapSummary: (places: string, name: string, records: string, isOfProvinces: boolean): string =>
    isOfProvinces
      ? `Número de provincias: ${places}. La provincia con más expedientes es ${name}: ${records}.`
      : `Número de municipios: ${places}. El municipio con más expedientes es ${name}: ${records}.`,
  mapMissing: 'No se ha podido cargar el mapa. La lista contiene los mismos datos.',
  mapUnplaced: (count: number, formattedCount: string): string =>
    count === 1
      ? '1 municipio no figura en el mapa, pero sí en la tabla.'
      : `${formattedCount} municipios no figuran en el mapa, pero sí en la tabla.`,
  mapSource: 'Límites: © Instituto Geográfico Nacional (CC BY 4.0), simplificados',
  allMunicipalities: 'Todos los municipios',
  allProvinces: 'Todas las provincias',

  request: 'Consulta a la API de esta página',
  requestHint:
    'Los datos de esta página proceden de esta dirección. La API es abierta, responde en JSON y no requiere crear una cuenta.',
  address: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  copyOf: (what: string): string => `Copiar: ${what}`,
  notCopied: 'No se ha podido copiar. Seleccione el texto y cópielo manualmente.',
  download: (records: string): string => `Descargar ${records}:`,
  downloadAs: (what: string, format: string): string => `Descargar ${what} en ${format}`,
  allRecords: (records: string): string => `${records} de todo el registro`,

  emptyHeading: 'No se han encontrado expedientes',
  emptyReasons: {
    'unknown-municipality': 'Ningún municipio con ese nombre tiene expedientes.',
    'unknown-province': 'No existe ninguna provincia con ese nombre o código.',
    'unknown-community': 'No existe ninguna comunidad autónoma con ese nombre o código.',
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
  withoutProvince: (records: string): string => `Buscar en toda España (${records})`,
  withoutNumber: (records: string): string => `Buscar sin el número (${records})`,
  withoutFilters: 'Ver las últimas entradas',

  refusedHeading: 'Búsqueda no válida',
  refusals: {
    'too-many-words': 'Demasiadas palabras. Con menos palabras se obtienen más resultados.',
    'value-too-long': 'Texto demasiado largo. Escriba solo las palabras más importantes.',
    'control-character': 'El texto contiene caracteres no visibles. Escríbalo de nuevo.',
    'malformed-year': 'Escriba el año con cuatro cifras, por ejemplo 2004.',
  },
  refusedDate:
    'La fecha no es válida. Escriba un año (2004), un mes (2004-05) o un día (2004-05-17), y el inicio antes que el final.',
  refused: 'El servicio no admite esta búsqueda.',
  slow: 'La respuesta está tardando más de lo habitual. Espere, por favor.',
  offlineHeading: 'Sin conexión',
  offline: 'No se ha podido conectar con el servicio. La búsqueda se repetirá cuando se restablezca la conexión.',
  busyHeading: 'El servicio está saturado',
  busy: 'En este momento hay demasiadas consultas.',
  limitedHeading: 'Ha alcanzado el límite de consultas',
  limited: 'Desde su conexión se han hecho demasiadas consultas en poco tiempo. El servicio funciona con normalidad.',
  retryIn: (seconds: string): string => `Se volverá a intentar dentro de ${seconds} s.`,
  failedHeading: 'Se ha producido un error en el servicio',
  failed:
    'Inténtelo de nuevo. Si el error se repite, comunique al responsable del registro qué estaba buscando y este identificador.',
  requestId: 'Identificador de la consulta',
  retry: 'Intentarlo de nuevo',

  feed: 'Novedades (Atom)',
  trail: 'Ruta',
  home: 'Inicio',
  backTo: (words: string): string => `Resultados de «${words}»`,
  untitled: 'Sin título',
  code: 'Código de inscripción',
  community: 'Comunidad autónoma',
  area: 'Ámbito',
  entryDate: 'Fecha de entrada',
  inscriptionDate: 'Fecha de inscripción',
  registrationNumber: 'Número de registro',
  identifier: 'Identificador',
  none: 'No consta',
  documents: 'Documentos',
  documentNumber: (number: string): string => `Documento ${number}`,
  pageOf: (page: string, pages: string): string => `página ${page} de ${pages}`,
  passages: (words: string): string => `Dónde aparece «${words}»`,
  recognised: '(texto reconocido de una imagen)',
  unreadPages: (unread: string, pages: string): string =>
    `No se ha podido leer el texto de ${unread} de sus ${pages} páginas: la búsqueda no las incluye.`,
  pagesRead: (pages: string, read: string, recognised: string, unread: string): string =>
    `Páginas: ${pages}; con texto: ${read}; con texto reconocido: ${recognised}; sin leer: ${unread}.`,
  unreadReason: (reason: string): string => `Motivo: ${reason}.`,
  inTitle: 'En el título',
  inDocuments: 'En los documentos',
  atHost: (host: string): string => `en ${host}`,
  cite: 'Cómo citar este expediente',
  citation: (title: string, code: string, municipality: string, date: string, url: string): string =>
    `${title} (expediente ${code}), ${municipality}, entrada de ${date}. ${url}`,
  accessed: (date: string): string => `(consultado el ${date})`,
  amendments: (municipality: string): string => `Expedientes relacionados en ${municipality}`,
  namesToo: (name: string): string => `Su título también menciona «${name}»`,
  ineCode: (code: string): string => `Código INE ${code}`,
  allOf: (records: string): string => `Ver ${records}`,
  municipalityTitle: (place: string): string => `Expedientes de planeamiento de ${place}`,
  municipalityDescription: (place: string, records: string): string =>
    `${records} de planeamiento urbanístico de ${place}, con sus documentos, por años y en el mapa.`,
  recordDescription: (title: string, municipality: string, date: string, code: string): string =>
    `${title}. Expediente de planeamiento de ${municipality}, con entrada el ${date} (${code}).`,
  missing: {
    record: {
      heading: 'Expediente no encontrado',
      text: (code: string): string => `Ningún expediente tiene el código de inscripción «${code}».`,
    },
    municipality: {
      heading: 'Municipio no encontrado',
      text: (code: string): string => `Ningún municipio con el código INE «${code}» tiene expedientes.`,
    },
  },
  linkReference: 'Documentación de la API',
  linkOpenApi: 'Descripción OpenAPI',
  linkMunicipalities: 'Municipios con expedientes',
  linkCatalog: 'Descripción del conjunto de datos (DCAT)',
  footer: 'Consulta abierta: no hace falta crear una cuenta.',
  licence: (name: string): string => `Licencia de los datos: ${name}`,
  noLicence: 'El responsable del registro no ha indicado una licencia de los datos.',
  contact: (address: string): string => `Contacto: ${address}`,
}

export type Strings = typeof es

const en: Strings = {
  name: 'Urban planning registry',
  description: 'Find urban-planning records by words, municipality and year, and open their documents and agreements.',
  otherLanguage: 'Español',
  skip: 'Skip to content',
  navigation: 'Service',
  reference: 'API',
  heading: 'Find a planning record',
  lead: 'General plans, partial plans, detail studies and their amendments in Spain: search the titles and the text of the documents.',
  fictional: 'Sample registry: every record you see here is fictional.',
  facts: (records: string, municipalities: string, years: string): string =>
    `${records} records from ${municipalities} municipalities, ${years}`,
  refreshed: (date: string): string => `Updated on ${date}`,

  offers: 'Or perhaps',
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
  inProvince: (name: string): string => `in the province of ${name}`,
  inPeriod: (from: string, to: string): string => {
    if (to === '') return `since ${from}`
    if (from === '') return `until ${to}`
    return from === to ? `from ${from}` : `from ${from} to ${to}`
  },
  period: (from: string, to: string): string => {
    if (to === '') return `Since ${from}`
    return from === '' ? `Until ${to}` : `${from}–${to}`
  },
  withNumber: (number: string): string => `with registration number ${number}`,
  withId: (id: string): string => `with identifier ${id}`,
  provinceFilter: (name: string): string => `Province: ${name}`,
  recordId: (id: string): string => `Identifier ${id}`,
  removeFilter: (label: string): string => `Remove the filter: ${label}`,
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
  namesakes: (count: string): string => `${count} municipalities have that name. Choose one:`,
  continued: 'The list continues from the previous page.',
  firstPage: 'Go to the start',

  charts: 'Years and map',
  yearChart: 'Records by year of entry',
  yearChartHint: 'Click a year, or drag to select several.',
  yearChartSummary: (first: string, last: string, peak: string, records: string): string =>
    `From ${first} to ${last}. The year with the most records is ${peak}: ${records}.`,
  from: 'From',
  to: 'To',
  applyYears: 'Apply',
  allYears: 'All years',
  showTable: 'Show as a table',
  tableYear: 'Year',
  tableMunicipality: 'Municipality',
  tableProvince: 'Province',
  tableRecords: 'Records',
  showMoreRows: (formattedCount: string): string => `Show the other ${formattedCount}`,
  map: 'Map',
  mapOfProvinces: 'Records by province',
  mapOfMunicipalities: (province: string): string => `Records by municipality: ${province}`,
  mapProvinceHint: 'Click a province to see its municipalities.',
  mapHint: 'Click a municipality to see its records.',
  mapSummary: (places: string, name: string, records: string, isOfProvinces: boolean): string =>
    isOfProvinces
      ? `Number of provinces: ${places}. The one with the most records is ${name}: ${records}.`
      : `Number of municipalities: ${places}. The one with the most records is ${name}: ${records}.`,
  mapMissing: 'The map could not be loaded. The list contains the same figures.',
  mapUnplaced: (count: number, formattedCount: string): string =>
    count === 1
      ? '1 municipality is not on the map; it is in the table.'
      : `${formattedCount} municipalities are not on the map; they are in the table.`,
  mapSource: 'Boundaries: © Instituto Geográfico Nacional (CC BY 4.0), simplified',
  allMunicipalities: 'All municipalities',
  allProvinces: 'All provinces',

  request: 'API request of this page',
  requestHint: 'The data on this page comes from this address. The API is open, returns JSON and needs no account.',
  address: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  copyOf: (what: string): string => `Copy: ${what}`,
  notCopied: 'Could not copy. Select the text and copy it yourself.',
  download: (records: string): string => `Download ${records}:`,
  downloadAs: (what: string, format: string): string => `Download ${what} as ${format}`,
  allRecords: (records: string): string => `${records} of the whole registry`,

  emptyHeading: 'No records found',
  emptyReasons: {
    'unknown-municipality': 'No municipality with that name has records.',
    'unknown-province': 'There is no province with that name or code.',
    'unknown-community': 'There is no autonomous community with that name or code.',
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
  withoutProvince: (records: string): string => `Search all of Spain (${records})`,
  withoutNumber: (records: string): string => `Search without the number (${records})`,
  withoutFilters: 'See the latest entries',

  refusedHeading: 'Invalid search',
  refusals: {
    'too-many-words': 'Too many words. Fewer words give more results.',
    'value-too-long': 'Text too long. Write only the most important words.',
    'control-character': 'The text contains invisible characters. Please type it again.',
    'malformed-year': 'Write the year with four digits, for example 2004.',
  },
  refusedDate:
    'The date is not valid. Write a year (2004), a month (2004-05) or a day (2004-05-17), the first one first.',
  refused: 'The service does not accept this search.',
  slow: 'The response is taking longer than usual. Please wait.',
  offlineHeading: 'No connection',
  offline: 'The service could not be reached. The search will be repeated when the connection is restored.',
  busyHeading: 'The service is busy',
  busy: 'There are too many requests at the moment.',
  limitedHeading: 'You have reached the request limit',
  limited: 'Too many requests have come from your connection in a short time. The service itself is working normally.',
  retryIn: (seconds: string): string => `Trying again in ${seconds} s.`,
  failedHeading: 'The service has failed',
  failed:
    'Please try again. If the error persists, tell the operator of the registry what you were searching for and give this identifier.',
  requestId: 'Request identifier',
  retry: 'Try again',

  feed: 'New records (Atom)',
  trail: 'Breadcrumb',
  home: 'Home',
  backTo: (words: string): string => `Results for “${words}”`,
  untitled: 'Untitled',
  code: 'Inscription code',
  community: 'Autonomous community',
  area: 'Area',
  entryDate: 'Date of entry',
  inscriptionDate: 'Date of registration',
  registrationNumber: 'Registration number',
  identifier: 'Identifier',
  none: 'None',
  documents: 'Documents',
  documentNumber: (number: string): string => `Document ${number}`,
  pageOf: (page: string, pages: string): string => `page ${page} of ${pages}`,
  passages: (words: string): string => `Where “${words}” stands`,
  recognised: '(text recognised from an image)',
  unreadPages: (unread: string, pages: string): string =>
    `The text of ${unread} of its ${pages} pages could not be read: the search does not include them.`,
  pagesRead: (pages: string, read: string, recognised: string, unread: string): string =>
    `Pages: ${pages}; with text: ${read}; with recognised text: ${recognised}; unread: ${unread}.`,
  unreadReason: (reason: string): string => `Reason: ${reason}.`,
  inTitle: 'In the title',
  inDocuments: 'In the documents',
  atHost: (host: string): string => `at ${host}`,
  cite: 'How to cite this record',
  citation: (title: string, code: string, municipality: string, date: string, url: string): string =>
    `${title} (record ${code}), ${municipality}, entered on ${date}. ${url}`,
  accessed: (date: string): string => `(accessed on ${date})`,
  amendments: (municipality: string): string => `Related records in ${municipality}`,
  namesToo: (name: string): string => `Its title also names “${name}”`,
  ineCode: (code: string): string => `INE code ${code}`,
  allOf: (records: string): string => `See ${records}`,
  municipalityTitle: (place: string): string => `Planning records of ${place}`,
  municipalityDescription: (place: string, records: string): string =>
    `${records} of urban planning in ${place}, with their documents, by year and on the map.`,
  recordDescription: (title: string, municipality: string, date: string, code: string): string =>
    `${title}. Planning record of ${municipality}, entered on ${date} (${code}).`,
  missing: {
    record: {
      heading: 'Record not found',
      text: (code: string): string => `No record has the inscription code “${code}”.`,
    },
    municipality: {
      heading: 'Municipality not found',
      text: (code: string): string => `No municipality with the INE code “${code}” has records.`,
    },
  },
  linkReference: 'API documentation',
  linkOpenApi: 'OpenAPI description',
  linkMunicipalities: 'Municipalities with records',
  linkCatalog: 'Description of the dataset (DCAT)',
  footer: 'Open access: no account needed.',
  licence: (name: string): string => `Licence of the data: ${name}`,
  noLicence: 'The operator of the registry has not stated a licence for the data.',
  contact: (address: string): string => `Contact: ${address}`,
}

export const stringsByLanguage: Readonly<Record<Language, Strings>> = { es, en }

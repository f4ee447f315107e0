// The text of the page in Spanish; english.ts has the same texts. Callers pass numbers and dates already formatted
// (locale.ts). A parameter `records` is a count with its noun, such as `317 expedientes`. `count` is a plain number,
// which decides between singular and plural.

/** A whole day takes an article: `el 12 de marzo de 2004`. A month (`marzo de 2004`) or a year takes none. */
const withArticle = (date: string): string => (/^\d+ de /.test(date) ? `el ${date}` : date)

/** The articles of the names of autonomous communities that begin with such a word; the others take none. */
const articles: ReadonlyMap<string, string> = new Map([
  ['Principado', 'el '],
  ['País', 'el '],
  ['Illes', 'las '],
  ['Comunitat', 'la '],
  ['Comunidad', 'la '],
  ['Región', 'la '],
])

export const spanish = {
  // The header of every page, and the introduction of the start page.
  name: 'Registro de planeamiento urbanístico',
  otherLanguage: 'English',
  skip: 'Ir al contenido',
  // The name of the navigation of the header, for screen readers.
  navigation: 'Servicio',
  reference: 'API',
  heading: 'Consulta de expedientes de planeamiento',
  lead: 'Planes generales, planes parciales, estudios de detalle y sus modificaciones: busque en los títulos y en el texto de los documentos.',
  fictional: 'Registro de ejemplo: todos los expedientes que aparecen aquí son ficticios.',
  // `years` is the first and the last year of the records: `1956–2024`.
  facts: (recordsNumber: string, municipalitiesNumber: string, years: string): string =>
    `${recordsNumber} ${recordsNumber === '1' ? 'expediente' : 'expedientes'} de ${municipalitiesNumber} ${municipalitiesNumber === '1' ? 'municipio' : 'municipios'}, ${years}`,
  refreshed: (date: string): string => `Actualizado el ${date}`,

  // The search form, and the heading of the other searches that are offered below it.
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
  // On a phone, opens the fields other than the words.
  moreFields: 'Municipio y año',
  year: 'Año de entrada',
  anyYear: 'Todos',
  search: 'Buscar',
  clearWords: 'Borrar las palabras',
  clearMunicipality: 'Quitar el municipio',
  clearAll: 'Quitar todos los filtros',

  // Example searches, the list of results, and a record in it.
  examplesHeading: 'Por ejemplo',
  newest: 'Últimas entradas',
  records: (count: number, formattedCount: string): string =>
    count === 1 ? '1 expediente' : `${formattedCount} expedientes`,
  recordsWithoutCount: 'Expedientes',
  quote: (words: string): string => `«${words}»`,
  withWords: (words: string): string => `con «${words}»`,
  inMunicipality: (name: string): string => `en ${name}`,
  // An autonomous community: `en la Comunidad de Madrid`, but `en Galicia`.
  inCommunity: (name: string): string => `en ${articles.get(name.split(' ')[0] ?? '') ?? ''}${name}`,
  inProvince: (name: string): string => `en la provincia de ${name}`,
  // `from` or `to` is empty if the period has no such limit. `inPeriod` is part of a sentence; `period` stands alone,
  // as an option or a filter, and is never a single day or year.
  inPeriod: (from: string, to: string): string => {
    if (to === '') return `desde ${withArticle(from)}`
    if (from === '') return `hasta ${withArticle(to)}`
    const start = `de ${withArticle(from)}`.replace('de el ', 'del ')
    return from === to ? start : `${start} a ${withArticle(to)}`.replace(' a el ', ' al ')
  },
  period: (from: string, to: string): string => {
    if (to === '') return `Desde ${withArticle(from)}`
    if (from === '') return `Hasta ${withArticle(to)}`
    // `2004–2008`, but `marzo de 2004 – 2008`: without spaces the dash would join the two years.
    return [from, to].join(`${from}${to}`.includes(' ') ? ' – ' : '–')
  },
  withNumber: (registrationNumber: string): string => `con el número de registro ${registrationNumber}`,
  withId: (id: string): string => `con el identificador ${id}`,
  withField: (label: string, value: string): string => `con ${label} «${value}»`,
  // The province in a breadcrumb, if the municipality after it has the same name.
  provinceOf: (name: string): string => `Provincia de ${name}`,
  provinceFilter: (name: string): string => `Provincia: ${name}`,
  idFilter: (id: string): string => `Identificador ${id}`,
  removeFilter: (label: string): string => `Quitar el filtro: ${label}`,
  prefixNote: (word: string): string =>
    `Ningún expediente contiene la palabra «${word}»; estos contienen palabras que empiezan por «${word}».`,
  recordByCode: 'Expediente con ese código de inscripción',
  recordsByWords: 'Expedientes que contienen esas palabras',
  searching: 'Buscando…',
  entered: (date: string): string => `Entrada: ${date}`,
  inscribed: (date: string): string => `Inscripción: ${date}`,
  number: (registrationNumber: string): string => `N.º ${registrationNumber}`,
  document: 'Documento técnico',
  agreement: 'Acuerdo',
  noDocument: 'Sin documentos en línea',
  documentOf: (title: string): string => `Documento técnico: ${title}`,
  agreementOf: (title: string): string => `Acuerdo: ${title}`,
  more: 'Ver más resultados',
  loadingMore: 'Cargando más resultados…',
  endOfList: (records: string): string => `Fin de la lista: ${records}.`,
  namesakes: (formattedCount: string): string => `Hay ${formattedCount} municipios con ese nombre. Elija uno:`,
  continued: 'Esta lista es continuación de la página anterior.',
  firstPage: 'Ir al principio',

  // The chart of years, the map, and the values of the office's own columns.
  charts: 'Filtrar los resultados',
  yearChart: 'Expedientes por año de entrada',
  yearChartHint: 'Haga clic en un año o arrastre para seleccionar varios.',
  yearChartSummary: (first: string, last: string, peak: string, records: string): string =>
    `De ${first} a ${last}. El año con más expedientes es ${peak}: ${records}.`,
  yearChartNote: (first: string, last: string): string =>
    `El gráfico abarca de ${first} a ${last}; la tabla contiene también los demás años.`,
  from: 'Desde',
  to: 'Hasta',
  applyYears: 'Aplicar',
  allYears: 'Todos los años',
  showTable: 'Ver como tabla',
  tableYear: 'Año',
  tableMunicipality: 'Municipio',
  tableProvince: 'Provincia',
  tableRecords: 'Expedientes',
  showMoreRows: (formattedCount: string): string => `Ver ${formattedCount} más`,
  map: 'Mapa',
  mapOfProvinces: 'Expedientes por provincia',
  mapOfMunicipalities: (province: string): string => `Expedientes por municipio: ${province}`,
  mapProvinceHint: 'Haga clic en una provincia para ver sus municipios.',
  mapHint: 'Haga clic en un municipio para ver sus expedientes.',
  mapSummary: (places: string, name: string, records: string, isOfProvinces: boolean): string =>
    isOfProvinces
      ? `Número de provincias: ${places}. La provincia con más expedientes es ${name}: ${records}.`
      : `Número de municipios: ${places}. El municipio con más expedientes es ${name}: ${records}.`,
  mapUnplaced: (count: number, formattedCount: string): string =>
    count === 1
      ? '1 municipio no figura en el mapa, pero sí en la tabla.'
      : `${formattedCount} municipios no figuran en el mapa, pero sí en la tabla.`,
  mapUnplacedRecords: (records: string): string => `Sin provincia conocida: ${records}.`,
  mapSource: 'Límites: © Instituto Geográfico Nacional (CC BY 4.0), simplificados',
  allMunicipalities: 'Todos los municipios',
  allProvinces: 'Todas las provincias',

  // The API request of the page, copying and downloading.
  tools: 'Descargar, seguir y reutilizar',
  request: 'Petición a la API (JSON)',
  requestHint:
    'Los datos de esta página proceden de esta dirección. La API es abierta, responde en JSON y no requiere crear una cuenta.',
  address: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  // `what` names what is copied, for screen readers: `Copiar: Identificador de la petición`.
  copyOf: (what: string): string => `Copiar: ${what}`,
  notCopied: 'No se ha podido copiar. Seleccione el texto y cópielo manualmente.',
  download: (records: string): string => `Descargar ${records} (CSV)`,
  // The label of a download for screen readers: `Descargar 317 expedientes con «plan parcial» en CSV`. Without filters,
  // the argument `what` is the text `allRecords`: `317 expedientes de todo el registro`.
  downloadAs: (what: string, format: string): string => `Descargar ${what} en ${format}`,
  allRecords: (records: string): string => `${records} de todo el registro`,

  // A search without results. Most reasons are in problem-texts.ts.
  emptyHeading: 'No se han encontrado expedientes',
  afterEndHeading: 'Fin de la lista',
  // `filters` describes what no record has: all filters of a search without words, `en Aragón hasta 1950`, or only the
  // registration number or the identifier.
  noRecords: (filters: string): string => `No hay expedientes ${filters}.`,
  noTerm: 'Escriba al menos una letra o una cifra: sin ellas, la búsqueda no encuentra nada.',
  didYouMean: 'Quizá quiso decir',
  alternatives: 'También puede',
  withoutYear: (records: string): string => `Buscar en todos los años (${records})`,
  withoutMunicipality: (records: string): string => `Buscar en todos los municipios (${records})`,
  withoutWord: (word: string, records: string): string => `Buscar sin «${word}» (${records})`,
  withoutWords: (records: string): string => `Buscar sin palabras (${records})`,
  withoutProvince: (records: string): string => `Buscar en todas las provincias (${records})`,
  withoutCommunity: (records: string): string => `Buscar en todas las comunidades autónomas (${records})`,
  withoutNumber: (records: string): string => `Buscar sin el número de registro (${records})`,
  withoutIdentifier: (records: string): string => `Buscar sin el identificador (${records})`,
  withoutFilter: (filter: string, records: string): string => `Buscar sin el criterio «${filter}» (${records})`,
  withoutNumberAndIdentifier: (records: string): string =>
    `Buscar sin el número de registro ni el identificador (${records})`,
  withoutFilters: 'Ver las últimas entradas',

  // A search that failed. Why the service refuses a search is in problem-texts.ts.
  refusedHeading: 'Búsqueda no válida',
  refused: 'El servicio no admite esta búsqueda. Cambie los criterios.',
  slow: 'La respuesta está tardando más de lo habitual. Espere, por favor.',
  offlineHeading: 'Sin conexión',
  offline: 'No se ha podido conectar con el servicio. La búsqueda se repetirá cuando se restablezca la conexión.',
  busyHeading: 'El servicio está saturado',
  busy: 'En este momento hay demasiadas peticiones.',
  limitedHeading: 'Ha alcanzado el límite de peticiones',
  limited: 'Desde su conexión se han hecho demasiadas peticiones en poco tiempo. El servicio funciona con normalidad.',
  retryIn: (seconds: string): string => `Se volverá a intentar dentro de ${seconds} s.`,
  failedHeading: 'Se ha producido un error en el servicio',
  failed: 'Inténtelo de nuevo. Si el error se repite, comunique al responsable del registro qué estaba buscando.',
  requestId: 'Identificador de la petición',
  retry: 'Intentarlo de nuevo',

  // The pages of a record and of a municipality. The list of results uses some of these texts too.
  // Feeds. `followHint` explains them.
  feed: 'Novedades (Atom)',
  followSearch: 'Seguir esta búsqueda',
  followAll: 'Seguir el registro',
  followMunicipality: 'Seguir este municipio',
  followRecord: 'Seguir este expediente',
  followHint:
    'Con esta dirección, un lector de canales (RSS o Atom) le avisa de cada expediente nuevo o modificado. Cópiela en su lector, o ábrala para ver las últimas novedades.',
  openFeed: 'Ver las últimas novedades',
  trail: 'Ruta',
  home: 'Inicio',
  backTo: (search: string): string => `Resultados de ${search}`,
  untitled: 'Sin título',
  code: 'Código de inscripción',
  community: 'Comunidad autónoma',
  area: 'Ámbito',
  entryDate: 'Fecha de entrada',
  inscriptionDate: 'Fecha de inscripción',
  registrationNumber: 'Número de registro',
  identifier: 'Identificador',
  documents: 'Documentos',
  documentNumber: (number: string): string => `Documento ${number}`,
  pageOf: (page: string, pages: string): string => `página ${page} de ${pages}`,
  passages: (words: string): string => `Dónde aparece «${words}»`,
  passagesMax: (count: string): string => `Se muestran como máximo ${count} fragmentos.`,
  // `words` are one word or a phrase, unless `hasSeveralWords`.
  missingTerm: (words: string, hasSeveralWords: boolean): string =>
    `Este expediente no contiene ${hasSeveralWords ? 'todas las palabras de ' : ''}«${words}» en el título, el ámbito ni el texto que se ha podido leer.`,
  recognised: '(texto reconocido a partir de una imagen)',
  // `unreadPages` and `unreadDocuments` tell what was not searched. The texts after them describe each document on the
  // page of a record: how many pages were read, and why the document or a part of it is missing.
  unreadPages: (unread: string, pages: string): string =>
    `Páginas sin leer, en las que no se busca: ${unread} de ${pages}.`,
  unreadDocuments: (unread: string, documents: string): string =>
    `Documentos sin leer, en los que no se busca: ${unread} de ${documents}.`,
  pageCounts: (pages: string, read: string, recognised: string, unread: string): string =>
    `Páginas: ${pages}; con texto: ${read}; con texto reconocido: ${recognised}; sin leer: ${unread}.`,
  // `documentUnread`: no page was read. `pagesUnread`: some pages were not. `allPagesRead`: something else was not,
  // such as an attached file.
  documentUnread: (reason: string): string => `No se ha podido leer: ${reason}.`,
  pagesUnread: (reason: string): string => `Motivo: ${reason}.`,
  allPagesRead: (reason: string): string => `Nota: ${reason}.`,
  inTitle: 'En el título',
  // For records whose titles lack a word of the search: where it was found instead.
  inDocuments: 'En los documentos',
  inOtherData: 'En otros datos del expediente',
  inOtherDataOrDocuments: 'En otros datos del expediente o en los documentos',
  // Follows the link to a document: `Documento técnico en example.org`.
  atHost: (host: string): string => `en ${host}`,
  deadLink: (date: string): string => `No se pudo abrir en la última comprobación (${date})`,
  cite: 'Cómo citar este expediente',
  citation: (title: string, code: string, municipality: string, date: string): string =>
    `${title} (expediente ${code}), ${municipality}, con entrada el ${date}.`,
  // The button beside a passage. `page` is like `página 37 de 512`.
  citeShort: 'Citar',
  citePassage: (page: string): string => `Cita de este fragmento${page === '' ? '' : `, ${page}`}`,
  passageLink: 'Enlace',
  accessed: (date: string): string => `(consultado el ${date})`,
  // The title of a related record names a plan or sector of the record on the page. `name` is that plan or sector.
  relatedRecords: (municipality: string): string => `Expedientes relacionados en ${municipality}`,
  relatedSearch: (name: string, municipality: string): string =>
    `Ver todos los expedientes con «${name}» en ${municipality}`,
  namesToo: (name: string): string => `El título también menciona «${name}»`,
  ineCode: (code: string): string => `Código INE ${code}`,
  // The label of a link: `Ver los 317 expedientes`. If the records could not be counted, `records` is `Expedientes`,
  // and the label is `Ver los expedientes`.
  allOf: (records: string): string => `Ver los ${records.toLowerCase()}`,
  // `nameWithPlace` is like `Santander (Cantabria)`.
  municipalityTitle: (nameWithPlace: string): string => `Expedientes de planeamiento de ${nameWithPlace}`,

  // An address without a page, and the footer of every page.
  missing: {
    record: {
      heading: 'Expediente no encontrado',
      text: (code: string): string => `Ningún expediente tiene el código de inscripción «${code}».`,
    },
    municipality: {
      heading: 'Municipio no encontrado',
      text: (code: string): string => `Ningún municipio con el código INE «${code}» tiene expedientes.`,
    },
    address: {
      heading: 'Página no encontrada',
      text: (path: string): string => `La dirección ${path} no existe. Puede buscar en el registro.`,
    },
  },
  otherAddress: 'Quizá quería ir a',
  linkReference: 'Documentación de la API',
  linkOpenApi: 'Descripción OpenAPI',
  linkMunicipalities: 'Municipios con expedientes (JSON)',
  linkCatalog: 'Descripción del conjunto de datos (DCAT)',
  footer: 'Consulta abierta: no hace falta crear una cuenta.',
  licence: (name: string): string => `Licencia de los datos: ${name}`,
  contact: (address: string): string => `Contacto: ${address}`,
}

// Every word the page says, in Spanish and in English; numbers and dates arrive written by `language.ts`. The build
// takes the text for readers without JavaScript from here too (static-text-plugin.ts).

export type Language = 'es' | 'en'

const es = {
  name: 'Registro de planeamiento urbanístico',
  description:
    'Busque expedientes de planeamiento urbanístico por palabras, municipio y año, y abra sus documentos y acuerdos.',
  otherLanguage: 'English',
  skip: 'Ir a los resultados',
  reference: 'API',
  heading: 'Encuentre un expediente de planeamiento',
  lead: 'Planes generales, planes parciales, estudios de detalle y sus modificaciones: busque en los títulos y en el texto de los documentos.',
  fictional: 'Registro de muestra: todos los expedientes que ve aquí son ficticios.',
  facts: (records: string, municipalities: string, years: string): string =>
    `${records} expedientes de ${municipalities} municipios, ${years}`,
  refreshed: (date: string): string => `Actualizado el ${date}`,

  words: 'Palabras',
  wordsHint: 'Lo que recuerde: un lugar, un tipo de plan, un sector, un código',
  municipality: 'Municipio',
  municipalityHint: 'Todos',
  municipalityCount: (count: number, shown: string): string =>
    count === 0 ? 'Ningún municipio se llama así' : count === 1 ? 'Un municipio' : `${shown} municipios`,
  municipalityMore: (shown: string): string => `y ${shown} más: siga escribiendo`,
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
  records: (count: number, shown: string): string => (count === 1 ? 'Un expediente' : `${shown} expedientes`),
  withWords: (words: string): string => `con «${words}»`,
  inMunicipality: (name: string): string => `en ${name}`,
  inYears: (years: string): string => `de ${years}`,
  beginning: (word: string): string =>
    `Ningún expediente tiene la palabra «${word}»; estos tienen palabras que empiezan así.`,
  exact: 'El expediente con ese código',
  alsoWords: 'Expedientes con esas palabras',
  searching: 'Buscando…',
  entered: (date: string): string => `Entrada: ${date}`,
  inscribed: (date: string): string => `Inscripción: ${date}`,
  notInscribed: 'Sin fecha de inscripción',
  number: (number: string): string => `Núm. ${number}`,
  document: 'Documento técnico',
  agreement: 'Acuerdo',
  noDocument: 'Sin documento en línea',
  documentOf: (title: string): string => `Documento técnico: ${title}`,
  agreementOf: (title: string): string => `Acuerdo: ${title}`,
  more: 'Más resultados',
  loadingMore: 'Cargando más resultados…',
  allShown: (count: number, shown: string): string =>
    count === 1 ? 'Es el único expediente.' : `Son todos: ${shown} expedientes.`,

  pictures: 'Años y mapa',
  chart: 'Expedientes por año de entrada',
  chartHint: 'Pulse un año, o arrastre para elegir varios.',
  chartSummary: (first: string, last: string, peak: string, most: string): string =>
    `De ${first} a ${last}; el año con más, ${peak}: ${most}.`,
  yearCount: (year: string, count: number, shown: string): string =>
    `${year}: ${count === 1 ? 'un expediente' : `${shown} expedientes`}`,
  from: 'Desde',
  to: 'Hasta',
  everyYear: 'Todos los años',
  showTable: 'Ver como tabla',
  tableYear: 'Año',
  tableMunicipality: 'Municipio',
  tableRecords: 'Expedientes',
  tableRest: (count: number, shown: string): string =>
    count === 1 ? 'y un municipio más' : `y ${shown} municipios más`,
  map: 'Expedientes por municipio',
  mapHint: 'Pulse un municipio para ver sus expedientes.',
  mapSummary: (municipalities: number, shown: string, most: string, count: string): string =>
    `${municipalities === 1 ? 'Un municipio' : `${shown} municipios`}; el que más tiene, ${most}: ${count}.`,
  mapLoading: 'Cargando el mapa…',
  mapMissing: 'El mapa no se ha podido cargar. La tabla tiene los mismos datos.',
  mapUnplaced: (count: number, shown: string): string =>
    count === 1
      ? 'Un municipio no figura en el mapa; está en la tabla.'
      : `${shown} municipios no figuran en el mapa; están en la tabla.`,
  mapSource: 'Límites: © Instituto Geográfico Nacional (CC BY 4.0), simplificados',
  everyMunicipality: 'Todos los municipios',
  municipalityRecords: (name: string, count: number, shown: string): string =>
    `${name}: ${count === 0 ? 'ningún expediente' : count === 1 ? 'un expediente' : `${shown} expedientes`}`,

  request: 'La consulta detrás de esta página',
  requestHint: 'Todo lo que ve sale de esta dirección: es un servicio abierto, sin registro, que responde en JSON.',
  requestYears: 'El servicio busca año a año: para varios años se hace una consulta por cada uno.',
  address: 'Dirección',
  copy: 'Copiar',
  copied: 'Copiado',
  copyOf: (what: string): string => `Copiar: ${what}`,
  notCopied: 'No se ha podido copiar: seleccione el texto y cópielo.',
  download: 'Descargar',
  downloadAll: (format: string): string => `Descargar todo el resultado en ${format}`,
  downloading: (done: string, total: string): string => `${done} de ${total} expedientes`,
  downloadDone: (file: string): string => `Descarga terminada: ${file}`,
  downloadFailed: 'La descarga se ha interrumpido y no se ha guardado. Inténtelo de nuevo.',
  cancel: 'Cancelar',
  /** What Excel expects of a CSV file where the language is spoken. */
  csvSeparator: ';',

  emptyHeading: 'No se ha encontrado nada',
  emptyReasons: {
    'unknown-municipality': 'Ningún municipio con expedientes se llama así.',
    'no-match-in-municipality': 'El municipio tiene expedientes, pero ninguno cumple todo lo que se pide.',
    'no-match': 'Ningún expediente cumple todo lo que se pide: cada palabra debe estar en el título o en el texto.',
  },
  didYouMean: 'Quizá buscaba',
  widen: 'También puede',
  withoutYear: (records: string): string => `Buscar en todos los años (${records})`,
  withoutMunicipality: (records: string): string => `Buscar en todos los municipios (${records})`,
  withoutWord: (word: string, records: string): string => `Buscar sin «${word}» (${records})`,
  withoutWords: (records: string): string => `Quitar las palabras (${records})`,

  refusedHeading: 'No se puede buscar eso',
  refusals: {
    'too-many-words': 'Son demasiadas palabras: el máximo son 16. Con menos palabras se encuentra más.',
    'value-too-long': 'Es demasiado largo: el máximo son 200 caracteres.',
    'control-character': 'El texto contiene caracteres que no se ven. Escríbalo de nuevo.',
    'malformed-year': 'El año se escribe con cuatro cifras, como 2004.',
  },
  refused: 'El servicio no admite esta búsqueda.',
  slow: 'Está tardando más de lo normal; seguimos esperando la respuesta.',
  offlineHeading: 'Sin conexión',
  offline: 'No se ha podido llegar al servicio. En cuanto vuelva la conexión se buscará de nuevo.',
  busyHeading: 'El servicio está ocupado',
  busy: (seconds: string): string => `Se intentará de nuevo dentro de ${seconds} s.`,
  failedHeading: 'Algo ha fallado en el servicio',
  failed:
    'No es culpa suya. Si se repite, comuníquelo a quien mantiene el registro: diga qué estaba buscando y este identificador.',
  requestId: 'Identificador de la consulta',
  retry: 'Intentarlo de nuevo',

  noScript:
    'Esta página funciona mejor con JavaScript. Sin él, estos formularios preguntan directamente al servicio, que responde en JSON.',
  noScriptWords: 'Buscar por palabras',
  noScriptMunicipality: 'Buscar por municipio (el nombre completo)',
  noScriptYear: 'Buscar por año de entrada (cuatro cifras)',
  noScriptLinks: 'Para programadores',
  linkReference: 'Referencia del servicio',
  linkOpenApi: 'Descripción OpenAPI',
  linkMunicipalities: 'Municipios con expedientes',
  linkSummary: 'Recuento por año y municipio',
  linkCatalog: 'Ficha del conjunto de datos (DCAT)',
  footer: 'Servicio de lectura, abierto y sin registro.',
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
  refreshed: (date: string): string => `Refreshed on ${date}`,

  words: 'Words',
  wordsHint: 'Whatever you remember: a place, a kind of plan, a sector, a code',
  municipality: 'Municipality',
  municipalityHint: 'All',
  municipalityCount: (count: number, shown: string): string =>
    count === 0 ? 'No municipality has that name' : count === 1 ? 'One municipality' : `${shown} municipalities`,
  municipalityMore: (shown: string): string => `and ${shown} more: keep typing`,
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
  records: (count: number, shown: string): string => (count === 1 ? 'One record' : `${shown} records`),
  withWords: (words: string): string => `with “${words}”`,
  inMunicipality: (name: string): string => `in ${name}`,
  inYears: (years: string): string => `from ${years}`,
  beginning: (word: string): string => `No record has the word “${word}”; these have words that begin so.`,
  exact: 'The record with that code',
  alsoWords: 'Records with those words',
  searching: 'Searching…',
  entered: (date: string): string => `Entered: ${date}`,
  inscribed: (date: string): string => `Inscribed: ${date}`,
  notInscribed: 'No inscription date',
  number: (number: string): string => `No. ${number}`,
  document: 'Technical document',
  agreement: 'Agreement',
  noDocument: 'No document online',
  documentOf: (title: string): string => `Technical document: ${title}`,
  agreementOf: (title: string): string => `Agreement: ${title}`,
  more: 'More results',
  loadingMore: 'Loading more results…',
  allShown: (count: number, shown: string): string =>
    count === 1 ? 'That is the only record.' : `That is all: ${shown} records.`,

  pictures: 'Years and map',
  chart: 'Records by year of entry',
  chartHint: 'Press a year, or drag to choose several.',
  chartSummary: (first: string, last: string, peak: string, most: string): string =>
    `From ${first} to ${last}; the year with most, ${peak}: ${most}.`,
  yearCount: (year: string, count: number, shown: string): string =>
    `${year}: ${count === 1 ? 'one record' : `${shown} records`}`,
  from: 'From',
  to: 'To',
  everyYear: 'Every year',
  showTable: 'Show as a table',
  tableYear: 'Year',
  tableMunicipality: 'Municipality',
  tableRecords: 'Records',
  tableRest: (count: number, shown: string): string =>
    count === 1 ? 'and one more municipality' : `and ${shown} more municipalities`,
  map: 'Records by municipality',
  mapHint: 'Press a municipality to see its records.',
  mapSummary: (municipalities: number, shown: string, most: string, count: string): string =>
    `${municipalities === 1 ? 'One municipality' : `${shown} municipalities`}; the one with most, ${most}: ${count}.`,
  mapLoading: 'Loading the map…',
  mapMissing: 'The map could not be loaded. The table holds the same figures.',
  mapUnplaced: (count: number, shown: string): string =>
    count === 1
      ? 'One municipality is not on the map; it is in the table.'
      : `${shown} municipalities are not on the map; they are in the table.`,
  mapSource: 'Boundaries: © Instituto Geográfico Nacional (CC BY 4.0), simplified',
  everyMunicipality: 'Every municipality',
  municipalityRecords: (name: string, count: number, shown: string): string =>
    `${name}: ${count === 0 ? 'no records' : count === 1 ? 'one record' : `${shown} records`}`,

  request: 'The request behind this page',
  requestHint: 'Everything you see comes from this address: an open service, without an account, that answers in JSON.',
  requestYears: 'The service searches year by year: several years are one request each.',
  address: 'Address',
  copy: 'Copy',
  copied: 'Copied',
  copyOf: (what: string): string => `Copy: ${what}`,
  notCopied: 'Could not copy: select the text and copy it.',
  download: 'Download',
  downloadAll: (format: string): string => `Download the whole result as ${format}`,
  downloading: (done: string, total: string): string => `${done} of ${total} records`,
  downloadDone: (file: string): string => `Download finished: ${file}`,
  downloadFailed: 'The download broke off and nothing was saved. Please try again.',
  cancel: 'Cancel',
  csvSeparator: ',',

  emptyHeading: 'Nothing found',
  emptyReasons: {
    'unknown-municipality': 'No municipality with records has that name.',
    'no-match-in-municipality': 'The municipality has records, but none that matches everything you ask for.',
    'no-match': 'No record matches everything you ask for: each word must be in the title or in the text.',
  },
  didYouMean: 'Did you mean',
  widen: 'You can also',
  withoutYear: (records: string): string => `Search every year (${records})`,
  withoutMunicipality: (records: string): string => `Search every municipality (${records})`,
  withoutWord: (word: string, records: string): string => `Search without “${word}” (${records})`,
  withoutWords: (records: string): string => `Leave out the words (${records})`,

  refusedHeading: 'That cannot be searched for',
  refusals: {
    'too-many-words': 'Those are too many words: 16 at most. Fewer words find more.',
    'value-too-long': 'That is too long: 200 characters at most.',
    'control-character': 'The text holds characters that cannot be seen. Please type it again.',
    'malformed-year': 'A year is written with four digits, such as 2004.',
  },
  refused: 'The service does not take this search.',
  slow: 'This is taking longer than usual; still waiting for the answer.',
  offlineHeading: 'No connection',
  offline: 'The service could not be reached. The search is repeated as soon as the connection is back.',
  busyHeading: 'The service is busy',
  busy: (seconds: string): string => `Trying again in ${seconds} s.`,
  failedHeading: 'Something went wrong in the service',
  failed:
    'It is not your fault. If it happens again, please tell whoever runs the registry what you were looking for, and this identifier.',
  requestId: 'Request identifier',
  retry: 'Try again',

  noScript:
    'This page works best with JavaScript. Without it, these forms ask the service directly, which answers in JSON.',
  noScriptWords: 'Search by words',
  noScriptMunicipality: 'Search by municipality (the whole name)',
  noScriptYear: 'Search by year of entry (four digits)',
  noScriptLinks: 'For developers',
  linkReference: 'Reference of the service',
  linkOpenApi: 'OpenAPI description',
  linkMunicipalities: 'Municipalities with records',
  linkSummary: 'Counts by year and municipality',
  linkCatalog: 'Description of the dataset (DCAT)',
  footer: 'A read-only service, open and without an account.',
}

export const stringsByLanguage: Readonly<Record<Language, Strings>> = { es, en }

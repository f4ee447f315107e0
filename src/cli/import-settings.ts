// The settings that only `import` has. commands.ts adds them to its table; src/import/plan.ts reads them.
import { readShare, type Share } from '../import/share.ts'
import { declareSettings, oneOf, placeholders, readTexts, type SettingTable } from './setting.ts'

/** The texts are as the user gave them; plan.ts parses those that need a message of their own. */
export interface ImportValues {
  readonly plan: string | undefined
  /** Path, or the JSON itself. */
  readonly mapping: string | undefined
  readonly fields: string | undefined
  readonly recordsAt: string | undefined
  readonly sheet: string | undefined
  readonly timeZone: string
  readonly inspect: boolean
  readonly writeMapping: string | undefined
  readonly codePattern: string | undefined
  readonly duplicates: 'refuse' | 'first' | 'last' | 'merge'
  readonly query: string | undefined
  readonly documents: string | undefined
  readonly publishDocuments: boolean
  readonly documentsUrl: string | undefined
  readonly fetchDocuments: boolean
  readonly allowHost: readonly string[]
  readonly ocr: boolean
  readonly ocrLanguages: string | undefined
  readonly noPassages: boolean
  readonly documentCache: string | undefined
  readonly rejects: string | undefined
  readonly maxRejects: Share
  readonly maxGone: Share
  readonly maxTextsGone: Share
  readonly rebuild: boolean
  readonly export: string | undefined
  readonly dryRun: boolean
  readonly report: string | undefined
}

export const importSettings: SettingTable<ImportValues> = declareSettings<ImportValues>(['import'], {
  plan: {
    placeholder: placeholders.file,
    meaning: {
      en: 'JSON file with the sources and flags of this import, as the desk saves it; flags given here win',
      es: 'Archivo JSON con los orígenes y las opciones de esta importación, como lo guarda el asistente; prevalecen las que se indiquen aquí',
    },
  },
  mapping: {
    placeholder: placeholders.file,
    meaning: {
      en: "JSON object from column names to the source's headings",
      es: 'Objeto JSON con la correspondencia entre las columnas del programa y los encabezados del origen',
    },
  },
  fields: {
    placeholder: { en: 'HEADINGS', es: 'ENCABEZADOS' },
    meaning: {
      en: 'Further columns to keep and publish, such as TIPO,Boletín=BOP; check that they hold no personal data',
      es: 'Otras columnas que se conservan y publican, por ejemplo TIPO,Boletín=BOP; compruebe que no tengan datos personales',
    },
  },
  recordsAt: {
    placeholder: placeholders.path,
    meaning: {
      en: 'Where the array of records is in a JSON file, such as result.records',
      es: 'Dónde está la lista de expedientes en un archivo JSON, por ejemplo result.records',
    },
  },
  sheet: {
    placeholder: placeholders.name,
    meaning: {
      en: 'Sheet of a workbook to read, by name or number',
      es: 'Hoja del libro que se lee, por nombre o número',
    },
  },
  timeZone: {
    placeholder: placeholders.name,
    default: 'Europe/Madrid',
    meaning: {
      en: 'Time zone that decides on which day a time with a zone is',
      es: 'Zona horaria con la que se calcula el día si la fecha incluye hora y zona',
    },
  },
  inspect: {
    meaning: {
      en: 'Show what is understood of a source and propose a mapping; import nothing',
      es: 'Muestra lo que se entiende de un origen y propone una correspondencia; no importa nada',
    },
  },
  writeMapping: {
    placeholder: placeholders.file,
    meaning: {
      en: 'Write the mapping that --inspect proposes to this file',
      es: 'Guarda en este archivo la correspondencia que propone --inspect',
    },
  },
  codePattern: {
    placeholder: { en: 'REGEX', es: 'EXPRESIÓN' },
    meaning: {
      en: 'Form of the codes of this registry, if it is not <prefix>-<number>',
      es: 'Forma de los códigos de este registro, si no es <prefijo>-<número>',
    },
  },
  duplicates: {
    placeholder: { en: 'RULE', es: 'REGLA' },
    default: 'refuse',
    meaning: {
      en: 'Rows with the same code: refuse, keep the first or last, or merge',
      es: 'Filas con el mismo código: rechazarlas (refuse), quedarse con la primera (first) o la última (last), o unirlas (merge)',
    },
    read: oneOf(['refuse', 'first', 'last', 'merge']),
  },
  query: {
    placeholder: { en: 'SQL', es: 'SQL' },
    meaning: { en: 'Query to run on a postgres:// source', es: 'Consulta que se ejecuta en un origen postgres://' },
  },
  documents: {
    placeholder: placeholders.directory,
    meaning: {
      en: 'Folder of the files that the document column names',
      es: 'Carpeta de los archivos que nombra la columna document',
    },
  },
  publishDocuments: {
    meaning: {
      en: 'Hand out the files of --documents to readers',
      es: 'Ofrece al público los archivos de --documents',
    },
    details: {
      en: 'copied to documents in --data-dir; without this flag none are handed out',
      es: 'se copian en documents, dentro de --data-dir; sin esta opción no se ofrece ninguno',
    },
  },
  documentsUrl: {
    placeholder: placeholders.url,
    meaning: {
      en: 'Web server or object store that hands out that folder instead of the service',
      es: 'Servidor web o almacén de objetos que ofrece esa carpeta en lugar del servicio',
    },
  },
  fetchDocuments: {
    meaning: {
      en: 'Download the documents of links and agreement_link from allowed hosts',
      es: 'Descarga los documentos de links y agreement_link de los servidores autorizados',
    },
  },
  allowHost: {
    flag: 'allow-host',
    placeholder: { en: 'HOST[:PORT]', es: 'SERVIDOR[:PUERTO]' },
    meaning: {
      en: 'Host to download documents from; repeatable',
      es: 'Servidor del que se descargan documentos; puede repetirse',
    },
    read: readTexts,
  },
  ocr: {
    meaning: {
      en: 'Recognise the text of scanned pages; about 6 s per page',
      es: 'Reconoce el texto de las páginas escaneadas; unos 6 s por página',
    },
  },
  ocrLanguages: {
    placeholder: { en: 'CODES', es: 'CÓDIGOS' },
    meaning: {
      en: 'Languages of the scans, such as spa,cat; spa by default',
      es: 'Idiomas de los documentos escaneados, por ejemplo spa,cat; spa por defecto',
    },
    details: {
      en: 'spa is always installed; others are npm packages: @tesseract.js-data/CODE',
      es: 'spa está siempre instalado; los demás son paquetes de npm: @tesseract.js-data/CÓDIGO',
    },
  },
  noPassages: {
    meaning: {
      en: 'Index the text of documents without storing it, so that results show no passages',
      es: 'Indexa el texto de los documentos sin guardarlo; los resultados no muestran fragmentos',
    },
  },
  documentCache: {
    variable: 'DOCUMENT_CACHE',
    placeholder: placeholders.directory,
    meaning: {
      en: 'Cache of document texts, for the next import',
      es: 'Carpeta en la que se guardan los textos leídos, para la próxima importación',
    },
    details: {
      en: 'document-texts next to the database by default',
      es: 'por defecto, document-texts junto a la base de datos',
    },
  },
  rejects: {
    placeholder: placeholders.file,
    meaning: {
      en: 'File for rejected rows; SOURCE.rejects.csv by default',
      es: 'Archivo para las filas rechazadas; por defecto, ORIGEN.rejects.csv',
    },
  },
  maxRejects: {
    placeholder: placeholders.share,
    default: '0',
    meaning: {
      en: 'Publish nothing if more rows than this, a number or a share, are rejected',
      es: 'Máximo de filas rechazadas, número o porcentaje; si se supera, no se publica nada',
    },
    read: readShare,
  },
  maxGone: {
    placeholder: placeholders.share,
    default: '10%',
    meaning: {
      en: 'Publish nothing if more records than this would be gone',
      es: 'Máximo de expedientes publicados que pueden faltar; si se supera, no se publica nada',
    },
    read: readShare,
  },
  maxTextsGone: {
    placeholder: placeholders.share,
    default: '10%',
    meaning: {
      en: 'Publish nothing if more records than this would lose their text',
      es: 'Máximo de expedientes que pueden perder su texto; si se supera, no se publica nada',
    },
    read: readShare,
  },
  rebuild: {
    meaning: {
      en: 'Build the registry anew, although nothing has changed',
      es: 'Vuelve a construir el registro aunque nada haya cambiado',
    },
  },
  export: {
    placeholder: placeholders.directory,
    meaning: {
      en: 'Also write the registry as a file for a web server',
      es: 'Escribe además el registro como archivo, para un servidor web',
    },
  },
  dryRun: {
    meaning: { en: 'Do everything except publish', es: 'Lo hace todo salvo publicar' },
  },
  report: {
    placeholder: placeholders.file,
    meaning: {
      en: 'Also write the report as JSON to this file',
      es: 'Guarda además el informe en este archivo, en JSON',
    },
  },
})
